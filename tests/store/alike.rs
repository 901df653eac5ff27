//! Jobs in which no two puzzles may be alike.

use std::collections::BTreeMap;
use std::time::Duration;

use gridmill::jobs::alike::{Form, MAX_REMAKES, MadeForm, Remakes};
use gridmill::jobs::id::JobRef;
use gridmill::jobs::items::{Inputs, Outcome, Results};
use gridmill::jobs::job::JobState;
use gridmill::jobs::lease::Claim;
use gridmill::jobs::spec::{JobSpec, MakePuzzle, Work};
use gridmill::jobs::store::{Completion, JobStore};
use gridmill::sudoku::packed::BYTES;
use gridmill::sudoku::{Puzzle, Uniform};

use crate::backend::{Backend, Payload};
use crate::model::Chance;
use crate::place::{CHUNK, Place, START, answers, make, pure, soon};

/// Puzzles in chunks of [`CHUNK`], no two alike.
fn unlike(count: u64) -> JobSpec {
    let mut spec = make(count);
    let Work::MakePuzzle(make) = &mut spec.work else {
        unreachable!("puzzles are made")
    };
    make.distinct_up_to_symmetry = true;
    spec
}

/// The forms there are.
const FORMS: u64 = 1103;

/// A form that others have too.
fn form(index: u64, remake: u32) -> Form {
    let form = index * index * (u64::from(remake) + 1) % FORMS;
    Form(i64::try_from(form).expect("small"))
}

/// What a claim should come to, if `form` told what puzzles look like: index and remake stand in the grid.
fn made(claim: &Claim) -> Completion {
    let mut completion = answers(claim);
    let span = claim.lease.span;
    for (item, index) in span.range().enumerate() {
        let remake = claim.remakes.get(&index).copied().unwrap_or(0);
        if remake > MAX_REMAKES {
            completion.results.outcomes[item] = Outcome::NotFound;
            completion.results.grids[item * BYTES..][..BYTES].fill(0);
            continue;
        }
        completion.results.grids[item * BYTES + 8..][..4].copy_from_slice(&remake.to_le_bytes());
        completion.forms.push(MadeForm {
            index,
            remake,
            form: form(index, remake),
        });
    }
    completion
}

/// The remake of every item, as the rule says, one item after the other.
fn rule(count: u64) -> Vec<Option<u32>> {
    let mut seen = Vec::new();
    let remake = |index| {
        let remake = (0..=MAX_REMAKES).find(|&remake| !seen.contains(&form(index, remake)))?;
        seen.push(form(index, remake));
        Some(remake)
    };
    (0..count).map(remake).collect()
}

async fn remakes<B: Backend>(place: &Place<B>, job: &JobRef) -> Vec<Option<u32>> {
    let pages = place.results(job, 0).await;
    let mut all = Vec::new();
    for page in &pages {
        for (grid, outcome) in page.grids.chunks(BYTES).zip(&page.outcomes) {
            let (index, rest) = grid.split_first_chunk().expect("eight bytes");
            let (remake, _) = rest.split_first_chunk().expect("four bytes");
            if *outcome == Outcome::Unique {
                assert_eq!(u64::from_le_bytes(*index), all.len() as u64);
            }
            let is_made = *outcome == Outcome::Unique;
            all.push(is_made.then_some(u32::from_le_bytes(*remake)));
        }
    }
    all
}

