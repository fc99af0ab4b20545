// Numbers, dates and texts as English (`en-US`) writes and sorts them. All else is refused by name: a value that looks right
// and is not would be worse.
(function () {
  "use strict";
  const only = (what, instead) => new RangeError(`${what} is not available: programs have the locale en-US alone, and ${instead}`);
  const BY_HAND = "the time zone UTC; write it by hand, with `toFixed`, `toISOString` and `padStart`";

  // The locale that is asked for must be English, or none.
  function english(name, locales) {
    for (const locale of locales === undefined ? [] : [locales].flat()) {
      if (!/^(en|en-us|und)$/i.test(String(locale))) throw only(`\`${name}\` with the locale \`${locale}\``, BY_HAND);
    }
  }

  // The options, all of which must be known.
  function options(name, given, known) {
    if (given === undefined) return {};
    if (given === null) throw new TypeError("cannot convert null to an object");
    for (const key of Object.keys(Object(given))) {
      if (given[key] === undefined) continue;
      const values = known[key];
      if (values === undefined) throw only(`\`${name}\` with the option \`${key}\``, BY_HAND);
      if (typeof values === "function" ? !values(given[key]) : !values.includes(given[key])) {
        throw only(`\`${name}\` with \`${key}: ${typeof given[key] === "string" ? `"${given[key]}"` : String(given[key])}\``, BY_HAND);
      }
    }
    return given;
  }

  // ---- Numbers ---------------------------------------------------------------------------------------------------

  const SIGNS = { USD: "$", EUR: "€", GBP: "£", INR: "₹", CNY: "CN¥", CAD: "CA$", AUD: "A$", MXN: "MX$", BRL: "R$", NZD: "NZ$", ILS: "₪", JPY: "¥", KRW: "₩" };
  const WHOLE = ["JPY", "KRW"];
  const digits = (value) => Number.isInteger(value) && value >= 0 && value <= 20;
  const OF_NUMBERS = {
    style: ["decimal", "percent", "currency"],
    currency: Object.keys(SIGNS),
    currencyDisplay: ["symbol"],
    minimumIntegerDigits: (value) => digits(value) && value > 0,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: [true, false],
    notation: ["standard"],
    signDisplay: ["auto"],
  };

  // The shortest digits that are this number, and where its point is.
  function decimal(value) {
    if (typeof value === "bigint") return { all: String(value), point: String(value).length };
    const [mantissa, exponent] = value.toExponential().split("e");
    return { all: mantissa.replace(".", ""), point: Number(exponent) + 1 };
  }

  // Rounded to so many digits behind the point, half away from zero.
  function rounded({ all, point }, least, most) {
    let keep = point + most, text = all;
    if (keep < 0) {
      keep = 0;
      text = "0";
    }
    if (keep < text.length) {
      const up = text[keep] >= "5";
      text = text.slice(0, keep);
      if (up) {
        const raised = String(BigInt("1" + text) + 1n);
        text = raised[0] === "2" ? ((point += 1), "1" + raised.slice(1)) : raised.slice(1);
      }
    }
    const whole = point > 0 ? text.slice(0, point).padEnd(point, "0") : "0";
    const part = (point > 0 ? text.slice(point) : "0".repeat(-point) + text).replace(/0+$/, "").slice(0, most);
    return [whole, part.padEnd(least, "0")];
  }

  function number(name, value, locales, given) {
    english(name, locales);
    const { style = "decimal", currency, useGrouping = true, minimumIntegerDigits = 1, ...rest } = options(name, given, OF_NUMBERS);
    if (style === "currency" && currency === undefined) throw new TypeError("Currency code is required with currency style.");
    const usual = style === "currency" ? (WHOLE.includes(currency) ? [0, 0] : [2, 2]) : style === "percent" ? [0, 0] : [0, 3];
    const least = rest.minimumFractionDigits ?? Math.min(usual[0], rest.maximumFractionDigits ?? usual[0]);
    const most = rest.maximumFractionDigits ?? Math.max(usual[1], least);
    if (least > most) throw new RangeError("maximumFractionDigits value is out of range.");
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    const money = style === "currency" ? SIGNS[currency] : "";
    const percent = style === "percent" ? "%" : "";
    if (value !== value) return `${money}NaN${percent}`;
    if (value === Infinity || value === -Infinity) return `${sign}${money}∞${percent}`;
    const size = decimal(typeof value === "bigint" ? (value < 0n ? -value : value) : Math.abs(value));
    if (percent) size.point += 2;
    let [whole, part] = rounded(size, least, most);
    whole = whole.replace(/^0+(?=\d)/, "").padStart(minimumIntegerDigits, "0");
    if (useGrouping) whole = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return `${sign}${money}${whole}${part && "."}${part}${percent}`;
  }

  // ---- Dates -----------------------------------------------------------------------------------------------------

  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const NUMERIC = ["numeric", "2-digit"];
  const OF_DATES = {
    timeZone: ["UTC", "Etc/UTC", "GMT"],
    dateStyle: ["full", "long", "medium", "short"],
    timeStyle: ["medium", "short"],
    weekday: ["long", "short"],
    year: NUMERIC,
    month: ["numeric", "2-digit", "long", "short"],
    day: NUMERIC,
    hour: NUMERIC,
    minute: NUMERIC,
    second: NUMERIC,
    hour12: [true],
  };
  const OF_DATE = ["weekday", "year", "month", "day"], OF_TIME = ["hour", "minute", "second"];
  const STYLES = {
    full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
    long: { year: "numeric", month: "long", day: "numeric" },
    medium: { year: "numeric", month: "short", day: "numeric" },
    short: { year: "2-digit", month: "numeric", day: "numeric" },
  };

  function date(name, value, [locales, given], usual) {
    english(name, locales);
    const asked = options(name, given, OF_DATES);
    const styled = asked.dateStyle !== undefined || asked.timeStyle !== undefined;
    const has = (keys) => keys.some((key) => asked[key] !== undefined);
    if (styled && (has(OF_DATE) || has(OF_TIME))) throw new TypeError("a style and a part of a date cannot both be given");
    if (asked.dateStyle !== undefined && usual === "time" || asked.timeStyle !== undefined && usual === "date") {
      throw new TypeError(`\`${name}\` has no such style`);
    }
    if (Number.isNaN(value.getTime())) return "Invalid Date";
    if (styled) {
      const parts = [];
      if (asked.dateStyle) parts.push(day(value, STYLES[asked.dateStyle]));
      if (asked.timeStyle) parts.push(time(value, { hour: "numeric", minute: "2-digit", second: asked.timeStyle === "medium" ? "2-digit" : undefined }));
      return parts.join(["full", "long"].includes(asked.dateStyle) ? " at " : ", ");
    }
    const parts = { ...asked };
    const wantsDate = usual !== "time" && !has(OF_DATE) && (usual === "date" || !has(OF_TIME));
    const wantsTime = usual !== "date" && !has(OF_TIME) && (usual === "time" || !has(OF_DATE));
    if (wantsDate) Object.assign(parts, { year: "numeric", month: "numeric", day: "numeric" });
    if (wantsTime) Object.assign(parts, { hour: "numeric", minute: "2-digit", second: "2-digit" });
    if (parts.weekday && !parts.day && parts.hour) refuse();
    const written = [day(value, parts), time(value, parts)].filter((text) => text !== "");
    return written.join(parts.month === "long" && written.length === 2 ? " at " : ", ");
  }

  const two = (value) => String(value).padStart(2, "0");
  const sized = (value, how) => (how === "2-digit" ? two(value % 100) : String(value));

  function day(value, { weekday, year, month, day }) {
    const name = DAYS[value.getUTCDay()];
    const dayName = weekday && (weekday === "long" ? name : name.slice(0, 3));
    const years = value.getUTCFullYear();
    if (year && years <= 0) throw only("a year before 1", BY_HAND);
    const parts = { year: year && sized(years, year), day: day && sized(value.getUTCDate(), day) };
    if (month === "long" || month === "short") {
      const long = MONTHS[value.getUTCMonth()];
      const text = [month === "long" ? long : long.slice(0, 3), parts.day].filter(Boolean).join(" ");
      const whole = parts.year ? text + (parts.day ? ", " : " ") + parts.year : text;
      return dayName ? (parts.day ? `${dayName}, ${whole}` : refuse()) : whole;
    }
    const numbers = [month && sized(value.getUTCMonth() + 1, month), parts.day, parts.year].filter(Boolean);
    if (dayName && numbers.length === 0) return dayName;
    if (dayName && (numbers.length === 1 || !month || !parts.day)) refuse();
    if (!month && numbers.length > 1) refuse();
    return [dayName, numbers.join("/")].filter(Boolean).join(", ");
  }

  function refuse() {
    throw only("this choice of the parts of a date", BY_HAND);
  }

  function time(value, { hour, minute, second }) {
    if (!hour && !minute && !second) return "";
    if (!hour) refuse();
    if (second && !minute) refuse();
    const of = value.getUTCHours() % 12 || 12;
    const parts = [hour === "2-digit" ? two(of) : String(of)];
    if (minute) parts.push(two(value.getUTCMinutes()));
    if (second) parts.push(two(value.getUTCSeconds()));
    return `${parts.join(":")} ${value.getUTCHours() < 12 ? "AM" : "PM"}`;
  }

  // ---- Texts -----------------------------------------------------------------------------------------------------

  // The order of what is neither a letter nor a digit, as the root collation of Unicode has it.
  const ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";
  // Accents, in their order.
  const ACCENTS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0328\u0327\u0304";
  const LETTER = /^[a-zA-Z]$/;
  const OF_COLLATION = {
    numeric: [true, false],
    sensitivity: ["base", "accent", "variant"],
    usage: ["sort", "search"],
    ignorePunctuation: [false],
    caseFirst: ["false"],
  };

  // The weights of a text on three levels: letters, accents, case.
  function weights(text, isNumeric) {
    const first = [], second = [], third = [];
    for (const sign of text.normalize("NFD")) {
      const accent = ACCENTS.indexOf(sign);
      if (LETTER.test(sign)) {
        first.push(1000 + sign.toLowerCase().charCodeAt(0));
        second.push(0);
        third.push(sign === sign.toLowerCase() ? 0 : 1);
      } else if (accent >= 0 && first.length > 0) {
        second.push(accent + 1);
        third.push(0);
      } else if (ORDER.includes(sign)) {
        const last = first.length - 1;
        if (isNumeric && sign >= "0" && sign <= "9") {
          if (Array.isArray(first[last]) && first[last].isOpen) {
            first[last].digits += sign;
            continue;
          }
          first.push(Object.assign([], { digits: sign, isOpen: true }));
        } else {
          first.push(ORDER.indexOf(sign));
        }
        second.push(0);
        third.push(0);
      } else {
        throw only(`\`localeCompare\` of a text with \`${sign}\``, "the order of English letters, digits and signs; compare with `<`, or by a key of your own");
      }
      if (!(isNumeric && sign >= "0" && sign <= "9")) for (const one of first) if (Array.isArray(one)) one.isOpen = false;
    }
    return [first, second, third];
  }

  const one = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  function step(a, b) {
    if (!Array.isArray(a) && !Array.isArray(b)) return one(a, b);
    // Numbers stand where digits do.
    if (!Array.isArray(a)) return one(a, ORDER.length - 1);
    if (!Array.isArray(b)) return one(ORDER.length - 1, b);
    return one(BigInt(a.digits), BigInt(b.digits));
  }

  function level(a, b) {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      const order = step(a[at], b[at]);
      if (order !== 0) return order;
    }
    return one(a.length, b.length);
  }

  const PLAIN = /^[a-z0-9 ]*$/;

  function compared(text, other, [locales, given]) {
    english("localeCompare", locales);
    const { numeric = false, sensitivity = "variant" } = options("localeCompare", given, OF_COLLATION);
    if (!numeric && PLAIN.test(text) && PLAIN.test(other)) return one(text, other);
    const [a, b] = [weights(text, numeric), weights(other, numeric)];
    const order = level(a[0], b[0]);
    if (order !== 0 || sensitivity === "base") return order;
    const accents = level(a[1], b[1]);
    return accents !== 0 || sensitivity === "accent" ? accents : level(a[2], b[2]);
  }

  // A letter's case depends on the language in these alone.
  function cased(name, locales) {
    const locale = [locales].flat()[0];
    if (locale !== undefined && /^(tr|az|lt|el)\b/i.test(String(locale))) {
      throw only(`\`${name}\` with the locale \`${locale}\``, "letters change their case as in English; replace those that differ first");
    }
  }

  return { number, date, compared, cased };
})
