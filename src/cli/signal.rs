//! Ctrl-C and SIGTERM. Listening begins before there is anything to clean up; a signal that comes
//! while nobody waits for it is not lost.

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::exit::Result;

/// The signals that ask a command to end.
#[derive(Debug)]
pub(crate) struct Interrupt {
    interrupt: Signal,
    terminate: Signal,
}

impl Interrupt {
    /// From now on the signals end nothing by themselves.
    pub(crate) fn listen() -> Result<Self> {
        let listen = |kind| signal(kind).context("cannot listen for signals");
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// Waits for one of them and returns its number.
    pub(crate) async fn received(&mut self) -> u8 {
        tokio::select! {
            Some(()) = self.interrupt.recv() => 2,
            Some(()) = self.terminate.recv() => 15,
            else => std::future::pending().await,
        }
    }
}
