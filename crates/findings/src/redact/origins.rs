//! The places that secrets are known from: the environment, `.env` files and settings.

use super::dotenv::dotenv;
use super::names;
use super::public_values::{self, Judged};

/// Of variables of the environment, those that hold secrets: by their names, or a password within an address.
pub fn of_environment<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<(String, String)> {
    let secret = |(name, value): (&str, &str)| {
        let is_secret = names::looks_secret(name) && !public_values::is_path(value);
        let value = if is_secret { value } else { names::password_in_address(value)? };
        Some((name.to_owned(), value.to_owned()))
    };
    variables.filter_map(secret).collect()
}

/// The secret values of a `.env` file: all but everyday ones such as that of `NODE_ENV`. Of an address
/// without another secret, only the password.
pub fn of_dotenv(text: &str) -> Vec<(String, String)> {
    dotenv(text).into_iter().flat_map(|(name, value)| secret_of(name, value)).collect()
}

fn secret_of(name: String, value: String) -> Vec<(String, String)> {
    match public_values::judge(&name, &value) {
        Judged::Everyday => Vec::new(),
        Judged::Password(password) => vec![(name, password)],
        Judged::Secret => {
            let password =
                names::password_in_address(&value).map(|password| (name.clone(), password.to_owned()));
            std::iter::once((name, value)).chain(password).collect()
        }
    }
}

/// The same for variables whose values come from settings. Paths and variables of every login are no secrets.
pub fn of_settings<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<(String, String)> {
    const OF_LOGIN: [&str; 10] =
        ["HOME", "HOSTNAME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER"];
    let candidates =
        variables.filter(|(name, value)| !OF_LOGIN.contains(name) && !public_values::is_path(value));
    candidates.flat_map(|(name, value)| secret_of(name.to_owned(), value.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_settings_have_are_hidden_but_for_paths_and_what_a_login_sets() {
        let variables = [
            ("API_VALUE", "hush-hush-9000"),
            ("HOME", "/home/somebody"),
            ("TOOLS", "/opt/tools/bin"),
            ("USER", "somebody-else"),
            ("NODE_ENV", "production"),
        ];
        let hidden: Vec<String> =
            of_settings(variables.into_iter()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(hidden, ["API_VALUE"]);
    }
}
