//! The process of an interpreter: two pipes, and what is given up before a program runs.

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use crate::sandbox::interpreter::{Parent, Received, run};
use crate::sandbox::{Isolation, StartLimits, framed, take};
use crate::sys::isolation::{Bounds, Layers, PipeLine, PipeRead, lock_down};

/// The longest message of the parent, in bytes: an answer of a tool. It has its own limit, which is lower.
const LONGEST_MESSAGE: usize = 1 << 30;

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// The stack of the process beyond the program's: enough to read a program with brackets as deep as they may
/// be.
const STACK: usize = 56 << 20;

/// The memory of the process beyond the program's: messages on their way in and out, in several forms.
const MEMORY: usize = 384 << 20;

/// Runs one program, which comes over standard input.
pub fn main() -> ExitCode {
    let chunk = RefCell::new(vec![0; CHUNK]);
    let pipe = ParentPipe { line: PipeLine::take(), chunk, arrived: RefCell::default() };
    let parent: Rc<dyn Parent> = Rc::new(pipe);
    run(&parent);
    ExitCode::SUCCESS
}

/// The parent at the other end of the pipes.
struct ParentPipe {
    line: PipeLine,
    /// Where each read puts its bytes.
    chunk: RefCell<Vec<u8>>,
    arrived: RefCell<Vec<u8>>,
}

impl Parent for ParentPipe {
    fn receive(&self, patience: Option<Duration>) -> Received {
        let until = patience.map(|patience| self.line.elapsed() + patience);
        let mut arrived = self.arrived.borrow_mut();
        loop {
            match take(&mut arrived, LONGEST_MESSAGE) {
                Ok(Some(message)) => return Received::Message(message),
                Ok(None) => {}
                Err(_) => return Received::Gone,
            }
            let left = until.map(|until| until.saturating_sub(self.line.elapsed()));
            let mut chunk = self.chunk.borrow_mut();
            match self.line.read(&mut chunk, left) {
                PipeRead::Bytes(length) => arrived.extend_from_slice(&chunk[..length]),
                PipeRead::Nothing => return Received::Nothing,
                PipeRead::End => return Received::Gone,
            }
        }
    }

    fn send(&self, message: &str) {
        if let Some(message) = framed(message) {
            self.line.write(&message);
        }
    }

    fn is_gone(&self) -> bool {
        self.line.is_gone()
    }

    fn elapsed(&self) -> Duration {
        self.line.elapsed()
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        self.line.fill_random(buffer);
    }

    fn lock_down(&self, limits: &StartLimits) -> Result<Isolation, String> {
        let bounds = Bounds {
            memory: (limits.memory + MEMORY) as u64,
            stack: (limits.stack + STACK) as u64,
            seconds: limits.time.as_secs() + 1,
        };
        let held = lock_down(bounds, Layers::ALL).map_err(|error| error.to_string())?;
        let Layers { system_calls, files, resources } = held;
        Ok(Isolation { system_calls, files, resources })
    }
}
