//! A client that survives its server: every call is tried again until it is answered.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use gridmill::rpc::pb;
use gridmill::rpc::pb::admin_service_client::AdminServiceClient;
use gridmill::rpc::pb::job_service_client::JobServiceClient;
use tokio::sync::watch;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

#[derive(Clone)]
pub(crate) struct Client {
    address: watch::Receiver<SocketAddr>,
}

impl Client {
    pub(crate) fn new(address: watch::Receiver<SocketAddr>) -> Self {
        Self { address }
    }

    pub(crate) async fn server_info(&self) {
        self.retry(async |channel| {
            AdminServiceClient::new(channel)
                .get_server_info(pb::GetServerInfoRequest {})
                .await
        })
        .await
        .expect("the server answers");
    }

    /// Calls until the server answers. What it says then is returned, unless it is that it cannot say.
    pub(crate) async fn retry<T, F>(&self, mut call: impl FnMut(Channel) -> F) -> Result<T, Status>
    where
        F: Future<Output = Result<tonic::Response<T>, Status>>,
    {
        for _ in 0..10_000 {
            match self.connect().await {
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
                Ok(channel) => match call(channel).await {
                    Ok(answer) => return Ok(answer.into_inner()),
                    Err(status) if died(&status) => {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                    Err(status) => return Err(status),
                },
            }
        }
        panic!("the server does not come back");
    }

    pub(crate) async fn jobs(&self) -> Option<JobServiceClient<Channel>> {
        self.connect().await.ok().map(JobServiceClient::new)
    }

    async fn connect(&self) -> Result<Channel, tonic::transport::Error> {
        let address = *self.address.borrow();
        Endpoint::from_shared(format!("http://{address}"))
            .expect("an address is a URI")
            .connect()
            .await
    }
}

/// Whether the call fell with the process: a broken connection has many names.
pub(crate) fn died(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Unavailable | Code::Unknown | Code::Cancelled
    ) || (status.code() == Code::Internal && status.details().is_empty())
}
