//! A balancer in front of servers: each request goes to the next of them, on a connection of its own.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A balancer, for as long as the test goes on.
pub(crate) struct Balancer {
    pub(crate) address: String,
    /// How many requests each server got.
    shares: Arc<Vec<AtomicUsize>>,
}

impl Balancer {
    pub(crate) fn before(servers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let servers: Vec<String> = servers.iter().map(|server| (*server).to_owned()).collect();
        let shares: Arc<Vec<AtomicUsize>> = Arc::new(servers.iter().map(|_| AtomicUsize::new(0)).collect());
        let counted = Arc::clone(&shares);
        thread::spawn(move || {
            for (turn, client) in listener.incoming().enumerate() {
                let turn = turn % servers.len();
                counted[turn].fetch_add(1, Ordering::Relaxed);
                let server = servers[turn].clone();
                // The end of either connection ends both.
                thread::spawn(move || client.and_then(|client| pass(&client, &server)));
            }
        });
        Self { address, shares }
    }

    pub(crate) fn shares(&self) -> Vec<usize> {
        self.shares.iter().map(|share| share.load(Ordering::Relaxed)).collect()
    }
}

/// One request and its answer; the connection ends with it.
fn pass(client: &TcpStream, server: &str) -> io::Result<()> {
    let mut asked = BufReader::new(client);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if asked.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let lower = line.to_ascii_lowercase();
        if let Some(given) = lower.strip_prefix("content-length:") {
            length = given.trim().parse().map_err(io::Error::other)?;
        } else if line == "\r\n" {
            break;
        } else if !lower.starts_with("connection:") {
            head.push_str(&line);
        }
    }
    let mut body = vec![0; length];
    asked.read_exact(&mut body)?;
    let head = format!("{head}content-length: {length}\r\nconnection: close\r\n\r\n");
    let server = TcpStream::connect(server)?;
    (&server).write_all(head.as_bytes())?;
    (&server).write_all(&body)?;
    let (hung_up, watched) = (server.try_clone()?, client.try_clone()?);
    thread::spawn(move || {
        // Nothing more comes of a client that waits for its answer.
        let _ = io::copy(&mut (&watched), &mut io::sink());
        hung_up.shutdown(Shutdown::Both)
    });
    io::copy(&mut (&server), &mut (&*client))?;
    client.shutdown(Shutdown::Both)
}
