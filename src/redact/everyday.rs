//! Which values of a `.env` file everybody may see: hiding a database's name would hide every file that is called so.

use super::names::{lists, password_in_address, speaks_of_secrets, words};
use super::pieces::SHORTEST;

/// Whole names whose values are everyday words.
const NAMES: &[&str] = &["STAGE TZ LANG ENVIRONMENT"];
/// Last words of names that say where something is, or what it is called.
const ENDS: &[&str] = &[
    "NAME HOST HOSTNAME PORT DIR DIRECTORY PATH FILE REGION LEVEL MODE ENV DATABASE DB BUCKET VERSION LOCALE DOMAIN EMAIL",
];
/// Last words of names that have addresses.
const ADDRESSES: &[&str] = &["URL URI ORIGIN ENDPOINT"];
/// Hosts that are this machine.
const HERE: &[&str] = &["localhost", "127.0.0.1", "0.0.0.0", "[::1]"];
/// From how many letters and digits on that stand together, both among them, nobody would have thought of them.
const TOKEN: usize = 16;
/// The longest user of an address that is a name and not a token.
const USER: usize = 12;
/// The longest part of an address's path that is a word, and the longest that has digits: `v2`, `orders-12`.
const PART: usize = 20;
const NUMBERED: usize = 9;
/// The same of hexadecimal digits with dashes, as in a UUID.
const HEX: usize = 24;

/// What of a value must be hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Judged {
    /// Nothing.
    Everyday,
    /// The password within an address.
    Password(String),
    /// All of it.
    Secret,
}

/// Judges a variable of a `.env` file. What does not look everyday is secret.
pub(super) fn judge(name: &str, value: &str) -> Judged {
    if let Some((_, rest)) = value.split_once("://") {
        return address(name, value, rest);
    }
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    let is_everyday = lists(NAMES, &name.to_ascii_uppercase()) || lists(ENDS, last);
    // `TOKEN_FILE` says where a token lies, or is one.
    let is_told = !speaks_of_secrets(name) || value.starts_with(['/', '.', '~']) && !value.contains(':');
    if is_everyday && is_told && !is_compound(last, value) && !has_token(value) {
        Judged::Everyday
    } else {
        Judged::Secret
    }
}

/// Whether a value has several parts, one of which may be a secret: `Server=db;Password=x`, `me:secret@host`.
fn is_compound(last: &str, value: &str) -> bool {
    let has_user = value.contains('@') && (last != "EMAIL" || value.contains(':'));
    let has_port = |(_, port): (&str, &str)| port.chars().all(|c| c.is_ascii_digit());
    let is_list = last == "PATH" || value.split_once(':').is_none_or(has_port);
    value.contains([';', '=']) || has_user || !is_list
}

fn address(name: &str, value: &str, rest: &str) -> Judged {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, host) =
        authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let path = rest.get(authority.len()..).unwrap_or_default();
    let is_here = HERE
        .iter()
        .any(|here| host.strip_prefix(here).is_some_and(|port| port.is_empty() || port.starts_with(':')));
    let is_address = words(name).last().is_some_and(|word| lists(ADDRESSES, word));
    if rest.contains(['?', '#', ';', '='])
        || path.contains('@')
        || !path.split('/').all(is_word)
        || has_token(host)
    {
        return Judged::Secret;
    }
    if !is_here && (!is_address || speaks_of_secrets(name)) {
        return Judged::Secret;
    }
    match (user, password_in_address(value)) {
        (None, _) => Judged::Everyday,
        // A shorter one would not be looked for.
        (Some(user), Some(password)) if password.len() >= SHORTEST && user.len() - password.len() <= USER => {
            Judged::Password(password.to_owned())
        }
        (Some(_), _) => Judged::Secret,
    }
}

/// Whether a part of an address's path is one that somebody thought of.
fn is_word(part: &str) -> bool {
    let has_digits = part.contains(|c: char| c.is_ascii_digit());
    part.len() <= if has_digits { NUMBERED } else { PART }
        && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.~".contains(c))
}

/// Whether a value is the path of a file and nothing else: where a certificate lies is no secret.
pub(super) fn is_path(value: &str) -> bool {
    let is_name = |part: &str| {
        let has = |test: fn(&char) -> bool| part.chars().any(|c| test(&c));
        let is_plain = part.chars().all(|c| c.is_ascii_alphanumeric() || "-_. ".contains(c));
        is_plain && !(has(char::is_ascii_uppercase) && has(char::is_ascii_digit))
    };
    let parts = value.strip_prefix('/').filter(|rest| rest.contains('/'));
    parts.is_some_and(|parts| parts.split('/').all(is_name)) && !has_token(value)
}

