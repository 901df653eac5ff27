//! What the log says about jobs: each beginning and each end once.

use std::io;
use std::sync::{Arc, Mutex};

use gridmill::rpc::pb;
use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

use crate::client::{Service, generate};

/// A log in memory.
#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn count(&self, words: &str) -> usize {
        let text = self.0.lock().expect("no panic");
        String::from_utf8_lossy(&text).matches(words).count()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_job_is_logged_as_created_and_as_cancelled_once() {
    // Beside a second dispatcher each is asked about an event that a thread meets for the first time.
    // The only one is not asked by the threads of other tests, and the event would stay off.
    let _silent = Dispatch::new(NoSubscriber::default());
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    // The server's tasks run on this thread.
    let _guard = tracing::subscriber::set_default(subscriber);
    let service = Service::start().await;
    service.pause_queue().await;
    let request = pb::CreateJobRequest {
        request_id: "6f1c1f9e-5d6b-4b5e-9c55-0b8f6a3f2c11".to_owned(),
        ..generate(1, 1)
    };
    let job = service.create(request.clone()).await;
    assert_eq!(log.count("job created"), 1);
    assert_eq!(service.create(request).await.name, job.name);
    assert_eq!(log.count("job created"), 1, "a replay creates nothing");
    for _ in 0..2 {
        let cancel = pb::CancelJobRequest {
            name: job.name.clone(),
        };
        service.jobs().cancel_job(cancel).await.expect("cancelled");
        assert_eq!(log.count("job cancelled"), 1);
    }
    service.stop().await;
}
