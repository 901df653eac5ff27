//! New jobs: read back, listed, told apart, asked for twice, deleted.

use std::time::Duration;

use gridmill::jobs::clock::Timestamp;
use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::{JobId, JobRef, RequestId, Tenant};
use gridmill::jobs::job::{Job, JobState};
use gridmill::jobs::spec::Priority;
use gridmill::jobs::store::{JobFilter, JobStore, Submission};

use crate::backend::Backend;
use crate::place::{Place, START, assert_refused, generate, inputs, make, solve, submission};

const DAY: Duration = Duration::from_hours(24);

pub(crate) async fn a_job_reads_back_as_it_was_asked_for<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let mut spec = make(100);
    spec.priority = Priority::new(-100).expect("in range");
    spec.max_parallelism = Some(3);
    spec.not_before = Some(START.after(DAY));
    spec.deadline = Some(START.after(2 * DAY));
    spec.ttl = Duration::from_secs(90);
    for (key, value) in [("team", "red"), ("empty", ""), ("quote", "'\"%ü")] {
        spec.labels.insert(key.to_owned(), value.to_owned());
    }
    let asked = submission(&Tenant::default(), spec);
    let made = place.store.create(asked.clone()).await.expect("a job");
    assert_eq!(made.spec, asked.spec);
    assert_eq!((&made.id, &made.tenant), (&asked.id, &asked.tenant));
    assert_eq!((made.state, made.revision), (JobState::Queued, 1));
    assert_eq!((made.progress.total, made.create_time), (100, START));

    let job = reference(&asked);
    let mut read = place.job(&job).await;
    assert_eq!(read.progress.queue_position, 1);
    read.progress.queue_position = 0;
    assert_eq!(read, made);
    place.restart().await;
    let page = place.store.results(&job, 0, true).await.expect("a page");
    assert_eq!(page.job, made);
    assert!(page.results.is_none());
}

pub(crate) async fn zero_items_are_done_at_once<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(generate(0)).await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    assert!(place.claim().await.is_none());
    let page = place.store.results(&job, 0, false).await.expect("the end");
    assert!(page.results.is_none());
    assert_refused!(
        place.store.results(&job, 1, false).await,
        StoreError::PastEnd { start: 1, total: 0 }
    );
    place.audit().await;
}

pub(crate) async fn another_tenants_job_does_not_exist<B: Backend>() {
    let place = Place::<B>::new().await;
    let theirs = place.create(solve()).await;
    let other = Tenant::stored("other".to_owned());
    let job = &JobRef {
        tenant: other.clone(),
        id: theirs.id.clone(),
    };
    let store = &place.store;
    assert_refused!(store.job(job).await, StoreError::JobNotFound(id) if *id == theirs.id);
    assert_refused!(
        store.append(job, 0, inputs(0..1)).await,
        StoreError::JobNotFound(_)
    );
    assert_refused!(store.commit(job, 0).await, StoreError::JobNotFound(_));
    assert_refused!(store.cancel(job).await, StoreError::JobNotFound(_));
    assert_refused!(store.pause(job).await, StoreError::JobNotFound(_));
    assert_refused!(store.resume(job).await, StoreError::JobNotFound(_));
    assert_refused!(store.delete(job, true).await, StoreError::JobNotFound(_));
    assert_refused!(
        store.results(job, 0, false).await,
        StoreError::JobNotFound(_)
    );
    assert_refused!(store.failures(job, 0, 9).await, StoreError::JobNotFound(_));
    let list = store.jobs(&other, &JobFilter::default(), None, 9).await;
    assert!(list.expect("a list").is_empty());
    assert_eq!(place.state(&theirs).await, JobState::Uploading);
}

pub(crate) async fn lists_are_newest_first_in_pages<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut newest_first = Vec::new();
    for _ in 0..5 {
        newest_first.insert(0, place.create(make(1)).await.id);
    }
    let other = Tenant::stored("other".to_owned());
    place.create_as(&other, make(1)).await;

    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = place
            .store
            .jobs(&Tenant::default(), &JobFilter::default(), after, 2)
            .await
            .expect("a page");
        let Some((last, _)) = page.last() else { break };
        after = Some(*last);
        assert!(page.len() <= 2);
        assert!(listed.len() < 5, "pages go round in circles");
        listed.extend(page.into_iter().map(|(_, job)| job.id));
        // What comes meanwhile is newer and moves no page.
        place.create(make(1)).await;
    }
    assert_eq!(listed, newest_first);
}

