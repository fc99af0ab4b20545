// The shape of a value in a few words, for errors: `an object with id, title`, `a list of 2, each an object with id`.
(function () {
  "use strict";
  const MOST_KEYS = 8, LONGEST = 40;

  const some = (names) => names.slice(0, MOST_KEYS).join(", ") + (names.length > MOST_KEYS ? ", …" : "");

  function shape(value, isPart = false) {
    switch (typeof value) {
      case "undefined": return "undefined";
      case "string": return value.length > LONGEST ? `a text of ${value.length} characters` : `the text ${JSON.stringify(value)}`;
      case "number": case "boolean": return `the ${typeof value} ${value}`;
      case "bigint": return `the BigInt ${value}n`;
      case "symbol": return "a symbol";
      case "function": return "a function";
    }
    if (value === null) return "null";
    if (value instanceof Promise) return "a promise; put `await` before the call that made it";
    if (Array.isArray(value)) {
      if (value.length === 0) return "an empty list";
      return isPart ? `a list of ${value.length}` : `a list of ${value.length}, the first of which is ${shape(value[0], true)}`;
    }
    const name = Object.getPrototypeOf(value)?.constructor?.name;
    const what = name === undefined || name === "Object" ? "an object" : `a value of the class ${name}`;
    const names = Object.keys(value);
    return names.length === 0 ? what : `${what} with ${some(names)}`;
  }

  // The names of what a value has, its class included.
  function keys(value) {
    const all = [];
    for (let of = value; of !== null && of !== undefined && all.length < 500; of = Object.getPrototypeOf(of)) {
      if (typeof of === "object" || typeof of === "function") all.push(...Object.getOwnPropertyNames(of));
    }
    if (typeof value !== "object") all.push(...Object.getOwnPropertyNames(Object.getPrototypeOf(value ?? 0) ?? {}));
    return all.filter((name) => !name.startsWith("_") && name !== "constructor");
  }

  return { shape, keys };
})
