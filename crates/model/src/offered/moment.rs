//! Points in time as text.

/// Whether a text is a date and a time with its offset: `2025-01-12T15:00:58Z`.
pub(super) fn is_moment(text: &str) -> bool {
    let Some((date, rest)) = text.split_once('T') else { return false };
    let (time, offset) = match rest.strip_suffix('Z') {
        Some(time) => (time, None),
        None => match rest.rfind(['+', '-']) {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => return false,
        },
    };
    let time = match time.split_once('.') {
        Some((time, fraction)) if number(fraction, 1..=fraction.len()).is_some() => time,
        Some(_) => return false,
        None => time,
    };
    is_date(date)
        && is_time(time.split(':').collect::<Vec<_>>().as_slice())
        && offset.is_none_or(|offset| matches!(offset.split_once(':'), Some((hours, minutes)) if is_time(&[hours, minutes, "00"])))
}

fn is_date(date: &str) -> bool {
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) =
        (number(year, 4..=4), number(month, 2..=2), number(day, 2..=2))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_time(parts: &[&str]) -> bool {
    let [hours, minutes, seconds] = parts else { return false };
    let below = |text: &str, end: u64| number(text, 2..=2).is_some_and(|number| number < end);
    below(hours, 24) && below(minutes, 60) && below(seconds, 60)
}

/// A number of so many digits.
fn number(text: &str, length: std::ops::RangeInclusive<usize>) -> Option<u64> {
    let is_number = length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    // A fraction may have more digits than a number.
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
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