/// Whether something in a text looks as if a machine had made it up.
fn has_token(text: &str) -> bool {
    let mixed = |run: &str| {
        run.len() >= TOKEN
            && run.contains(|c: char| c.is_ascii_digit())
            && run.contains(|c: char| c.is_ascii_alphabetic())
    };
    let hex = |run: &str| {
        run.len() >= HEX
            && run.contains(|c: char| c.is_ascii_digit())
            && run.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
    };
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(mixed)
        || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_what_a_machine_made_up() {
        for path in
            ["/etc/ssl/certs/ca-certificates.crt", "/Users/ada/My keys/gcp.json", "/home/me2/.ssh/id_ed25519"]
        {
            assert!(is_path(path), "{path}");
        }
        for secret in [
            "/hunter22",
            "/x8Kd9/LpQz+1/ab",
            "etc/ssl/x",
            "/run/a8f5f167f44f4964e6c998dee827110c",
            "/a/b=c",
            "/Q1w/e",
        ] {
            assert!(!is_path(secret), "{secret}");
        }
    }

    #[test]
    fn everyday_values_are_told_from_secrets() {
        for line in [
            "DATABASE_NAME=customers",
            "APP_URL=http://localhost:3000",
            "AUTH_URL=http://localhost:3000/login",
            "CALLBACK=http://127.0.0.1:8080/",
            "API_ENDPOINT=https://api.example.com/v2/orders",
            "NODE_ENV=production",
            "LOG_LEVEL=debugging",
            "UPLOAD_DIR=/var/lib/uploads/2026/production-eu-west-1",
            "AWS_REGION=eu-central-1",
            "dbName=customers_2",
            "TOKEN_FILE=/run/secrets/token",
            "APP_VERSION=12.4.0-beta.3+2026",
            "ADMIN_EMAIL=ada@example.com",
            "REDIS_HOST=redis.example:6379",
            "BIN_PATH=/usr/bin:/opt/bin",
        ] {
            let (name, value) = line.split_once('=').unwrap();
            assert_eq!(judge(name, value), Judged::Everyday, "{line}");
        }
        for line in [
            "ANYTHING=customers",
            "DATABASE_URL=postgres://me:hunter22/secret!@db.example/customers",
            "SPRING_DATASOURCE_URL=jdbc:sqlserver://db:1433;user=me;password=Hunter22!;",
            "SQL_DB=Server=db;User Id=me;Password=hunter",
            "AZURE_ENDPOINT=Endpoint=sb://x.example/;SharedAccessKey=hunter",
            "REDIS_HOST=me:hunter23hunter@redis:6379",
            "BACKUP_PATH=me:hunter@host:/x",
            "REPORTS_URL=https://hooks.example.com/services/T0/B0/letters",
            "BOT_URL=https://api.example.org/bot12345:AAEx-short_tok-en12/x",
            "FEED_URL=https://example.org/private-hunter22-feed/basic.ics",
            "CACHE_URL=redis://tokentokentoken:x-oauth-basic@h",
            "MYSQL_PASSWORD_FILE=hunter26hunter",
            "OTP_VERSION=hunterhunter",
            "DB_PASSWORD=customers",
            "API_KEY=customers",
            "DATABASE_NAME=a8f5f167f44f4964e6c998dee827110c",
            "APP_NAME=550e8400-e29b-41d4-a716-446655440000",
            "BUILD_PATH=x/sk_live_51H8xYZabcDEF9876q/y",
            "SLACK_WEBHOOK_URL=https://hooks.example.com/services/T0/B0",
            "HOOK_URL=https://hooks.example.com/services/T0/B0/abcDEF0123456789xyz",
            "SIGNED_URL=https://example.com/a?signature=x",
            "CALLBACK=https://example.com/",
            "TOKEN_URL=http://localhost:1/?code=x",
            "GIT_URL=https://token-of-mine@example.com/x",
            "DATABASE_URL=postgres://me:short@db/x",
            "DATABASE_URL=postgres://me:hunter22!@db/x?sslkey=1",
        ] {
            let (name, value) = line.split_once('=').unwrap();
            assert_eq!(judge(name, value), Judged::Secret, "{line}");
        }
        for value in ["postgres://me:hunter22!@db.example/customers", "redis://:hunter22!@localhost:6379"] {
            assert_eq!(judge("DATABASE_URL", value), Judged::Password("hunter22!".into()), "{value}");
        }
    }
}
