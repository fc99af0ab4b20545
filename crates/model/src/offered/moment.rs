//! Points in time as text.

use std::sync::LazyLock;

use regex::Regex;

/// A date with its month and day, a time, and an offset.
static MOMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let date = "(?<year>[0-9]{4})-(?<month>0[1-9]|1[0-2])-(?<day>0[1-9]|[12][0-9]|3[01])";
    let (hours, minutes) = ("(?:[01][0-9]|2[0-3])", "[0-5][0-9]");
    let time = format!(r"{hours}:{minutes}:{minutes}(?:\.[0-9]+)?");
    Regex::new(&format!("^{date}T{time}(?:Z|[+-]{hours}:{minutes})$")).ok()
});

/// Whether a text is a date and a time with its offset: `2025-01-12T15:00:58Z`.
pub(super) fn is_moment(text: &str) -> bool {
    let Some(groups) = MOMENT.as_ref().and_then(|moment| moment.captures(text)) else { return false };
    let number = |name: &str| groups[name].parse::<u32>().unwrap_or_default();
    let year = number("year");
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match number("month") {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    number("day") <= days
}

#[cfg(test)]
mod tests {
    use super::is_moment;

    #[test]
    fn a_moment_has_a_date_a_time_and_an_offset() {
        for text in ["2025-01-12T15:00:58Z", "2024-02-29T00:00:00.123456+05:30", "2025-12-31T23:59:59-00:00"]
        {
            assert!(is_moment(text), "{text}");
        }
        for text in [
            "",
            "T",
            "2025-01-12",
            "2025-01-12T15:00:58",
            "2025-02-29T15:00:58Z",
            "2025-13-01T15:00:58Z",
            "2025-01-12T24:00:58Z",
            "2025-01-12T15:00:58.Z",
            "2025-01-12T15:00:58+0530",
            "2025-01-12 15:00:58Z",
            "25-01-12T15:00:58Z",
            "2025-01-12T15:00:58é",
        ] {
            assert!(!is_moment(text), "{text}");
        }
    }
}
