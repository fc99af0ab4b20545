//! Values as people write them in a settings file.

use serde_json::{Map, Value, json};

use crate::model::{Field, InputError, ValueKind, Values, check};

/// Checks the values of a settings file. A quoted number is a number there: the original settings format takes both.
pub(super) fn check_written(fields: &[&Field], mut given: Map<String, Value>) -> (Values, Vec<InputError>) {
    let is_number = |name: &str| {
        fields.iter().any(|field| field.name == name && matches!(field.kind, ValueKind::Integer(..)))
    };
    for (name, value) in &mut given {
        let text = value.as_str().filter(|_| is_number(name));
        if let Some(number) = text.and_then(|text| text.trim().parse::<u64>().ok()) {
            *value = json!(number);
        }
    }
    check(fields, &given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DEFAULT_TIMEOUT, EXPOSE_LIST_SCRIPTS};

    #[test]
    fn a_quoted_number_is_a_number_in_a_settings_file() {
        let checked = |given: Value| {
            check_written(&[&DEFAULT_TIMEOUT, &EXPOSE_LIST_SCRIPTS], given.as_object().unwrap().clone())
        };
        for given in [
            json!({"default_timeout": "7"}),
            json!({"default_timeout": " 7 "}),
            json!({"default_timeout": 7}),
        ] {
            let (values, mistakes) = checked(given);
            assert_eq!((values.integer(&DEFAULT_TIMEOUT), mistakes.len()), (7, 0));
        }
        for wrong in [
            json!({"default_timeout": "0"}),
            json!({"default_timeout": "x"}),
            json!({"expose_list_scripts": "7"}),
        ] {
            assert_eq!(checked(wrong.clone()).1.len(), 1, "{wrong}");
        }
    }
}
