//! The transport over a program's standard streams: one message a line.

use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use super::peer::{Outgoing, Peer};
use super::tail::Tail;
use crate::model::read_message;

/// The longest line that is read, in bytes.
pub(super) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Writes messages to the server until it takes no more.
pub(super) async fn write(
    mut stdin: Box<dyn AsyncWrite + Send + Unpin>,
    mut messages: mpsc::Receiver<Outgoing>,
) {
    while let Some(Outgoing { raw, .. }) = messages.recv().await {
        let mut line = raw.to_string();
        line.push('\n');
        if stdin.write_all(line.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Reads messages of the server until its standard output ends. Returns the reason where that is not the whole of it.
pub(super) async fn read(
    stdout: Box<dyn AsyncRead + Send + Unpin>,
    peer: Arc<Peer>,
    tail: Arc<Tail>,
) -> Option<String> {
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut stdout).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line).await {
            Ok(0) => return None,
            Ok(count) if count > LONGEST_LINE => {
                return Some(format!("it sent a message of more than {} MiB", LONGEST_LINE / 1024 / 1024));
            }
            Ok(_) => {}
            Err(error) => return Some(format!("its output cannot be read: {error}")),
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let is_message = match read_message(text) {
            Ok(Value::Array(batch)) => {
                // Batches were in the protocol of 2025-03-26 alone.
                let count = batch.len();
                batch.into_iter().filter(|raw| peer.receive(raw.clone(), None)).count() == count
            }
            Ok(raw) => peer.receive(raw, None),
            Err(unreadable) => peer.refuse(unreadable, None),
        };
        if !is_message {
            tail.noise(text);
        }
        if line.capacity() > 1024 * 1024 {
            line = Vec::new();
        }
    }
}

/// Keeps the last of what the server prints on standard error.
pub(super) async fn keep(mut stderr: Box<dyn AsyncRead + Send + Unpin>, tail: Arc<Tail>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        tail.push(&bytes[..count]);
    }
}
