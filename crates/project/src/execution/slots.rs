//! How many runs go on at once.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::model::Lazy;

/// A limit on concurrent runs on this machine, and one on runners; further ones queue in the order they came. Clones share it.
#[derive(Debug, Clone)]
pub struct Slots {
    here: Lazy<Semaphore>,
    on_runners: Arc<Semaphore>,
}

/// One run's place; the next in the queue gets it when it is dropped.
#[derive(Debug)]
pub(super) struct Slot<'a>(#[expect(dead_code, reason = "held, not read")] Option<SemaphorePermit<'a>>);

/// Runs per core by default: tools wait for the disk and the network more than they compute.
const PER_CORE: usize = 4;
/// Runs on runners: each is a client and its supervisor here, which wait.
const ON_RUNNERS: usize = 1024;

impl Default for Slots {
    fn default() -> Self {
        // The number of cores is asked for when somebody wants to run something.
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Self::of(Lazy::new(move || Semaphore::new(PER_CORE * cores())))
    }
}

impl Slots {
    /// So many at once, but at least one.
    pub fn new(limit: usize) -> Self {
        Self::of(Semaphore::new(limit.clamp(1, Semaphore::MAX_PERMITS)).into())
    }

    fn of(here: Lazy<Semaphore>) -> Self {
        Self { here, on_runners: Arc::new(Semaphore::new(ON_RUNNERS)) }
    }

    /// How many more could start now.
    pub fn free(&self) -> usize {
        self.here.available_permits()
    }

    /// Waits for a place: that of a run on this machine, or of one on a runner.
    pub(super) async fn take(&self, is_on_runner: bool) -> Slot<'_> {
        let slots: &Semaphore = if is_on_runner { &self.on_runners } else { &self.here };
        // Only a closed semaphore refuses, and nothing closes this one.
        Slot(slots.acquire().await.ok())
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn slots_are_given_in_order_of_arrival() {
        let slots = Slots::new(2);
        let mut context = Context::from_waker(Waker::noop());
        let (first, second) =
            (pin!(slots.take(false)).poll(&mut context), pin!(slots.take(false)).poll(&mut context));
        assert!(first.is_ready() && second.is_ready());
        assert_eq!(slots.free(), 0);
        let (mut third, mut fourth) = (pin!(slots.take(false)), pin!(slots.take(false)));
        assert!(third.as_mut().poll(&mut context).is_pending());
        assert!(fourth.as_mut().poll(&mut context).is_pending());
        drop(first);
        assert!(fourth.as_mut().poll(&mut context).is_pending());
        let Poll::Ready(_third) = third.poll(&mut context) else { panic!("the third has waited longest") };
        assert!(fourth.as_mut().poll(&mut context).is_pending());
        drop(second);
        assert!(fourth.poll(&mut context).is_ready());
    }

    #[test]
    fn runs_on_runners_need_no_slot_of_this_machine() {
        let slots = Slots::new(1);
        let mut context = Context::from_waker(Waker::noop());
        let _here = pin!(slots.take(false)).poll(&mut context);
        let there: Vec<_> = (0..ON_RUNNERS).map(|_| pin!(slots.take(true)).poll(&mut context)).collect();
        assert!(there.iter().all(Poll::is_ready));
        assert!(pin!(slots.take(true)).poll(&mut context).is_pending());
    }

    #[test]
    fn no_limit_is_too_small_or_too_large() {
        assert_eq!(Slots::new(0).free(), 1);
        assert_eq!(Slots::new(usize::MAX).free(), Semaphore::MAX_PERMITS);
        assert!(Slots::default().free() >= PER_CORE);
    }
}