pub(crate) async fn an_alike_puzzle_is_made_again<B: Backend>() {
    // More chunks than have their forms beside the index, and more items than there are forms.
    let count = 150 * CHUNK + 3;
    let expected = rule(count);
    assert!(expected.contains(&None) && expected.iter().flatten().any(|&remake| remake > 1));
    for seed in 0..2 {
        let mut chance = Chance::new(seed);
        let mut place = Place::<B>::new().await;
        let job = place.create(unlike(count)).await;
        let mut held = Vec::new();
        loop {
            match chance.below(6) {
                0 if !held.is_empty() => {
                    let claim: Claim = held.swap_remove(0);
                    let released = place.store.release(&claim.lease).await;
                    released.expect("the lease is held");
                }
                1 if chance.below(100) == 0 => {
                    place.crash().await;
                    held.clear();
                }
                2 | 3 if held.len() < 40 => held.extend(place.claim().await),
                _ if !held.is_empty() => {
                    let number = chance.below(held.len() as u64);
                    let claim = held.swap_remove(usize::try_from(number).expect("few"));
                    let completed = place.store.complete(&claim.lease, &made(&claim)).await;
                    completed.expect("the lease is held");
                }
                _ => {}
            }
            if chance.below(100) == 0 {
                place.audit().await;
            }
            if chance.below(20) == 0 {
                place.store.collect().await.expect("sealed");
            }
            let state = place.state(&job).await;
            if state.has_ended() {
                assert_eq!(state, JobState::Succeeded);
                break;
            }
        }
        let (_, in_index) = place.backend.forms_kept().await;
        assert!(in_index > 1000, "{in_index}");
        assert_eq!(remakes(&place, &job).await, expected, "seed {seed}");
        while place.store.collect().await.expect("collected") {}
        place.audit().await;
        assert_eq!(place.backend.forms_kept().await, (0, 0));
    }
}

pub(crate) async fn what_is_not_sealed_is_neither_done_nor_served<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(unlike(4 * CHUNK)).await;
    let mut claims = Vec::new();
    while let Some(claim) = place.claim().await {
        claims.push(claim);
    }
    for chunk in [1, 2] {
        let completion = made(&claims[chunk]);
        let completed = place
            .store
            .complete(&claims[chunk].lease, &completion)
            .await;
        completed.expect("the lease is held");
        let progress = place.job(&job).await.progress;
        assert_eq!((progress.done, progress.contiguous_done), (0, 0));
        assert_eq!(place.outcomes(&job).await, []);
        place.audit().await;
    }
    place.store.cancel(&job).await.expect("a cancellation");
    assert_eq!(place.state(&job).await, JobState::Cancelling);
    for chunk in [0, 3] {
        let released = place.store.release(&claims[chunk].lease).await;
        released.expect("the lease is held");
    }
    let ended = place.job(&job).await;
    assert_eq!((ended.state, ended.progress.done), (JobState::Cancelled, 0));
    assert_eq!(place.outcomes(&job).await, []);
    place.audit().await;
}

pub(crate) async fn a_cancelled_job_has_what_is_sealed<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(unlike(9)).await;
    let first = place.claim_some().await;
    let second = place.claim_some().await;
    place.store.cancel(&job).await.expect("a cancellation");
    // The second is alike to one of the first, and nothing will make it again.
    let mut alike = made(&second);
    alike.forms[0].form = form(3, 0);
    let completed = place.store.complete(&second.lease, &alike).await;
    completed.expect("the lease is held");
    let mut completion = made(&first);
    for item in &mut completion.forms {
        item.form = Form(1000 + i64::try_from(item.index).expect("small"));
    }
    completion.forms[3].form = form(3, 0);
    let completed = place.store.complete(&first.lease, &completion).await;
    completed.expect("the lease is held");
    let ended = place.job(&job).await;
    assert_eq!(
        (ended.state, ended.progress.done),
        (JobState::Cancelled, CHUNK)
    );
    assert_eq!(place.outcomes(&job).await, [Outcome::Unique; 8]);
    assert!(place.claim().await.is_none());
    place.audit().await;
}

/// Items of which no two are alike.
fn different(claim: &Claim) -> Completion {
    let mut completion = made(claim);
    for item in &mut completion.forms {
        item.form = Form(i64::try_from(item.index).expect("small"));
    }
    completion
}

/// All chunks of a job but the first have run.
async fn all_but_the_first<B: Backend>(place: &Place<B>, chunks: u64) -> (JobRef, Claim) {
    let job = place.create(unlike(chunks * CHUNK)).await;
    let first = place.claim_some().await;
    while let Some(claim) = place.claim().await {
        let completed = place.store.complete(&claim.lease, &different(&claim)).await;
        completed.expect("the lease is held");
    }
    (job, first)
}

