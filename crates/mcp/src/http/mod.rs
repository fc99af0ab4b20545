//! HTTP for any face: listeners, tokens, Host and Origin rules, bodies and their limits. It knows no path of any face.

mod access;
mod answer;
mod ask;
mod body;
mod client;
mod connection;
mod connection_limit;
mod cors;
mod front;
mod guarded_body;
mod listener;
mod metrics_page;
mod routes;
mod server;
mod token;
mod token_source;
mod traffic;

pub use access::{AccessRules, BadHost, BadOrigin, RefusedRequest};
pub use answer::{HttpAnswer, JSON, say, with};
pub use ask::{HttpQuestion, ask};
pub use body::{Bodies, LARGEST_BODY, UnreadBody};
pub use client::HttpClient;
pub use cors::preflight;
pub use guarded_body::holding;
pub use listener::HttpListener;
pub use metrics_page::{MetricsPage, Times};
pub use routes::{Routes, Visit};
pub use server::{MOST_CONNECTIONS, Opening, serve};
pub use token::{BadToken, BearerToken};
pub use token_source::{GivenToken, TokenError, TokenFile};
pub use traffic::Traffic;
