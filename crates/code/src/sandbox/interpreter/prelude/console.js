// `console`: what is meant for standard output goes there, and what complains to standard error.
(function (native, load) {
  "use strict";
  const { inspect } = load("inspect");
  const counts = new Map(), clocks = new Map();
  let indent = "";

  const plain = (value) => (typeof value === "string" ? value : inspect(value));

  function directive(kind, value) {
    switch (kind) {
      case "s": return typeof value === "object" && value !== null ? inspect(value) : String(value);
      case "d": return typeof value === "bigint" ? `${value}n` : String(Number(value));
      case "i": return typeof value === "bigint" ? `${value}n` : String(Number.parseInt(value, 10));
      case "f": return String(Number.parseFloat(value));
      case "j": return JSON.stringify(value) ?? "undefined";
      case "c": return "";
      default: return inspect(value);
    }
  }

  function formatted(given) {
    if (given.length === 1) return plain(given[0]);
    let used = 0, text = "";
    if (typeof given[0] === "string" && given[0].includes("%")) {
      used = 1;
      text = given[0].replace(/%([sdifjoOc%])/g, (written, kind) => {
        if (kind === "%") return "%";
        return used < given.length ? directive(kind, given[used++]) : written;
      });
    }
    const rest = given.slice(used).map(plain);
    return (used > 0 ? [text, ...rest] : rest).join(" ");
  }

  function write(stream, text) {
    native.print(stream, (indent === "" ? text : indent + text.replaceAll("\n", `\n${indent}`)) + "\n");
  }
  const out = (...given) => write("out", formatted(given));
  const err = (...given) => write("err", formatted(given));

  function table(rows, columns) {
    if (typeof rows !== "object" || rows === null) return out(rows);
    const entries = rows instanceof Map ? [...rows] : rows instanceof Set ? [...rows].entries().toArray() : Object.entries(rows);
    const heads = [];
    let hasValues = false;
    for (const [, row] of entries) {
      if (typeof row !== "object" || row === null) hasValues = true;
      else for (const name of Object.keys(row)) if (!heads.includes(name)) heads.push(name);
    }
    const shown = Array.isArray(columns) ? columns : heads;
    const isRow = (row) => typeof row === "object" && row !== null;
    const lines = entries.map(([name, row]) => [
      String(name),
      ...shown.map((head) => (isRow(row) && Object.hasOwn(row, head) ? inspect(row[head]) : "")),
      ...(hasValues ? [isRow(row) ? "" : inspect(row)] : []),
    ]);
    const head = ["(index)", ...shown, ...(hasValues ? ["Values"] : [])];
    const widths = head.map((name, at) => Math.max(name.length, ...lines.map((line) => line[at].length)));
    const drawn = (cells) => `│ ${cells.map((cell, at) => cell.padEnd(widths[at])).join(" │ ")} │`;
    const ruled = (left, middle, right) => left + widths.map((width) => "─".repeat(width + 2)).join(middle) + right;
    write("out", [ruled("┌", "┬", "┐"), drawn(head), ruled("├", "┼", "┤"), ...lines.map(drawn), ruled("└", "┴", "┘")].join("\n"));
  }

  const label = (name) => (name === undefined ? "default" : String(name));
  const passed = (name) => {
    const since = clocks.get(label(name));
    return since === undefined ? undefined : `${label(name)}: ${Number((native.now() - since).toFixed(3))}ms`;
  };

  const console = {
    log: out, info: out, debug: out, warn: err, error: err, table,
    dir: (value) => write("out", inspect(value)),
    dirxml: out,
    trace: (...given) => {
      const { stack } = new Error();
      const about = Object.assign(new Error(formatted(given)), {});
      Object.defineProperty(about, "stack", { value: stack });
      Object.defineProperty(about, "name", { value: "Trace" });
      write("err", inspect(about));
    },
    assert: (holds, ...given) => {
      if (holds) return;
      if (typeof given[0] === "string") given[0] = `Assertion failed: ${given[0]}`;
      else given.unshift("Assertion failed");
      err(...given);
    },
    group: (...given) => {
      if (given.length > 0) out(...given);
      if (indent.length < 100) indent += "  ";
    },
    groupEnd: () => {
      indent = indent.slice(2);
    },
    count: (name) => {
      const count = (counts.get(label(name)) ?? 0) + 1;
      counts.set(label(name), count);
      out(`${label(name)}: ${count}`);
    },
    countReset: (name) => void counts.delete(label(name)),
    time: (name) => void clocks.set(label(name), native.now()),
    timeLog: (name, ...given) => out(passed(name) ?? `there is no timer ${label(name)}`, ...given),
    timeEnd: (name) => {
      out(passed(name) ?? `there is no timer ${label(name)}`);
      clocks.delete(label(name));
    },
    clear: () => {},
  };
  console.groupCollapsed = console.group;
  for (const [name, method] of Object.entries(console)) Object.defineProperty(method, "name", { value: name });
  return { console };
})
