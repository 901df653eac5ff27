//! SQLite's errors in the store's words.

use sqlx::error::DatabaseError;

use crate::jobs::error::StoreError;

const FULL: i32 = 13;
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const NOTADB: i32 = 26;

/// The error of a statement.
pub(super) fn database(error: sqlx::Error) -> StoreError {
    if let Some(full) = full(&error) {
        return full;
    }
    match primary_code(&error) {
        Some(CORRUPT | NOTADB) => StoreError::Corrupt(error.to_string()),
        _ => match error {
            sqlx::Error::PoolClosed => StoreError::Closing,
            // The schema is strict, so a value that cannot be read is not what was written.
            sqlx::Error::ColumnDecode { .. } => StoreError::Corrupt(error.to_string()),
            error => StoreError::Internal(Box::new(error)),
        },
    }
}

/// Whether the error of an operation means that the disk cannot be trusted. A page that makes no
/// sense is not that: it fails whatever meets it, and the rest is served.
pub(super) fn is_fatal_to_all(error: &StoreError) -> bool {
    let StoreError::Internal(cause) = error else {
        return false;
    };
    let cause = cause.downcast_ref::<sqlx::Error>();
    cause.is_some_and(|cause| primary_code(cause) == Some(IOERR))
}

/// The disk is full.
pub(super) fn full(error: &sqlx::Error) -> Option<StoreError> {
    (primary_code(error) == Some(FULL)).then(disk_full)
}

/// What a client is told then.
pub(super) fn disk_full() -> StoreError {
    StoreError::Full("the disk has no room left".to_owned())
}

/// Whether the file cannot be trusted until it is opened again.
pub(super) fn is_fatal(error: &sqlx::Error) -> bool {
    matches!(primary_code(error), Some(IOERR | CORRUPT | NOTADB))
}

/// A stored value that cannot be what was written.
pub(super) fn corrupt(what: impl Into<String>) -> StoreError {
    StoreError::Corrupt(what.into())
}

/// The low byte of SQLite's result code, which names the kind of the error.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let code = error.as_database_error().and_then(DatabaseError::code)?;
    code.parse::<i32>().ok().map(|code| code & 0xff)
}
