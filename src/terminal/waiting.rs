//! Waiting for slow work, with a sign of life.

use std::io;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::ui::Ui;

/// The answer of a future that seldom needs a runtime. If it is not ready at once, a runtime is built, and a
/// person sees that something goes on.
pub fn wait_for<Answer>(ui: &Ui, future: impl Future<Output = Answer>) -> io::Result<Answer> {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Ok(answer),
        Poll::Pending => {
            let runtime = runtime()?;
            let waiting = ui.waiting();
            let answer = runtime.block_on(future);
            waiting.finish_and_clear();
            Ok(answer)
        }
    }
}

/// An async runtime, for the commands that need one: one thread, since a command waits more than it works.
pub fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}
