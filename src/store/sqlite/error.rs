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
        _ if matches!(error, sqlx::Error::PoolClosed) => StoreError::Closing,
        _ => StoreError::Internal(Box::new(error)),
    }
}

/// The disk is full.
pub(super) fn full(error: &sqlx::Error) -> Option<StoreError> {
    (primary_code(error) == Some(FULL))
        .then(|| StoreError::Full("the disk has no room left".to_owned()))
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
