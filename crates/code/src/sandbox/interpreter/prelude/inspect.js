// A value as text, as people know it from Node: `{ a: 1, b: [ 'x' ] }`.
(function (native) {
  "use strict";
  const DEEPEST = 6, WIDEST = 88, MOST_ITEMS = 100, LONGEST_TEXT = 10_000;
  const WORD = /^[A-Za-z_$][\w$]*$/;

  const quote = (text) => {
    const cut = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… ${text.length - LONGEST_TEXT} more characters` : text;
    const mark = !cut.includes("'") ? "'" : !cut.includes('"') ? '"' : !cut.includes("`") ? "`" : "'";
    const escaped = JSON.stringify(cut).slice(1, -1).replaceAll('\\"', '"');
    return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
  };

  const key = (name) => (typeof name === "symbol" ? `[${name.toString()}]` : WORD.test(name) ? name : quote(name));

  const className = (value) => {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === null) return "[Object: null prototype]";
    const made = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
    return typeof made === "function" && typeof made.name === "string" ? made.name : "Object";
  };

  function show(value, depth, seen) {
    switch (typeof value) {
      case "string": return quote(value);
      case "number": return Object.is(value, -0) ? "-0" : String(value);
      case "bigint": return `${value}n`;
      case "symbol": return value.toString();
      case "function": return func(value);
      case "object": return value === null ? "null" : object(value, depth, seen);
      default: return String(value);
    }
  }

  function func(value) {
    const text = Function.prototype.toString.call(value);
    const kind = text.startsWith("class") ? "class" : className(value);
    return value.name ? `[${kind}${kind === "class" ? " " : ": "}${value.name}]` : `[${kind} (anonymous)]`;
  }

  function object(value, depth, seen) {
    if (seen.includes(value)) return "[Circular]";
    if (value instanceof Error) return error(value, depth, seen);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return "Promise { … }";
    const name = className(value);
    if (depth > DEEPEST) return Array.isArray(value) ? "[Array]" : `[${name}]`;
    seen.push(value);
    try {
      return contents(value, name, depth + 1, seen);
    } finally {
      seen.pop();
    }
  }

  function contents(value, name, depth, seen) {
    if (Array.isArray(value)) {
      return group("[", "]", name === "Array" ? "" : `${name}(${value.length}) `, [...items(value, depth, seen), ...properties(value, depth, seen, true)]);
    }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      return group("[", "]", `${name}(${value.length}) `, items(value, depth, seen));
    }
    if (value instanceof ArrayBuffer) return `ArrayBuffer { byteLength: ${value.byteLength} }`;
    if (value instanceof Set) {
      const all = some(value, value.size, (item) => show(item, depth, seen));
      return group("{", "}", `${name}(${value.size}) `, [...all, ...properties(value, depth, seen)]);
    }
    if (value instanceof Map) {
      const all = some(value, value.size, ([from, to]) => `${show(from, depth, seen)} => ${show(to, depth, seen)}`);
      return group("{", "}", `${name}(${value.size}) `, [...all, ...properties(value, depth, seen)]);
    }
    if (value instanceof String || value instanceof Number || value instanceof Boolean) return `[${name}: ${show(value.valueOf(), depth, seen)}]`;
    return group("{", "}", name === "Object" ? "" : `${name} `, properties(value, depth, seen));
  }

  function* taken(values, most) {
    for (const value of values) {
      if (most-- === 0) return;
      yield value;
    }
  }

  function some(values, size, written) {
    const all = [...taken(values, MOST_ITEMS)].map(written);
    if (size > MOST_ITEMS) all.push(`… ${size - MOST_ITEMS} more items`);
    return all;
  }

  function items(value, depth, seen) {
    const all = [];
    const most = Math.min(value.length, MOST_ITEMS);
    for (let at = 0; at < most; at++) all.push(at in value ? show(value[at], depth, seen) : "<empty>");
    if (value.length > most) all.push(`… ${value.length - most} more items`);
    return all;
  }

  function properties(value, depth, seen, isList = false) {
    const all = [];
    for (const name of Reflect.ownKeys(value)) {
      if (isList && (name === "length" || (typeof name === "string" && /^\d+$/.test(name)))) continue;
      const own = Object.getOwnPropertyDescriptor(value, name);
      if (own === undefined || !own.enumerable) continue;
      if (all.length === MOST_ITEMS) {
        all.push("…");
        break;
      }
      const text = "value" in own ? show(own.value, depth, seen) : own.get ? (own.set ? "[Getter/Setter]" : "[Getter]") : "[Setter]";
      all.push(`${key(name)}: ${text}`);
    }
    return all;
  }

  const indented = (text) => text.replaceAll("\n", "\n  ");

  function group(open, close, before, all) {
    if (all.length === 0) return before + open + close;
    const short = all.reduce((sum, item) => sum + item.length + 2, before.length) <= WIDEST && !all.some((item) => item.includes("\n"));
    return before + (short ? `${open} ${all.join(", ")} ${close}` : `${open}\n  ${all.map(indented).join(",\n  ")}\n${close}`);
  }

  // Lines of the program itself are marked, so that the parent can write its own lines in their place.
  function places(stack) {
    const lines = [];
    for (const line of String(stack ?? "").split("\n")) {
      const found = /(?:at (.*?) \()?script\.js:(\d+):(\d+)/.exec(line);
      if (!found) continue;
      const where = `\u{e000}${found[2]}:${found[3]}\u{e001}`;
      lines.push(found[1] && found[1] !== "default" && found[1] !== "<anonymous>" ? `\n    at ${found[1]} (${where})` : `\n    at ${where}`);
    }
    return lines.slice(0, 10).join("");
  }

  function error(value, depth, seen) {
    if (depth > DEEPEST) return "[Error]";
    seen.push(value);
    try {
      const head = `${value.name}${value.message ? `: ${value.message}` : ""}${places(value.stack)}`;
      const rest = properties(value, depth + 1, seen);
      if (Object.hasOwn(value, "cause")) rest.push(`[cause]: ${show(value.cause, depth + 1, seen)}`);
      if (Array.isArray(value.errors)) rest.push(`[errors]: ${show(value.errors, depth + 1, seen)}`);
      return rest.length === 0 ? head : `${head} ${group("{", "}", "", rest)}`;
    } finally {
      seen.pop();
    }
  }

  const inspect = (value) => show(value, 0, []);
  return { inspect, quote };
})