/// Forty chunks wait for the first, more than its completion seals.
pub(crate) async fn sealing_goes_on_behind_the_scenes<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let (job, first) = all_but_the_first(&place, 41).await;
    let completed = place.store.complete(&first.lease, &different(&first)).await;
    completed.expect("the lease is held");
    let done = place.job(&job).await.progress.done;
    assert!(done > 0 && done < 41 * CHUNK, "{done} were sealed at once");
    place.audit().await;
    place.crash().await;
    while place.store.collect().await.expect("sealed") {}
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    assert_eq!(place.outcomes(&job).await.len() as u64, 41 * CHUNK);
    place.audit().await;
}

pub(crate) async fn a_corrupt_unsealed_chunk_ends_its_job_alone<B: Backend>() {
    let place = Place::<B>::new().await;
    let (job, first) = all_but_the_first(&place, 3).await;
    place.backend.corrupt(Payload::Unsealed).await;
    let completed = place.store.complete(&first.lease, &different(&first)).await;
    completed.expect("the lease is held");
    let ended = place.job(&job).await;
    assert_eq!(
        (ended.state, ended.progress.done),
        (JobState::Failed, CHUNK)
    );
    assert_eq!(ended.error.expect("a reason").reason, "CORRUPT");
    while place.store.collect().await.expect("collected") {}
    assert_eq!(place.backend.forms_kept().await, (0, 0));
    place.audit().await;
}

/// However a job ends, nothing is left of what kept its puzzles from being alike.
pub(crate) async fn nothing_is_left_of_a_job_that_ends_early<B: Backend>() {
    let place = Place::<B>::new().await;
    let (deleted, _first) = all_but_the_first(&place, 3).await;
    place.store.delete(&deleted, true).await.expect("by force");
    let (cancelled, first) = all_but_the_first(&place, 3).await;
    place
        .store
        .cancel(&cancelled)
        .await
        .expect("a cancellation");
    let released = place.store.release(&first.lease).await;
    released.expect("the lease is held");
    let mut spec = unlike(3 * CHUNK);
    spec.deadline = Some(START.after(Duration::from_secs(10)));
    let expired = place.create(spec).await;
    let _first = place.claim_some().await;
    let second = place.claim_some().await;
    let completed = place
        .store
        .complete(&second.lease, &different(&second))
        .await;
    completed.expect("the lease is held");
    place.wait(Duration::from_secs(10));
    place.store.reap().await.expect("reaped");
    assert_eq!(place.state(&expired).await, JobState::Expired);
    assert!(place.backend.forms_kept().await.0 > 0);
    while place.store.collect().await.expect("collected") {}
    assert_eq!(place.backend.forms_kept().await, (0, 0));
    place.audit().await;
}

