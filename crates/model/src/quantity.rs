//! Amounts as people read them.

/// So many of something: `1 run`, `2 runs`.
pub fn counted(count: u64, noun: &str) -> String {
    let ending = match noun {
        _ if count == 1 => "",
        noun if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

/// The first of many names, and how many more there are.
pub fn listed<Name: AsRef<str>>(names: &[Name], most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = match names.len() - first.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", first.join(", "))
}

/// How much room something takes: `812 bytes`, `52.8 KiB`, `3.1 MiB`.
pub fn size(bytes: u64) -> String {
    let Some((unit, name)) =
        [(30, "GiB"), (20, "MiB"), (10, "KiB")].into_iter().find(|(unit, _)| bytes >> unit > 0)
    else {
        return counted(bytes, "byte");
    };
    // The tenth is rounded down: 1023.9 KiB is not yet a MiB.
    let (whole, rest) = (bytes >> unit, bytes & ((1 << unit) - 1));
    format!("{whole}.{} {name}", (rest * 10) >> unit)
}

/// `script` as a sentence begins with it.
pub fn capitalised(noun: &str) -> String {
    let mut letters = noun.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_units_fit_what_they_measure() {
        assert_eq!(
            [counted(1, "process"), counted(2, "process"), counted(0, "run")],
            ["1 process", "2 processes", "0 runs"]
        );
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (54_067, "52.7 KiB"),
            ((1 << 20) - 1, "1023.9 KiB"),
            (3 << 20, "3.0 MiB"),
            (u64::MAX, "17179869183.9 GiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