pub(crate) async fn every_filter_must_hold<B: Backend>() {
    use JobState::{Cancelled, Queued, Succeeded};
    let place = Place::<B>::new().await;
    let mut made = Vec::new();
    for (team, stage) in [("red", "a"), ("red", "b"), ("blue", "a")] {
        let mut spec = make(1);
        spec.labels.insert("team".to_owned(), team.to_owned());
        spec.labels.insert("stage".to_owned(), stage.to_owned());
        made.push(place.create(spec).await);
        place.wait(Duration::from_secs(1));
    }
    place.store.cancel(&made[1]).await.expect("a cancellation");
    let at = |second| Some(START.after(Duration::from_secs(second)));
    let labels = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
        pairs.collect()
    };
    let filter = |states: &[JobState], pairs, after: Option<Timestamp>, before| JobFilter {
        states: states.to_vec(),
        labels: labels(pairs),
        created_after: after,
        created_before: before,
    };
    for (filter, wanted) in [
        (filter(&[], &[], None, None), vec![2, 1, 0]),
        (filter(&[Queued], &[], None, None), vec![2, 0]),
        (filter(&[Queued, Cancelled], &[], None, None), vec![2, 1, 0]),
        (filter(&[Succeeded], &[], None, None), vec![]),
        (filter(&[], &[("team", "red")], None, None), vec![1, 0]),
        (
            filter(&[], &[("team", "red"), ("stage", "a")], None, None),
            vec![0],
        ),
        (filter(&[], &[("team", "re")], None, None), vec![]),
        (filter(&[], &[("tea", "red")], None, None), vec![]),
        (filter(&[], &[], at(0), None), vec![2, 1]),
        (filter(&[], &[], None, at(1)), vec![0]),
        (filter(&[], &[], at(0), at(2)), vec![1]),
        (filter(&[Queued], &[("stage", "a")], at(0), None), vec![2]),
    ] {
        let list = place.store.jobs(&Tenant::default(), &filter, None, 9).await;
        let found: Vec<JobId> = list
            .expect("a list")
            .into_iter()
            .map(|(_, j)| j.id)
            .collect();
        let wanted: Vec<JobId> = wanted.iter().map(|&n: &usize| made[n].id.clone()).collect();
        assert_eq!(found, wanted, "{filter:?}");
    }
}

pub(crate) async fn a_request_sent_again_makes_no_second_job<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let request = with_request(1);
    let first = place.store.create(request.clone()).await.expect("a job");
    let claim = place.claim_some().await;
    place.complete(&claim).await;
    place.restart().await;
    // The server draws another id each time.
    let again = Submission {
        id: JobId::draw(),
        ..request
    };
    let replayed = place.store.create(again).await.expect("the job");
    assert_eq!(replayed.id, first.id);
    assert_eq!(replayed.state, JobState::Succeeded, "as it is now");
    assert_eq!(all(&place, &first.tenant).await.len(), 1);
    place.audit().await;
}

pub(crate) async fn a_request_id_is_bound_to_its_request<B: Backend>() {
    let place = Place::<B>::new().await;
    let request = with_request(1);
    place.store.create(request.clone()).await.expect("a job");
    let other = Submission {
        id: JobId::draw(),
        ..with_request(2)
    };
    assert_refused!(place.store.create(other).await, StoreError::RequestIdReused);
    let theirs = Submission {
        tenant: Tenant::stored("other".to_owned()),
        ..with_request(2)
    };
    place
        .store
        .create(theirs)
        .await
        .expect("each tenant has its own ids");
    assert_eq!(all(&place, &request.tenant).await.len(), 1);
}

