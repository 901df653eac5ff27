//! `ListResults`: the same results in pages.

use tonic::Status;

use super::reader::{Found, Reader};
use crate::jobs::store::JobStore;
use crate::rpc::convert::batch::Layout;
use crate::rpc::convert::name;
use crate::rpc::job_service::list::page_size;
use crate::rpc::page_token::PageTokens;
use crate::rpc::{fingerprint, limits, pb};

/// Pages of a store's results.
pub(in crate::rpc::job_service) struct Pages<'a, S> {
    store: &'a S,
    tokens: &'a PageTokens,
}

impl<'a, S: JobStore> Pages<'a, S> {
    /// With the tokens that lead from one to the next.
    pub(in crate::rpc::job_service) const fn new(store: &'a S, tokens: &'a PageTokens) -> Self {
        Self { store, tokens }
    }

    /// One page. There is a token to go on with until the job has ended and all was read.
    ///
    /// # Errors
    /// BAD_FIELD, BAD_TOKEN, and the store's.
    pub(in crate::rpc::job_service) async fn page(
        &self,
        mut request: pb::ListResultsRequest,
    ) -> Result<pb::ListResultsResponse, Status> {
        let job = name::job(&request.name)?;
        let layout = Layout::read(request.layout)?;
        let (default, most) = (limits::DEFAULT_RESULTS_PAGE, limits::MAX_BATCH_ITEMS);
        let size = page_size(request.page_size, default, most)?;
        let token = std::mem::take(&mut request.page_token);
        request.page_size = 0;
        let digest = fingerprint::of(&request);
        let position = self.tokens.read(&digest, &token)?;
        let start = position.unwrap_or(request.start_index);
        let mut reader = Reader::new(self.store.clone(), job, start, size, layout)
            .with_inputs(request.include_inputs);
        let (results, is_last) = match reader.next().await? {
            // Whether these were the last is known at the next look.
            Found::Results(batch) => (batch, false),
            Found::Nothing(job) => {
                let nothing = pb::ResultBatch {
                    first_index: start,
                    ..pb::ResultBatch::default()
                };
                (nothing, job.state.has_ended())
            }
        };
        let next_page_token = if is_last {
            String::new()
        } else {
            self.tokens.issue(&digest, reader.next_index())
        };
        Ok(pb::ListResultsResponse {
            results: Some(results),
            next_page_token,
        })
    }
}
