//! What a backend gives the suite.

use gridmill::jobs::clock::ManualClock;
use gridmill::jobs::store::JobStore;
use gridmill::store::StoreLimits;

/// A kind of store, with a place of its own that nobody else uses and that goes when it is dropped.
pub(crate) trait Backend: Send + Sync + Sized + 'static {
    /// Its store.
    type Store: JobStore;

    /// An empty place.
    fn new() -> Self;

    /// Opens the store that stands in the place.
    async fn open(&self, clock: &ManualClock, limits: StoreLimits) -> Self::Store;

    /// Ends a store in good order.
    async fn close(&self, store: Self::Store);

    /// Ends a store as the death of its process would: what is in the place is what was durable.
    async fn crash(&mut self, store: Self::Store);

    /// Everything in the place that contradicts something else in it; empty when all is well.
    async fn contradictions(&self) -> Vec<String>;

    /// Rows that keep puzzles from being alike, and those of them in the index of forms.
    async fn forms_kept(&self) -> (u64, u64);

    /// Overwrites every stored payload of this kind with rubbish.
    async fn corrupt(&self, kind: Payload);
}

/// What is stored in payloads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Payload {
    /// What came from the client.
    Inputs,
    /// What came of it.
    Results,
    /// What puzzles look like that are not sealed.
    Unsealed,
}
