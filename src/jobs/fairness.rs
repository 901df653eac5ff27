//! Who is served next: fair queueing with virtual time, the same rule among tenants and among the jobs
//! of a tenant.
//!
//! Each contender carries the virtual time to which it has been served; the lowest goes first, the
//! newest among equals, so that a small job waits only for chunks that run already and for at most one
//! more. A claim adds one to the contender, and 1/n to the common virtual time when n contend: what an
//! ideal server would have given each. A newcomer begins at the common time. Whoever was away (paused, or without work) has at
//! most one claim of credit, so that nobody can save up turns and then shut others out; and a stream of
//! newcomers begins ever later, so that it cannot shut out an old job.
//!
//! Source: start-time fair queueing, P. Goyal, H. Vin, H. Cheng, SIGCOMM 1996; with the virtual time of
//! generalised processor sharing, A. Parekh and R. Gallager, 1993. Plain "fewest chunks first" was
//! rejected: a new large job would shut out an old one until it had caught up.

/// The most claims that somebody who was away may catch up on.
pub const CREDIT: f64 = 1.0;

/// Virtual time after a claim: of the contender, and of everyone.
#[must_use]
pub fn after_claim(served: f64, virtual_time: f64, contenders: u32) -> (f64, f64) {
    let start = served.max(virtual_time - CREDIT);
    let now = virtual_time.max(start) + 1.0 / f64::from(contenders.max(1));
    (start + 1.0, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Queue {
        time: f64,
        /// Virtual time and number of chunks left, oldest job first.
        jobs: Vec<(f64, u32)>,
    }

    impl Queue {
        fn claim(&mut self) -> usize {
            let live = self.jobs.iter().filter(|j| j.1 > 0).count();
            let floor = self.time - CREDIT;
            let next = (0..self.jobs.len())
                .rev()
                .filter(|&j| self.jobs[j].1 > 0)
                .min_by(|&a, &b| {
                    let (a, b) = (self.jobs[a].0.max(floor), self.jobs[b].0.max(floor));
                    a.total_cmp(&b)
                })
                .expect("some job has chunks left");
            let contenders = u32::try_from(live).expect("few jobs");
            let job = &mut self.jobs[next];
            (job.0, self.time) = after_claim(job.0, self.time, contenders);
            job.1 -= 1;
            next
        }

        fn arrive(&mut self, chunks: u32) {
            self.jobs.push((self.time, chunks));
        }
    }

    #[test]
    fn a_small_job_goes_ahead_of_a_large_one() {
        let mut queue = Queue {
            time: 0.0,
            jobs: vec![(0.0, 1000)],
        };
        for _ in 0..100 {
            queue.claim();
        }
        queue.arrive(1);
        assert_eq!(queue.claim(), 1);
    }

    #[test]
    fn two_large_jobs_alternate_whenever_they_came() {
        let mut queue = Queue {
            time: 0.0,
            jobs: vec![(0.0, 1000)],
        };
        for _ in 0..100 {
            queue.claim();
        }
        queue.arrive(1000);
        let to_new = (0..100).filter(|_| queue.claim() == 1).count();
        assert!((49..=51).contains(&to_new), "{to_new}");
    }

    #[test]
    fn a_stream_of_newcomers_does_not_starve_an_old_job() {
        let mut queue = Queue {
            time: 0.0,
            jobs: vec![(0.0, 1000)],
        };
        let mut to_old = 0;
        for _ in 0..100 {
            queue.arrive(1);
            to_old += u32::from(queue.claim() == 0);
        }
        // Each claim of the old job leaves one more newcomer waiting, so its fair share falls as
        // 1/2, 1/3, 1/4...: of n claims it gets about the square root of 2n.
        assert!((11..=15).contains(&to_old), "{to_old}");
    }

    #[test]
    fn a_job_that_was_away_cannot_shut_others_out() {
        let mut queue = Queue {
            time: 0.0,
            jobs: vec![(0.0, 0), (0.0, 1000)],
        };
        for _ in 0..100 {
            queue.claim();
        }
        queue.jobs[0].1 = 1000;
        let to_back = (0..20).filter(|_| queue.claim() == 0).count();
        assert!((9..=12).contains(&to_back), "{to_back}");
    }
}
