// `structuredClone`.
(function () {
  "use strict";
  const refuse = (what) => {
    throw new DOMException(`${what} cannot be cloned`, "DataCloneError");
  };
  const ERRORS = ["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"];

  function clone(value, known) {
    if (typeof value === "function") refuse(`the function ${value.name}`);
    if (typeof value === "symbol") refuse("a symbol");
    if (typeof value !== "object" || value === null) return value;
    if (known.has(value)) return known.get(value);
    const keep = (copy) => {
      known.set(value, copy);
      return copy;
    };
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof Boolean || value instanceof Number || value instanceof String) return keep(Object(value.valueOf()));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (ArrayBuffer.isView(value)) {
      const buffer = clone(value.buffer, known);
      return keep(new value.constructor(buffer, value.byteOffset, value instanceof DataView ? value.byteLength : value.length));
    }
    if (value instanceof Map) {
      const copy = keep(new Map());
      for (const [name, inner] of [...value]) copy.set(clone(name, known), clone(inner, known));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      for (const inner of [...value]) copy.add(clone(inner, known));
      return copy;
    }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) {
      refuse(`a ${value.constructor.name}`);
    }
    if (value instanceof Error) {
      const name = ERRORS.includes(value.name) ? value.name : "Error";
      const copy = keep(Object.create(globalThis[name].prototype));
      for (const own of ["message", "stack", "cause"]) {
        if (Object.hasOwn(value, own)) Object.defineProperty(copy, own, { value: clone(value[own], known), writable: true, configurable: true });
      }
      return copy;
    }
    const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
    for (const name of Object.keys(value)) copy[name] = clone(value[name], known);
    return copy;
  }
  return { structuredClone: function structuredClone(value) { return clone(value, new Map()); } };
})
