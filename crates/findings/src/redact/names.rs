//! Which variables hold secrets, by their names; and secrets within values that are none.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of a name that make its value a secret. Each word of each variable is looked up here.
static SECRET: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let first = "SECRET SECRETS TOKEN TOKENS PASSWORD PASSWORDS PASSWD PASSPHRASE PASS PW PWD CREDENTIAL CREDENTIALS CREDS";
    let second = "AUTH APIKEY KEY KEYS PAT BEARER JWT COOKIE COOKIES SESSION DSN SALT PEPPER OTP PIN WEBHOOK SIGNATURE";
    [first, second, "LICENSE CERT PEM"].into_iter().flat_map(|line| line.split(' ')).collect()
});

/// Ends of words that make them such a word, written together as in `PGPASSWORD` and `AUTHTOKEN`.
const TOGETHER: [&str; 7] = ["PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN", "APIKEY", "CREDENTIALS"];

/// Words that make a name harmless all the same: its value is a place or a name.
const HARMLESS: &[&str] = &[
    "PATH FILE DIR DIRECTORY FOLDER HOME SOCK SOCKET PID NAME USER USERNAME HOST PORT ID TYPE KIND MODE LEVEL VERSION",
    "COUNT SIZE LENGTH LIMIT TTL TIMEOUT URL URI ENDPOINT ENABLED DISABLED METHOD PROVIDER REGION ALGORITHM FORMAT HELPER",
];

/// Whole names that say something else than their words.
const KNOWN: &[&str] =
    &["PWD OLDPWD SSH_AUTH_SOCK XAUTHORITY DESKTOP_SESSION XDG_SESSION_CLASS GDMSESSION GPG_KEY"];

pub(super) fn lists(list: &[&str], word: &str) -> bool {
    list.iter().flat_map(|line| line.split(' ')).any(|listed| listed == word)
}

/// Whether a variable of this name holds a secret: `GITHUB_TOKEN`, `dbPassword`, `STRIPE_KEY`; not `SSH_AUTH_SOCK`.
pub(super) fn looks_secret(name: &str) -> bool {
    let words = words(name);
    // Few names pass the first test.
    speak_of_secrets(&words)
        && !words.last().is_some_and(|word| lists(HARMLESS, word))
        && !lists(KNOWN, &name.to_ascii_uppercase())
}

/// Whether a word of the name is one of secrets, wherever it stands: `SLACK_WEBHOOK_URL`.
pub(super) fn speaks_of_secrets(name: &str) -> bool {
    speak_of_secrets(&words(name))
}

fn speak_of_secrets(words: &[String]) -> bool {
    let together = |word: &str| TOGETHER.iter().any(|end| word.ends_with(end));
    words.iter().any(|word| SECRET.contains(&**word) || together(word))
}

/// The words of a name, in upper case: parted by `_`, `-`, `.` and by humps.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let parts =
            !letter.is_ascii_alphanumeric() || before.is_ascii_lowercase() && letter.is_ascii_uppercase();
        if parts {
            words.push(String::new());
        }
        if letter.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(letter.to_ascii_uppercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The password in a value that is an address: `postgres://user:password@host/db`.
pub(super) fn password_in_address(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (user, _) = authority.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_secrets() {
        for name in [
            "GITHUB_TOKEN NPM_TOKEN AWS_SECRET_ACCESS_KEY DB_PASSWORD PGPASSWORD GHTOKEN clientsecret REDISCLI_AUTH api_key apiKey STRIPE_KEY",
            "SENTRY_AUTH_TOKEN dbPassword SLACK_WEBHOOK SECRET JWT_SECRET GH_PAT npm_config__auth SESSION_COOKIE DATABASE_DSN",
        ]
        .into_iter()
        .flat_map(|line| line.split(' '))
        {
            assert!(looks_secret(name), "{name}");
        }
        for name in [
            "PATH HOME PWD SSH_AUTH_SOCK XAUTHORITY TOKEN_FILE AWS_ACCESS_KEY_ID KEYBOARD AUTHOR MONKEY NODE_ENV PASSENGER",
            "SECRET_NAME CREDENTIAL_HELPER COMPASS KEY_PATH AUTH_URL SESSION_MANAGER_ID TOKENIZER XDG_SESSION_CLASS",
        ]
        .into_iter()
        .flat_map(|line| line.split(' '))
        {
            assert!(!looks_secret(name), "{name}");
        }
    }

    #[test]
    fn addresses_may_hold_passwords() {
        for (value, expected) in [
            ("postgres://me:hunter22!@db.example/x", Some("hunter22!")),
            ("https://token-of-mine@host", None),
            ("https://host/a:b@c", None),
            ("redis://:p@ss:word@host:6379", Some("p@ss:word")),
            ("plain", None),
        ] {
            assert_eq!(password_in_address(value), expected, "{value}");
        }
    }
}