pub(crate) async fn a_deleted_job_frees_its_name_but_not_its_request<B: Backend>() {
    let place = Place::<B>::new().await;
    let request = Submission {
        id: JobId::chosen("nightly").expect("a name"),
        ..with_request(1)
    };
    let job = reference(&request);
    place.store.create(request.clone()).await.expect("a job");
    place.store.delete(&job, true).await.expect("a deletion");
    assert_refused!(place.store.job(&job).await, StoreError::JobNotFound(_));
    assert!(all(&place, &request.tenant).await.is_empty());
    assert!(place.claim().await.is_none(), "nothing of it runs");

    // A late resend does not bring it back, whether or not its header is still there.
    let late = || place.store.create(request.clone());
    assert_refused!(late().await, StoreError::JobNotFound(_));
    while place.store.collect().await.expect("a slice") {}
    assert_refused!(late().await, StoreError::JobNotFound(_));

    let anew = Submission {
        request: None,
        ..request.clone()
    };
    let again = place.store.create(anew).await.expect("a new job");
    assert_eq!(again.state, JobState::Queued);
    assert_eq!(all(&place, &again.tenant).await.len(), 1);
    place.audit().await;
}

pub(crate) async fn a_request_is_remembered_a_day_or_for_its_jobs_life<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut request = with_request(1);
    request.spec.ttl = 2 * DAY;
    let other = Submission {
        id: JobId::draw(),
        ..with_request(2)
    };
    place.store.create(request.clone()).await.expect("a job");
    place.work_it_off().await;
    // Longer than a day, and its header is still there.
    place.wait(2 * DAY + 6 * DAY);
    while place.store.collect().await.expect("a slice") {}
    assert_refused!(
        place.store.create(other.clone()).await,
        StoreError::RequestIdReused
    );
    place.wait(2 * DAY);
    while place.store.collect().await.expect("a slice") {}
    place.store.create(other.clone()).await.expect("forgotten");

    // Less than a day, and its job is gone: still bound.
    place
        .store
        .delete(&reference(&other), true)
        .await
        .expect("a deletion");
    while place.store.collect().await.expect("a slice") {}
    let third = Submission {
        id: JobId::draw(),
        ..with_request(3)
    };
    assert_refused!(
        place.store.create(third.clone()).await,
        StoreError::RequestIdReused
    );
    place.wait(DAY);
    while place.store.collect().await.expect("a slice") {}
    place.store.create(third).await.expect("forgotten");
    place.audit().await;
}

pub(crate) async fn a_name_is_taken_once_a_tenant<B: Backend>() {
    let place = Place::<B>::new().await;
    let named = Submission {
        id: JobId::chosen("nightly").expect("a name"),
        ..submission(&Tenant::default(), make(1))
    };
    place.store.create(named.clone()).await.expect("a job");
    assert_refused!(
        place.store.create(named.clone()).await,
        StoreError::JobExists(id) if *id == named.id
    );
    let theirs = Submission {
        tenant: Tenant::stored("other".to_owned()),
        ..named
    };
    place
        .store
        .create(theirs)
        .await
        .expect("each tenant has its own names");
}

pub(crate) async fn a_live_job_is_deleted_only_by_force<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(1)).await;
    assert_refused!(
        place.store.delete(&job, false).await,
        StoreError::WrongState {
            state: JobState::Queued,
            ..
        }
    );
    place.store.cancel(&job).await.expect("a cancellation");
    place.store.delete(&job, false).await.expect("it has ended");
    assert_refused!(
        place.store.delete(&job, true).await,
        StoreError::JobNotFound(_)
    );
}

/// A job of one item that was asked for by request 1, with the digest of version `version`.
fn with_request(version: u8) -> Submission {
    let id = RequestId::parse("018f3e5c-0000-7000-8000-000000000001").expect("a UUID");
    Submission {
        request: Some((id, [version; 32])),
        ..submission(&Tenant::default(), make(1))
    }
}

fn reference(submission: &Submission) -> JobRef {
    JobRef {
        tenant: submission.tenant.clone(),
        id: submission.id.clone(),
    }
}

async fn all<B: Backend>(place: &Place<B>, tenant: &Tenant) -> Vec<Job> {
    let list = place
        .store
        .jobs(tenant, &JobFilter::default(), None, 99)
        .await;
    list.expect("a list")
        .into_iter()
        .map(|(_, job)| job)
        .collect()
}
