//! The forms of a job's sealed items.
//!
//! They fall anywhere into their table, so that a thousand of them written alone write a thousand pages. So
//! those of the last chunks stand beside it, in `recent_forms`, and enter it together: a million puzzles
//! are made in two thirds of the time. Where a job has tens of millions, nearly every form still
//! writes a page of its own, some hundred megabytes a time.

use std::collections::HashSet;

use sqlx::SqliteConnection;

use super::error::{corrupt, database};
use super::row::{self, signed};
use crate::jobs::alike::{Form, MadeForm};
use crate::jobs::chunk::Span;
use crate::jobs::lease::JobKey;
use crate::jobs::store::StoreResult;

/// So many forms enter the table together.
const RECENT_FORMS: i64 = 32_768;
/// Or those of so many chunks.
const RECENT_CHUNKS: i64 = 128;

/// Those of these forms that sealed items have.
pub(super) async fn known(
    conn: &mut SqliteConnection,
    job: JobKey,
    made: &[MadeForm],
) -> StoreResult<HashSet<Form>> {
    let old: Vec<i64> = sqlx::query_scalar(
        "select form from forms where job = ? and form in (select value from json_each(?))",
    )
    .bind(job.0)
    .bind(in_order(made.iter().map(|item| item.form)))
    .fetch_all(&mut *conn)
    .await
    .map_err(database)?;
    let forms: HashSet<Form> = made.iter().map(|item| item.form).collect();
    let recent = recent(conn, job).await?.into_iter();
    let recent = recent.filter(|form| forms.contains(form));
    Ok(old.into_iter().map(Form).chain(recent).collect())
}

/// Adds the forms of a chunk, all of them new.
pub(super) async fn remember(
    conn: &mut SqliteConnection,
    job: JobKey,
    span: Span,
    made: &[MadeForm],
) -> StoreResult<()> {
    let forms = made.iter().flat_map(|item| item.form.0.to_le_bytes());
    sqlx::query("insert into recent_forms (job, first_index, forms) values (?, ?, ?)")
        .bind(job.0)
        .bind(signed(span.first))
        .bind(forms.collect::<Vec<u8>>())
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    let (chunks, bytes): (i64, i64) = sqlx::query_as(
        "select count(*), coalesce(sum(length(forms)), 0) from recent_forms where job = ?",
    )
    .bind(job.0)
    .fetch_one(&mut *conn)
    .await
    .map_err(database)?;
    if chunks >= RECENT_CHUNKS || bytes >= 8 * RECENT_FORMS {
        settle(conn, job).await?;
    }
    Ok(())
}

/// Moves the forms of the last chunks into their table.
async fn settle(conn: &mut SqliteConnection, job: JobKey) -> StoreResult<()> {
    let recent = recent(conn, job).await?;
    sqlx::query("insert into forms (job, form) select ?, value from json_each(?)")
        .bind(job.0)
        .bind(in_order(recent))
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    sqlx::query("delete from recent_forms where job = ?")
        .bind(job.0)
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}

/// The forms of the last chunks.
async fn recent(conn: &mut SqliteConnection, job: JobKey) -> StoreResult<Vec<Form>> {
    let blobs: Vec<Vec<u8>> = sqlx::query_scalar("select forms from recent_forms where job = ?")
        .bind(job.0)
        .fetch_all(conn)
        .await
        .map_err(database)?;
    let forms = blobs.iter().flat_map(|blob| blob.as_chunks().0);
    Ok(forms.map(|&form| Form(i64::from_le_bytes(form))).collect())
}

/// The forms as a JSON array, in the order of the table, so that a page is met once.
fn in_order(forms: impl IntoIterator<Item = Form>) -> String {
    let mut forms: Vec<i64> = forms.into_iter().map(|form| form.0).collect();
    forms.sort_unstable();
    row::to_json(&forms)
}

/// Bytes of an item in a list of made forms.
const ITEM: usize = 20;

/// A list of made forms as it is stored.
///
/// ```text
/// | index 8 | remake 4 | form 8 |   little-endian, one after the other
/// ```
pub(super) fn encode(made: &[MadeForm]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(made.len() * ITEM);
    for item in made {
        bytes.extend_from_slice(&item.index.to_le_bytes());
        bytes.extend_from_slice(&item.remake.to_le_bytes());
        bytes.extend_from_slice(&item.form.0.to_le_bytes());
    }
    bytes
}

/// The list that was stored so.
pub(super) fn decode(bytes: &[u8]) -> StoreResult<Vec<MadeForm>> {
    let (items, []) = bytes.as_chunks::<ITEM>() else {
        return Err(corrupt(format!("{} bytes of made forms", bytes.len())));
    };
    let item = |&[a, b, c, d, e, f, g, h, i, j, k, l, ref form @ ..]: &[u8; ITEM]| MadeForm {
        index: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        remake: u32::from_le_bytes([i, j, k, l]),
        form: Form(i64::from_le_bytes(*form)),
    };
    Ok(items.iter().map(item).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_forms_come_back() {
        let made: Vec<MadeForm> = (0..5)
            .map(|number| MadeForm {
                index: u64::MAX - number,
                remake: u32::MAX >> number,
                form: Form(i64::MIN + i64::try_from(number).expect("small")),
            })
            .collect();
        let bytes = encode(&made);
        assert_eq!(decode(&bytes).expect("as written"), made);
        assert!(decode(&bytes[1..]).is_err());
    }
}
