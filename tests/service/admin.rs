//! AdminService, health and reflection.

use gridmill::rpc::pb;
use gridmill::sudoku::solve::Isa;
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1, v1alpha};

use crate::client::{Service, generate, refusal};

#[tokio::test]
async fn the_server_tells_its_limits() {
    let service = Service::start().await;
    let request = pb::GetServerInfoRequest {};
    let info = service
        .admin()
        .get_server_info(request)
        .await
        .expect("info")
        .into_inner();
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (info.engine.as_str(), info.store.as_str()),
        (Isa::current().name(), "sqlite")
    );
    assert_eq!((info.workers, info.max_message_bytes), (2, 4 << 20));
    assert_eq!(
        (info.max_interactive_grids, info.max_interactive_puzzles),
        (100_000, 1_000)
    );
    assert_eq!(info.max_job_items, 1_000_000_000_000);
    assert_eq!(info.max_ttl.expect("a limit").seconds, 30 * 24 * 3600);
    assert_eq!(info.generator_version, gridmill::sudoku::GENERATOR_VERSION);
    service.stop().await;
}

#[tokio::test]
async fn the_queue_is_seen_paused_and_resumed() {
    let service = Service::start().await;
    let queue = async || {
        let request = pb::GetQueueRequest {};
        service
            .admin()
            .get_queue(request)
            .await
            .expect("the queue")
            .into_inner()
    };
    assert!(!queue().await.paused);
    service.pause_queue().await;
    let jobs = [
        service.create(generate(5, 1)).await,
        service.create(generate(5, 1)).await,
    ];
    let seen = queue().await;
    assert!(seen.paused);
    assert_eq!((seen.queued_jobs, seen.running_chunks), (2, 0));
    assert!(seen.stored_bytes > 0 && seen.stored_bytes < seen.stored_bytes_limit);
    service.resume_queue().await;
    for job in jobs {
        service.ended(&job.name).await;
    }
    assert_eq!(queue().await.queued_jobs, 0);
    service.stop().await;
}

#[tokio::test]
async fn a_backup_is_written_while_jobs_run() {
    let service = Service::start().await;
    let job = service.create(generate(200_000, 1)).await;
    let backup = |file_name: &str| pb::CreateBackupRequest {
        file_name: file_name.to_owned(),
    };
    let written = service
        .admin()
        .create_backup(backup("one.db"))
        .await
        .expect("a backup");
    let written = written.into_inner();
    let bytes = std::fs::read(service.directory().join("one.db")).expect("the file");
    assert_eq!(bytes.len() as u64, written.bytes);
    assert_eq!(written.sha256.len(), 64);
    for (name, why) in [
        ("one.db", "exists"),
        ("../two.db", ""),
        ("", ""),
        (".two", ""),
    ] {
        let refused = refusal(service.admin().create_backup(backup(name)).await);
        let refused = refused
            .is(Code::InvalidArgument, "BAD_FIELD")
            .names("file_name");
        assert!(refused.message.contains(why), "{refused:?}");
    }
    service.ended(&job.name).await;
    service.stop().await;

    let service = Service::with(|settings| settings.rpc.backup_dir = None).await;
    let refused = refusal(service.admin().create_backup(backup("one.db")).await);
    let refused = refused
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("file_name");
    assert!(refused.message.contains("--backup-dir"), "{refused:?}");
    service.stop().await;
}

#[tokio::test]
async fn health_is_told_for_the_whole_and_for_each_service() {
    let service = Service::start().await;
    let mut health = HealthClient::new(service.channel());
    for name in [
        "",
        "gridmill.v1.SudokuService",
        "gridmill.v1.JobService",
        "gridmill.v1.AdminService",
    ] {
        let check = tonic_health::pb::HealthCheckRequest {
            service: name.to_owned(),
        };
        let health = health.check(check).await.expect("known").into_inner();
        assert_eq!(health.status(), ServingStatus::Serving, "{name}");
    }
    let unknown = tonic_health::pb::HealthCheckRequest {
        service: "other".to_owned(),
    };
    let status = health.check(unknown).await.expect_err("unknown");
    assert_eq!(status.code(), Code::NotFound);
    service.stop().await;
}

/// The names of the services that a version of reflection lists. The versions' types differ in their
/// paths alone.
macro_rules! services {
    ($service:expr, $version:ident) => {{
        use $version::server_reflection_client::ServerReflectionClient;
        use $version::server_reflection_request::MessageRequest;
        use $version::server_reflection_response::MessageResponse;
        let request = $version::ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        };
        let mut client = ServerReflectionClient::new($service.channel());
        let requests = tokio_stream::iter([request]);
        let stream = client.server_reflection_info(requests).await;
        let answer = stream.expect("served").into_inner().message().await;
        let answer = answer.expect("no error").and_then(|a| a.message_response);
        let Some(MessageResponse::ListServicesResponse(list)) = answer else {
            panic!("a list of services");
        };
        let names = list.service.into_iter().map(|service| service.name);
        names.collect::<Vec<_>>()
    }};
}

#[tokio::test]
async fn both_reflections_know_the_services() {
    let service = Service::start().await;
    let expected = [
        "gridmill.v1.AdminService",
        "gridmill.v1.JobService",
        "gridmill.v1.SudokuService",
        "grpc.health.v1.Health",
    ];
    let known = |names: Vec<String>| {
        for name in expected {
            assert!(
                names.iter().any(|known| known == name),
                "{name} in {names:?}"
            );
        }
    };
    known(services!(service, v1));
    known(services!(service, v1alpha));
    service.stop().await;
}

#[tokio::test]
async fn reflection_knows_the_messages_of_error_details() {
    use v1::server_reflection_request::MessageRequest;
    use v1::server_reflection_response::MessageResponse;
    let service = Service::start().await;
    let mut client = v1::server_reflection_client::ServerReflectionClient::new(service.channel());
    for symbol in [
        "google.rpc.ErrorInfo",
        "google.rpc.BadRequest",
        "google.rpc.RetryInfo",
    ] {
        let request = v1::ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::FileContainingSymbol(symbol.to_owned())),
        };
        let stream = client
            .server_reflection_info(tokio_stream::iter([request]))
            .await;
        let answer = stream.expect("served").into_inner().message().await;
        let answer = answer.expect("no error").and_then(|a| a.message_response);
        assert!(
            matches!(answer, Some(MessageResponse::FileDescriptorResponse(_))),
            "{symbol}: {answer:?}"
        );
    }
    service.stop().await;
}
