// The bridge between a program and the parent, timers, and the globals that are made when they are first used.
// It runs before any program. It keeps its own references, so that nothing that a program changes breaks it. The way of a
// call has no template in it: the interpreter has those put together by `String.prototype.concat`.
(function (native, compiled) {
  "use strict";
  const parts = { __proto__: null };
  const load = (name) => parts[name] ??= compiled(name)(native, load);
  const { ArrayBuffer, BigInt, Error, Map, Math, Number, Object, Promise, Proxy, Reflect, Set, String, TypeError } = globalThis;
  const { parse, rawJSON, stringify } = globalThis.JSON;
  const { apply } = Reflect;
  const { create, defineProperty, freeze, getPrototypeOf } = Object;
  const { isArray, from } = globalThis.Array;
  const isView = ArrayBuffer.isView;
  const { isFinite, isInteger, isSafeInteger } = Number;
  const then = Promise.prototype.then;

  // A program can have stacks described to it, and the functions on them with them: those of the bridge as well.
  Error.prepareStackTrace = (_, sites) => sites;
  for (const site of new Error().stack) delete getPrototypeOf(site).getFunction;
  Error.prepareStackTrace = undefined;

  const hide = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });

  // ---- Values that leave the interpreter -------------------------------------------------------------------------

  class ToolError extends Error {
    constructor(message, options) {
      super(message, options);
    }
  }
  hide(ToolError.prototype, "name", "ToolError");

  // Integers that no number has exactly are a BigInt here, and the same digits in JSON.
  const exact = (value) => rawJSON(String(value));

  // So many digits in a row that a number may not have them all.
  const LONG = /\d{16}/, { exec } = globalThis.RegExp.prototype;

  function revived(_, value, { source }) {
    if (typeof value !== "number" || isSafeInteger(value) || !isInteger(value)) return value;
    try {
      return BigInt(source);
    } catch {
      return value;
    }
  }

  // A promise as a text, a number or JSON is a forgotten `await`, wherever it comes from. What leaves the interpreter says so itself.
  let leaves = false;
  const forgotten = () => new TypeError("a promise is used as if it were its result: put `await` before it, or before what makes it");
  hide(Promise.prototype, globalThis.Symbol.toPrimitive, () => {
    throw forgotten();
  });
  hide(Promise.prototype, "toJSON", function () {
    if (leaves) return this;
    throw forgotten();
  });

  // The JSON of a value that leaves the interpreter.
  function leaving(value, replacer) {
    leaves = true;
    try {
      return stringify(value, replacer);
    } finally {
      leaves = false;
    }
  }

  // JSON of a value with such an integer in it has its digits as well, where the program does not say how to write it.
  hide(globalThis.JSON, "stringify", function (value, replacer, space) {
    try {
      return stringify(value, replacer, space);
    } catch (error) {
      if (replacer !== undefined && replacer !== null) throw error;
      return stringify(value, (_, part) => (typeof part === "bigint" ? exact(part) : part), space);
    }
  });
  hide(globalThis.JSON.stringify, "name", "stringify");

  // An argument must arrive as it was meant, so that what JSON has no word for is refused.
  function argument(key, value) {
    switch (typeof value) {
      case "number":
        if (!isFinite(value)) throw new TypeError(`the argument \`${key}\` is ${value}, which JSON has no word for`);
        if (isInteger(value) && !isSafeInteger(value) && value < 1e21 && value > -1e21) {
          throw new TypeError(`the argument \`${key}\` is ${value}, and no number is exact above 2^53; pass a BigInt, such as 9007199254740993n, or a text`);
        }
        return value;
      case "bigint":
        return exact(value);
      case "function":
      case "symbol":
        throw new TypeError(`the argument \`${key}\` is a ${typeof value}; pass a value`);
      case "object":
        return value === null ? value : plain(key, value, "argument");
      default:
        return value;
    }
  }

  function result(key, value) {
    if (typeof value === "bigint") return exact(value);
    return typeof value === "object" && value !== null ? plain(key, value, "result") : value;
  }

  function plain(key, value, what) {
    if (isArray(value)) return value;
    if (value instanceof Promise) {
      const where = key === "" ? `the ${what}` : `\`${key}\` of the ${what}`;
      throw new TypeError(`${where} is a promise; put \`await\` before the call that made it`);
    }
    if (value instanceof Map) {
      const entries = [...value];
      return entries.every(([name]) => typeof name === "string") ? Object.fromEntries(entries) : entries;
    }
    if (value instanceof Set) return [...value];
    if (isView(value) && !(value instanceof globalThis.DataView)) return from(value);
    if (value instanceof Error) return { name: value.name, message: value.message, ...value };
    return value;
  }

  // ---- Calls -----------------------------------------------------------------------------------------------------

  const waiting = create(null);
  const queued = create(null);
  let next = 0, out = 0, head = 0, tail = 0, concurrency = 1;

  function call(tool, label, given) {
    // The stack of the call: an answer comes from nowhere.
    const failure = new ToolError();
    hide(failure, "tool", label);
    return new Promise((resolve, reject) => {
      let text;
      try {
        text = encoded(label, given);
      } catch (error) {
        return reject(error);
      }
      ask({ tool, text, resolve, reject, failure });
    });
  }

  // The tools that match words, and the types of one: the parent knows them all.
  const lookUp = (what, given) => question(what, stringify({ [what]: given }));
  function search(words, limit = 10) {
    return lookUp("search", [String(words), Math.max(1, Number(limit) | 0)]);
  }
  function describe(tool) {
    return lookUp("describe", String(tool));
  }

  // The result of an earlier program; without its name the last one.
  function recall(run) {
    return question("results", run === undefined ? '{"recall":null}' : stringify({ recall: String(run) }));
  }

  // A question to the parent that is no call of a tool.
  function question(label, text) {
    const failure = new ToolError();
    hide(failure, "tool", label);
    return new Promise((resolve, reject) => ask({ tool: undefined, text, resolve, reject, failure }));
  }

  function ask(job) {
    if (out < concurrency) send(job);
    else queued[tail++] = job;
  }

  function encoded(label, given) {
    if (given.length > 1) throw new TypeError(`${label} takes one object with named arguments, not ${given.length} values`);
    const value = given[0] === undefined ? {} : given[0];
    if (typeof value !== "object" || value === null || isArray(value)) {
      const what = value === null ? "null" : isArray(value) ? "a list" : `a ${typeof value}`;
      throw new TypeError(`${label} takes one object with named arguments, not ${what}`);
    }
    const text = leaving(value, argument);
    if (text === undefined || text[0] !== "{") {
      throw new TypeError(`${label} takes one object with named arguments; the \`toJSON\` of this one makes something else of it`);
    }
    return text;
  }

  function send(job) {
    const id = next++;
    try {
      native.send(
        job.tool === undefined
          ? '{"ask":{"id":' + id + ',"question":' + job.text + "}}"
          : '{"call":{"id":' + id + ',"tool":' + job.tool + ',"arguments":' + job.text + "}}",
      );
    } catch (error) {
      return job.reject(error);
    }
    job.text = undefined;
    waiting[id] = job;
    out++;
  }

  function deliver(text) {
    const { id, value, error } = (apply(exec, LONG, [text]) === null ? parse(text) : parse(text, revived)).answer;
    const job = waiting[id];
    if (job === undefined) return;
    delete waiting[id];
    out--;
    if (error === undefined) {
      job.resolve(value);
    } else {
      const { failure } = job;
      hide(failure, "message", error.message);
      if (error.data !== undefined) failure.data = error.data;
      hide(failure, "diagnostics", isArray(error.data?.diagnostics) ? error.data.diagnostics : []);
      job.reject(failure);
    }
    while (out < concurrency && head < tail) {
      const waits = queued[head];
      delete queued[head++];
      send(waits);
    }
  }

  // ---- Tools -----------------------------------------------------------------------------------------------------

  // A key that is asked for by the language itself, or by what looks at a value, is no slip.
  const asked = new Set(["then", "toJSON", "constructor", "valueOf", "toString", "inspect", "asymmetricMatch", "nodeType", "length"]);
  const has = Set.prototype.has;

  const guarded = (target, explain) => new Proxy(target, {
    get(object, key) {
      if (typeof key !== "string" || key in object || apply(has, asked, [key])) return object[key];
      throw new TypeError(explain(key));
    },
    set(_, key) {
      throw new TypeError(`\`${String(key)}\` cannot be set: tools are read-only`);
    },
  });

  const near = (typed, names) => {
    const found = native.nearest(typed, names);
    return found === undefined ? "" : `; did you mean \`${found}\`?`;
  };

  // Why a program does not get the server or tool that it names; undefined: it is none of these.
  const withheld = (what, all, key) => {
    for (const one of all ?? []) {
      if (one.name === key || native.camelCase(one.name) === key) return `the ${what} \`${one.name}\` is withheld from programs: ${one.why}`;
    }
  };

  function server(known) {
    const target = create(null), names = [];
    for (let at = 0; at < known.tools.length; at++) {
      const { name, function: own, number } = known.tools[at];
      const label = known.name + "." + name;
      const tool = (...given) => call(number, label, given);
      hide(tool, "name", own);
      defineProperty(target, own, { value: tool, enumerable: true });
      names[at] = own;
    }
    const alias = (name, own) => {
      if (name !== undefined && !(name in target)) defineProperty(target, name, { value: target[own] });
    };
    for (let at = 0; at < known.tools.length; at++) alias(known.tools[at].name, known.tools[at].function);
    for (let at = 0; at < known.tools.length; at++) alias(known.tools[at].also, known.tools[at].function);
    freeze(target);
    return guarded(target, (key) =>
      withheld("tool", known.withheld, key) ?? `the server \`${known.name}\` has no tool \`${key}\`${known.problem ? `: ${known.problem}` : near(key, names)}`);
  }

  const made = create(null), byName = create(null), identifiers = [];
  const lazily = (known) => made[known.name] ??= server(known);
  const target = create(null);
  let kept = [];
  const tools = guarded(target, (key) => withheld("server", kept, key) ?? `there is no server \`${key}\`${near(key, identifiers)}`);

  function announce(servers, notGiven) {
    kept = notGiven;
    for (let at = 0; at < servers.length; at++) {
      const known = servers[at];
      identifiers[at] = known.identifier;
      byName[known.name] = byName[known.identifier] = known;
      defineProperty(target, known.identifier, { get: () => lazily(known), enumerable: true });
    }
    for (let at = 0; at < servers.length; at++) {
      const known = servers[at];
      if (!(known.name in target)) defineProperty(target, known.name, { get: () => lazily(known) });
    }
    freeze(target);
  }

  const results = guarded(
    freeze({
      __proto__: null,
      get latest() {
        return recall(undefined);
      },
      get(run) {
        return recall(run);
      },
    }),
    (key) => `\`results\` has \`latest\` and \`get(run)\`, and no \`${key}\``,
  );

  // What calls were made of, by their numbers: the program writes them down.
  const called = create(null);
  defineProperty(globalThis, "$called$", { value: called });

  // What a call was made of that is no function; undefined where it is one, and something else was meant.
  function notAFunction(number, callee, object, key, isKept) {
    const { shape, keys } = load("shape");
    const short = (text) => (text.length > 60 ? text.slice(0, 57) + "…" : text);
    if (!isKept || !(number in called)) return "`" + short(callee) + "` is not a function";
    const value = called[number];
    if (typeof (key === null || key === undefined ? value : value?.[key]) === "function") {
      return "a function was expected as an argument of `" + short(callee) + "`";
    }
    const hint = key === null || key === undefined ? "" : near(key, keys(value));
    return "`" + short(callee) + "` is not a function: `" + short(object) + "` is " + shape(value) + hint;
  }

  // A program without the import has them all the same.
  hide(globalThis, "tools", tools);
  hide(globalThis, "ToolError", ToolError);

  // The exports of a module: its names, and the object that has them.
  function exported(specifier) {
    if (specifier === "toolscript") {
      return {
        names: ["tools", "results", "search", "describe", "ToolError"],
        values: { __proto__: null, tools, results, search, describe, ToolError, default: tools },
      };
    }
    const known = byName[specifier.slice("toolscript/".length)];
    if (known === undefined) return undefined;
    const values = lazily(known), names = [];
    for (let at = 0; at < known.tools.length; at++) names[at] = known.tools[at].function;
    return { names, values: { __proto__: null, ...values, default: values } };
  }

  // ---- Timers ----------------------------------------------------------------------------------------------------

  const timers = [];
  let lastTimer = 0;

  function schedule(name, action, delay, given, repeats) {
    if (typeof action !== "function") throw new TypeError(`${name} takes a function`);
    delay = Number(delay);
    const wait = delay >= 1 && delay <= 0x7fffffff ? delay : 1;
    insert({ id: ++lastTimer, due: native.now() + wait, action, given, wait: repeats ? wait : 0 });
    return lastTimer;
  }

  function insert(timer) {
    let at = timers.length;
    for (; at > 0 && timers[at - 1].due > timer.due; at--) timers[at] = timers[at - 1];
    timers[at] = timer;
  }

  function cancel(id) {
    for (let at = 0; at < timers.length; at++) if (timers[at].id === Number(id)) return remove(at);
  }

  function remove(at) {
    const timer = timers[at];
    for (; at + 1 < timers.length; at++) timers[at] = timers[at + 1];
    timers.length--;
    return timer;
  }

  function runTimer() {
    const timer = remove(0);
    if (timer.wait > 0) insert({ ...timer, due: native.now() + timer.wait });
    try {
      apply(timer.action, undefined, timer.given);
    } catch (error) {
      fail("thrown", error);
    }
  }

  hide(globalThis, "setTimeout", function setTimeout(action, delay, ...given) {
    return schedule("setTimeout", action, delay, given, false);
  });
  hide(globalThis, "setInterval", function setInterval(action, delay, ...given) {
    return schedule("setInterval", action, delay, given, true);
  });
  hide(globalThis, "setImmediate", function setImmediate(action, ...given) {
    return schedule("setImmediate", action, 0, given, false);
  });
  for (const name of ["clearTimeout", "clearInterval", "clearImmediate"]) {
    hide(globalThis, name, { [name](id) { cancel(id); } }[name]);
  }

  // ---- The end ---------------------------------------------------------------------------------------------------

  let state = 0, outcome;
  const unhandled = [];

  function fail(kind, error) {
    if (state === 2) return;
    state = 2;
    outcome = { kind, error };
  }

  function rejected(promise, reason, isHandled) {
    if (!isHandled) {
      unhandled[unhandled.length] = { promise, reason };
      return;
    }
    let kept = 0;
    for (let at = 0; at < unhandled.length; at++) {
      if (unhandled[at].promise !== promise) unhandled[kept++] = unhandled[at];
    }
    unhandled.length = kept;
  }

  function start(main) {
    const running = (async () => {
      const value = await main();
      return typeof value === "function" ? value() : value;
    })();
    apply(then, running, [
      (value) => {
        try {
          const text = leaving(value, result);
          if (state === 0) {
            state = 1;
            outcome = text;
          }
        } catch (error) {
          fail("result", error);
        }
      },
      (error) => fail("thrown", error),
    ]);
  }

  // Called once nothing is left to do: a promise that was rejected and that nobody looked at is an error of the program.
  function close() {
    if (state === 1 && unhandled.length > 0) fail("unhandled", unhandled[0].reason);
  }

  // Whether so many bytes of memory are left. They are taken and let go, which is quick: nobody touches them.
  function hasRoom(bytes) {
    try {
      new ArrayBuffer(bytes);
      return true;
    } catch {
      return false;
    }
  }

  // An error as JSON. Whatever a program made of it, this ends.
  function report() {
    const text = (read) => {
      try {
        const value = read();
        return typeof value === "string" ? value : undefined;
      } catch {
        return undefined;
      }
    };
    const described = (error, depth) => {
      if (!(error instanceof Error)) {
        return { name: "", message: text(() => (typeof error === "string" ? error : load("inspect").inspect(error))) ?? "a value" };
      }
      const about = {
        name: text(() => error.name) ?? "Error",
        message: text(() => error.message) ?? "",
        stack: text(() => error.stack),
        tool: text(() => error.tool),
      };
      try {
        if (error instanceof ToolError && error.data !== undefined) about.data = parse(stringify(error.data));
        if (depth < 3 && error.cause !== undefined) about.cause = described(error.cause, depth + 1);
        if (depth < 3 && isArray(error.errors)) about.errors = error.errors.slice(0, 5).map((one) => described(one, depth + 1));
      } catch {
        // A property that cannot be read is left out.
      }
      return about;
    };
    return stringify({ kind: outcome.kind, ...described(outcome.error, 0) });
  }

  // ---- What depends on the language and the time zone --------------------------------------------------------------

  const replace = (prototype, name, made) => hide(prototype, name, { [name](...given) { return made(this, ...given); } }[name]);
  const locale = () => load("locale");
  for (const of of [Number, BigInt]) {
    const valueOf = of.prototype.valueOf;
    replace(of.prototype, "toLocaleString", (value, ...given) => locale().number("toLocaleString", apply(valueOf, value, []), ...given));
  }
  const OfDate = globalThis.Date.prototype, getTime = OfDate.getTime;
  for (const [name, usual] of [["toLocaleString", "all"], ["toLocaleDateString", "date"], ["toLocaleTimeString", "time"]]) {
    replace(OfDate, name, (value, ...given) => {
      apply(getTime, value, []);
      return locale().date(name, value, given, usual);
    });
  }
  for (const name of ["toString", "toTimeString"]) {
    const written = OfDate[name];
    replace(OfDate, name, (value) => {
      const text = apply(written, value, []);
      return text.endsWith("GMT+0000") ? text + " (Coordinated Universal Time)" : text;
    });
  }
  const OfText = String.prototype;
  replace(OfText, "localeCompare", (value, other, ...given) => locale().compared(String(value), String(other), given));
  for (const name of ["toLocaleUpperCase", "toLocaleLowerCase"]) {
    const written = OfText[name];
    replace(OfText, name, (value, ...given) => {
      if (given.length > 0) locale().cased(name, given[0]);
      return apply(written, value, []);
    });
  }
  for (const prototype of [globalThis.Array.prototype, getPrototypeOf(globalThis.Uint8Array.prototype)]) {
    replace(prototype, "toLocaleString", (value, ...given) =>
      from(value, (item) => (item === null || item === undefined ? "" : item.toLocaleString(...given))).join(","));
  }

  // ---- Globals that are made when they are first used ------------------------------------------------------------

  const part = (name, names) => {
    for (const own of names) {
      const settle = (value) => hide(globalThis, own, value);
      defineProperty(globalThis, own, {
        get() {
          const value = load(name)[own];
          settle(value);
          return value;
        },
        set: settle,
        configurable: true,
      });
    }
  };
  part("url", ["URL", "URLSearchParams"]);
  part("encoding", ["TextEncoder", "TextDecoder"]);
  part("clone", ["structuredClone"]);
  part("events", ["Event", "EventTarget", "AbortController", "AbortSignal"]);
  part("crypto", ["crypto"]);
  part("console", ["console"]);

  return {
    announce(servers, notGiven, most) {
      concurrency = most;
      announce(servers, notGiven);
    },
    exported, start, deliver, notAFunction, runTimer, rejected, close, report, fail, hasRoom,
    nextTimer: () => (timers.length > 0 ? timers[0].due : -1),
    callsOut: () => out,
    state: () => state,
    result: () => outcome,
  };
})
