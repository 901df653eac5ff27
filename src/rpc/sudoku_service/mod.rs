//! `SudokuService`: pure, nothing stored, answered at once.

mod canonicalize;
mod explain;
mod hint;
mod make;
mod rate;
mod solve;

use tonic::{Request, Response, Status, Streaming};

use super::compute::Compute;
use super::pb;
use super::pb::sudoku_service_server::SudokuService;
use super::producer::Produced;

/// The service.
#[derive(Debug)]
pub(super) struct Sudoku {
    compute: Compute,
}

impl Sudoku {
    /// Computes on `compute`.
    pub(super) const fn new(compute: Compute) -> Self {
        Self { compute }
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl SudokuService for Sudoku {
    async fn solve(&self, request: Request<pb::SolveRequest>) -> Answer<pb::SolveResponse> {
        let answer = solve::solve(&self.compute, request.into_inner()).await?;
        Ok(Response::new(answer))
    }

    type SolveStreamStream = Produced<pb::SolveStreamResponse>;

    async fn solve_stream(
        &self,
        request: Request<Streaming<pb::SolveStreamRequest>>,
    ) -> Answer<Self::SolveStreamStream> {
        let (compute, requests) = (self.compute.clone(), request.into_inner());
        let answers = Produced::by(|sender| solve::stream(compute, requests, sender));
        Ok(Response::new(answers.started().await?))
    }

    type GenerateStream = Produced<pb::GenerateResponse>;

    async fn generate(
        &self,
        request: Request<pb::GenerateRequest>,
    ) -> Answer<Self::GenerateStream> {
        let grids = make::generate(self.compute.clone(), &request.into_inner())?;
        Ok(Response::new(grids))
    }

    type MakePuzzleStream = Produced<pb::MakePuzzleResponse>;

    async fn make_puzzle(
        &self,
        request: Request<pb::MakePuzzleRequest>,
    ) -> Answer<Self::MakePuzzleStream> {
        let puzzles = make::make_puzzle(self.compute.clone(), request.into_inner())?;
        Ok(Response::new(puzzles))
    }

    async fn rate(&self, request: Request<pb::RateRequest>) -> Answer<pb::RateResponse> {
        let answer = rate::rate(&self.compute, request.into_inner()).await?;
        Ok(Response::new(answer))
    }

    type ExplainStream = Produced<pb::ExplainResponse>;

    async fn explain(&self, request: Request<pb::ExplainRequest>) -> Answer<Self::ExplainStream> {
        let steps = explain::explain(self.compute.clone(), &request.into_inner())?;
        Ok(Response::new(steps))
    }

    async fn hint(&self, request: Request<pb::HintRequest>) -> Answer<pb::HintResponse> {
        let answer = hint::hint(&self.compute, request.into_inner()).await?;
        Ok(Response::new(answer))
    }

    async fn canonicalize(
        &self,
        request: Request<pb::CanonicalizeRequest>,
    ) -> Answer<pb::CanonicalizeResponse> {
        let answer = canonicalize::canonicalize(&self.compute, request.into_inner()).await?;
        Ok(Response::new(answer))
    }
}
