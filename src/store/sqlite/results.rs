//! Rows of `results`: what chunks came to.

use sqlx::SqliteConnection;

use super::error::database;
use super::row::{self, signed};
use crate::jobs::chunk::Span;
use crate::jobs::items::{Results, Tally};
use crate::jobs::lease::JobKey;
use crate::jobs::progress::Rejections;
use crate::jobs::record::{Completed, Record};
use crate::jobs::store::StoreResult;
use crate::store::codec;

/// A chunk that was run, as it is stored.
pub(super) struct Ran {
    pub(super) span: Span,
    pub(super) payload: Vec<u8>,
    pub(super) tally: Tally,
    pub(super) rejections: Rejections,
}

impl Ran {
    pub(super) fn new(span: Span, results: &Results, rejections: Rejections) -> Self {
        Self {
            span,
            payload: codec::encode_results(results),
            tally: results.tally(),
            rejections,
        }
    }
}

/// Writes results and finds the new watermark.
pub(super) async fn write(
    conn: &mut SqliteConnection,
    record: &Record,
    ran: Ran,
) -> StoreResult<Completed> {
    let span = ran.span;
    sqlx::query("insert into results (job, first_index, items, payload) values (?, ?, ?, ?)")
        .bind(record.key.0)
        .bind(signed(span.first))
        .bind(signed(span.len))
        .bind(&ran.payload)
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    let bytes = ran.payload.len() as u64;
    row::add_tenant_bytes(conn, &record.job.tenant, signed(bytes)).await?;
    let contiguous = record.job.progress.contiguous_done;
    let contiguous_done = if span.first == contiguous {
        watermark(conn, record.key, span.end()).await?
    } else {
        contiguous
    };
    Ok(Completed {
        tally: ran.tally,
        rejections: ran.rejections,
        bytes,
        contiguous_done,
    })
}

/// The first index from `end` on that has no result. Each chunk is stepped over once in a job's life.
async fn watermark(conn: &mut SqliteConnection, job: JobKey, mut end: u64) -> StoreResult<u64> {
    loop {
        let items: Option<i64> =
            sqlx::query_scalar("select items from results where job = ? and first_index = ?")
                .bind(job.0)
                .bind(signed(end))
                .fetch_optional(&mut *conn)
                .await
                .map_err(database)?;
        match items {
            Some(items) => end += items.unsigned_abs(),
            None => return Ok(end),
        }
    }
}