/// One chunk at a time, and whoever waits hears of a chunk that has to run again.
pub(crate) async fn a_chunk_that_has_to_run_again_is_announced<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut spec = unlike(2 * CHUNK);
    spec.max_parallelism = Some(1);
    let job = place.create(spec).await;
    let first = place.claim_some().await;
    assert!(place.claim().await.is_none());
    let completed = place.store.complete(&first.lease, &different(&first)).await;
    completed.expect("the lease is held");
    let second = place.claim_some().await;
    let mut alike = different(&second);
    alike.forms[2].form = Form(3);
    let mut work = place.store.signals().work();
    work.mark_unchanged();
    let completed = place.store.complete(&second.lease, &alike).await;
    completed.expect("the lease is held");
    soon("work to claim", work.changed())
        .await
        .expect("the store lives");
    // A pause keeps it, and so does its halving.
    place.store.pause(&job).await.expect("a pause");
    assert!(place.claim().await.is_none());
    place.store.resume(&job).await.expect("it goes on");
    for _ in 0..2 {
        place.wait(Duration::from_mins(1));
        let again = place.claim_some().await;
        assert_eq!(again.remakes, Remakes::from([(CHUNK + 2, 1)]));
        let failed = place.store.fail(&again.lease, "a panic".to_owned()).await;
        failed.expect("the lease is held");
    }
    place.wait(Duration::from_mins(1));
    let half = place.claim_some().await;
    assert_eq!(half.lease.span.len, CHUNK / 2);
    assert_eq!(half.remakes, Remakes::from([(CHUNK + 2, 1)]));
    let completed = place.store.complete(&half.lease, &different(&half)).await;
    completed.expect("the lease is held");
    let other = place.claim_some().await;
    assert_eq!(other.remakes, Remakes::new());
    let completed = place.store.complete(&other.lease, &different(&other)).await;
    completed.expect("the lease is held");
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn a_fault_is_sealed_like_any_other_item<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(unlike(CHUNK)).await;
    let bad = 5;
    while !place.state(&job).await.has_ended() {
        place.wait(Duration::from_mins(1));
        let Some(claim) = place.claim().await else {
            continue;
        };
        let ended = if claim.lease.span.range().contains(&bad) {
            place.store.fail(&claim.lease, "no luck".to_owned()).await
        } else {
            place.store.complete(&claim.lease, &different(&claim)).await
        };
        ended.expect("the lease is held");
        place.audit().await;
    }
    assert_eq!(place.state(&job).await, JobState::PartiallyFailed);
    let outcomes = place.outcomes(&job).await;
    for (index, outcome) in (0..).zip(outcomes) {
        let expected = if index == bad {
            Outcome::Fault
        } else {
            Outcome::Unique
        };
        assert_eq!(outcome, expected, "item {index}");
    }
}

/// Two solutions, over and over, with one cell empty: at most 162 different puzzles, from which no item
/// gets two by chance alone.
pub(crate) async fn the_pure_run_makes_no_two_alike<B: Backend>() {
    let count = 300;
    let mut spec = unlike(0);
    spec.count = None;
    let Work::MakePuzzle(make) = &mut spec.work else {
        unreachable!("puzzles are made")
    };
    *make = MakePuzzle {
        givens: Some((80, 80)),
        // Chunks of 64.
        givens_per_house: Some((0, 9)),
        from_solutions: true,
        step_limit: 1,
        ..*make
    };
    let grids = Uniform::new(1, None);
    let mut inputs = Inputs::default();
    for index in 0..count {
        let cells = *grids.grid(index % 2).cells();
        inputs.push(Some(&Puzzle::from_cells(cells).expect("digits")));
    }
    let mut runs: BTreeMap<bool, Results> = BTreeMap::new();
    for backwards in [false, true] {
        let place = Place::<B>::new().await;
        let job = place.create(spec.clone()).await;
        place.append(&job, 0, &inputs).await;
        place
            .store
            .commit(&job, count)
            .await
            .expect("all are there");
        let mut claims = Vec::new();
        while !place.state(&job).await.has_ended() {
            while let Some(claim) = place.claim().await {
                claims.push(claim);
            }
            let claim = if backwards {
                claims.pop().expect("a chunk that is to run")
            } else {
                claims.remove(0)
            };
            let completed = place.store.complete(&claim.lease, &pure(&claim)).await;
            completed.expect("the lease is held");
        }
        let progress = place.job(&job).await.progress;
        let alike = progress.rejections.get("distinct_up_to_symmetry");
        assert!(alike.is_some_and(|&alike| alike > 100), "{alike:?}");
        let mut pages = place.results(&job, 0).await.into_iter();
        let mut results = pages.next().expect("a page");
        pages.for_each(|page| results.append(&page));
        runs.insert(backwards, results);
    }
    assert_eq!(runs[&false], runs[&true]);
    let results = &runs[&false];
    let mut seen: Vec<_> = results.grids.chunks(BYTES).collect();
    seen.sort_unstable();
    seen.dedup();
    let tally = results.tally();
    // One more, all zeros, stands where none was found.
    assert_eq!(seen.len() as u64, tally.of(Outcome::Unique) + 1);
    let [found, not_found] = [Outcome::Unique, Outcome::NotFound].map(|of| tally.of(of));
    assert_eq!(found + not_found, count);
    assert!((150..=162).contains(&found), "{found}");
}
