//! How much a store takes.

use std::time::Duration;

use crate::jobs::error::StoreError;
use crate::jobs::store::StoreResult;

/// When a refused client may try again.
const RETRY: Duration = Duration::from_secs(30);

/// What a store takes before it refuses new work. Cancelling, deleting and finishing always go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// Jobs of one tenant that have not ended.
    pub live_jobs: u64,
    /// Payload bytes of one tenant.
    pub tenant_bytes: u64,
    /// Bytes of the whole store on disk. New work is refused from 85 % on, and no chunk is claimed
    /// where there would be no room for its results.
    pub disk_bytes: u64,
}

impl StoreLimits {
    /// Admits one more live job beside `live`.
    pub(super) fn admit_job(&self, live: u64) -> StoreResult<()> {
        if live < self.live_jobs {
            return Ok(());
        }
        Err(StoreError::TenantQuota {
            what: format!("at most {} live jobs", self.live_jobs),
            retry: RETRY,
        })
    }

    /// Admits `more` payload bytes beside a tenant's `stored`.
    pub(super) fn admit_payload(&self, stored: u64, more: u64) -> StoreResult<()> {
        if stored.saturating_add(more) <= self.tenant_bytes {
            return Ok(());
        }
        Err(StoreError::TenantQuota {
            what: format!("at most {} stored bytes, {stored} are", self.tenant_bytes),
            retry: RETRY,
        })
    }

    /// Admits new work that takes `more` bytes at once beside the `used` ones, where there is room for
    /// `capacity` in all.
    pub(super) fn admit_work(&self, used: u64, capacity: u64, more: u64) -> StoreResult<()> {
        let limit = self.disk_bytes.min(capacity) / 100 * 85;
        if used.saturating_add(more) <= limit {
            return Ok(());
        }
        Err(StoreError::Full(format!(
            "{used} bytes are used, and new work is refused from {limit} on"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: StoreLimits = StoreLimits {
        live_jobs: 2,
        tenant_bytes: 1000,
        disk_bytes: 1000,
    };

    #[test]
    fn each_limit_is_met_exactly() {
        assert!(LIMITS.admit_job(1).is_ok());
        assert!(LIMITS.admit_job(2).is_err());
        assert!(LIMITS.admit_payload(900, 100).is_ok());
        assert!(LIMITS.admit_payload(900, 101).is_err());
        assert!(LIMITS.admit_work(850, u64::MAX, 0).is_ok());
        assert!(LIMITS.admit_work(850, u64::MAX, 1).is_err());
        assert!(LIMITS.admit_work(340, 400, 0).is_ok());
        assert!(LIMITS.admit_work(340, 400, 1).is_err());
    }
}
