//! `gridmill job failures`: items that were given up, and why.

use clap::Args;

use super::{Name, Server};
use crate::cli::exit::Result;
use crate::cli::view::{self, Look, View};
use crate::rpc::pb::{Failure, ListFailuresRequest};

/// Failures that are asked for at a time.
const PAGE: i32 = 500;

/// Arguments of `gridmill job failures`.
#[derive(Debug, Clone, Args)]
pub(super) struct Failures {
    #[command(flatten)]
    name: Name,

    #[command(flatten)]
    look: Look,
}

pub(super) async fn run(server: &Server, failures: Failures) -> Result {
    let client = server.connect().await?;
    let mut request = ListFailuresRequest {
        name: failures.name.resource(),
        page_size: PAGE,
        ..ListFailuresRequest::default()
    };
    loop {
        let page = client
            .jobs()
            .list_failures(request.clone())
            .await?
            .into_inner();
        for failure in page.failures {
            failures.look.show(&describe(failure))?;
        }
        if page.next_page_token.is_empty() {
            return Ok(());
        }
        request.page_token = page.next_page_token;
    }
}

fn describe(failure: Failure) -> View {
    let error = failure.error.unwrap_or_default();
    View::default()
        .with("first_index", failure.first_index)
        .with("count", failure.count)
        .with("attempts", failure.attempts)
        .with("reason", error.reason)
        .with("message", error.message)
        .with("fail_time", view::time(failure.fail_time))
        .with("worker", failure.worker)
}
