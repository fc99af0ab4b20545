//! The records of a team: the keys under `records:`.

use crate::model::{Default, Field, PushWhen, TeamRecords, ValueKind, Values};

pub(super) const STORE: Field = Field {
    name: "store",
    kind: ValueKind::Text,
    default: Default::Required,
    about: "The place of the records: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or the absolute path of a \
            folder. Credentials come from the environment.",
};
const PUSH: Field = Field {
    name: "push",
    kind: ValueKind::Choice(PushWhen::WORDS),
    default: Default::Text("ci"),
    about: "The runs that are pushed: those on a build server (the variable `CI` is set), all, or none.",
};
const AGENTS: Field = Field {
    name: "agents",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Whether agents see the records of others.",
};

/// The keys of the entry.
pub(super) const KEYS: [&Field; 3] = [&STORE, &PUSH, &AGENTS];

/// The entry as problems and approvals name it, beside instances: none can have this name.
pub(super) const RECORDS_ENTRY: &str = "records.store";

/// The front of the address of a folder.
const FOLDER_SCHEME: &str = "file://";

/// The records of checked values.
///
/// # Errors
/// The problem of the address, and the next step.
pub(super) fn records(values: &Values) -> Result<TeamRecords, (String, &'static str)> {
    let store = values.text(&STORE);
    checked(store)?;
    let store = store.trim_end_matches('/');
    let push = PushWhen::of(values.text(&PUSH)).unwrap_or_default();
    let store = store.strip_prefix(FOLDER_SCHEME).unwrap_or(store).to_owned();
    Ok(TeamRecords { store, push, is_open_to_agents: values.flag(&AGENTS) })
}

fn checked(store: &str) -> Result<(), (String, &'static str)> {
    const KINDS: &str = "write `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix`, or the absolute path of a folder";
    if store.is_empty() {
        return Err(("`store` is empty".into(), KINDS));
    }
    if store.contains(|letter: char| letter.is_control() || letter == '$') {
        return Err(("`store` takes neither variables nor control characters".into(), KINDS));
    }
    if let Some(path) = store.strip_prefix(FOLDER_SCHEME).or(store.strip_prefix('/').map(|_| store)) {
        let is_plain = path.starts_with('/')
            && !path.trim_matches('/').is_empty()
            && !path.split('/').any(|part| part == "..");
        return if is_plain { Ok(()) } else { Err(("`store` is no absolute path".into(), KINDS)) };
    }
    let Some((scheme, rest)) = store.split_once("://") else {
        return Err(("`store` is neither an address nor an absolute path".into(), KINDS));
    };
    if !["s3", "gs", "az"].contains(&scheme) {
        return Err((
            format!("`store` has an address of another kind: `{}://`", crate::model::shown(scheme)),
            KINDS,
        ));
    }
    if rest.contains(['@', '?', '#']) {
        let help = "credentials come from the environment, web identity or metadata, and the endpoint from `AWS_ENDPOINT_URL`";
        return Err(("`store` has more than a bucket and a prefix".into(), help));
    }
    let bucket = rest.split('/').next().unwrap_or_default();
    let is_bucket = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if bucket.is_empty()
        || !bucket.chars().all(is_bucket)
        || rest.split('/').any(|part| [".", ".."].contains(&part))
    {
        return Err(("`store` names no bucket".into(), KINDS));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(keys: &Value) -> Result<TeamRecords, String> {
        let Value::Object(keys) = keys else { panic!("{keys}") };
        let (values, mistakes) = crate::model::check(&KEYS, keys);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        records(&values).map_err(|(message, _)| message)
    }

    #[test]
    fn a_store_is_a_bucket_or_a_folder() {
        for (store, expected) in [
            ("s3://bucket/some/prefix/", "s3://bucket/some/prefix"),
            ("gs://bucket", "gs://bucket"),
            ("az://container/x", "az://container/x"),
            ("/srv/records", "/srv/records"),
            ("file:///srv/records", "/srv/records"),
        ] {
            assert_eq!(read(&json!({"store": store})).unwrap().store, expected);
        }
        let all = read(&json!({"store": "/x", "push": "always", "agents": true})).unwrap();
        assert_eq!((all.push, all.is_open_to_agents), (PushWhen::Always, true));
        let usual = read(&json!({"store": "/x"})).unwrap();
        assert_eq!((usual.push, usual.is_open_to_agents), (PushWhen::Ci, false));
        assert_eq!([true, false].map(|is_ci| usual.push.pushes(is_ci)), [true, false]);
    }

    #[test]
    fn an_address_with_more_in_it_is_refused() {
        for (store, expected) in [
            ("", "`store` is empty"),
            ("records", "`store` is neither an address nor an absolute path"),
            ("file://records", "`store` is no absolute path"),
            ("/srv/../etc", "`store` is no absolute path"),
            ("/", "`store` is no absolute path"),
            ("http://bucket/x", "`store` has an address of another kind: `http://`"),
            ("s3://AKIA:secret@bucket/x", "`store` has more than a bucket and a prefix"),
            ("az://container/x?sig=secret", "`store` has more than a bucket and a prefix"),
            ("s3://", "`store` names no bucket"),
            ("s3:///prefix", "`store` names no bucket"),
            ("s3://bucket/../other", "`store` names no bucket"),
            ("s3://${BUCKET}/x", "`store` takes neither variables nor control characters"),
        ] {
            assert_eq!(read(&json!({"store": store})).unwrap_err(), expected, "{store}");
        }
    }
}
