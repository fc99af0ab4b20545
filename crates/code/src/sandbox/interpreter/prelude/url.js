// `URL` and `URLSearchParams`. The text is read by the parent's language, as browsers read it.
(function (native) {
  "use strict";
  const PARTS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash", "origin"];

  class URLSearchParams {
    #pairs;
    #changed = () => {};
    constructor(init = "") {
      if (typeof init === "object" && init !== null) {
        const pairs = typeof init[Symbol.iterator] === "function" ? [...init] : Object.entries(init);
        this.#pairs = pairs.map((pair) => {
          const [name, value, ...more] = pair;
          if (value === undefined || more.length > 0) throw new TypeError("a parameter is a pair of name and value");
          return [String(name), String(value)];
        });
      } else {
        this.#pairs = native.formPairs(String(init).replace(/^\?/, "").toWellFormed());
      }
    }
    static of(text, changed) {
      const params = new URLSearchParams(text);
      params.#changed = changed;
      return params;
    }
    static reset(params, text) {
      params.#pairs = native.formPairs(text.replace(/^\?/, ""));
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#pairs.push([String(name), String(value)]);
      this.#changed();
    }
    delete(name, value) {
      this.#pairs = this.#pairs.filter((pair) => !(pair[0] === String(name) && (value === undefined || pair[1] === String(value))));
      this.#changed();
    }
    get(name) {
      return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
    }
    has(name, value) {
      return this.#pairs.some((pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value)));
    }
    set(name, value) {
      const first = this.#pairs.findIndex((pair) => pair[0] === String(name));
      if (first < 0) this.#pairs.push([String(name), String(value)]);
      else {
        this.#pairs[first][1] = String(value);
        this.#pairs = this.#pairs.filter((pair, at) => at <= first || pair[0] !== String(name));
      }
      this.#changed();
    }
    sort() {
      this.#pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      this.#changed();
    }
    forEach(action, self) {
      for (const [name, value] of this.#pairs) action.call(self, value, name, this);
    }
    *entries() {
      for (const [name, value] of this.#pairs) yield [name, value];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return native.formText(this.#pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]));
    }
  }
  const { of, reset } = URLSearchParams;
  delete URLSearchParams.of;
  delete URLSearchParams.reset;

  class URL {
    #parts;
    #params;
    constructor(text, base) {
      const parts = URL.#read(text, base);
      if (parts === undefined) throw new TypeError(`Invalid URL: ${String(text).slice(0, 200)}`);
      this.#parts = parts;
    }
    static #read(text, base) {
      return native.url(String(text).toWellFormed(), base === undefined ? undefined : String(base).toWellFormed());
    }
    static canParse(text, base) {
      return URL.#read(text, base) !== undefined;
    }
    static parse(text, base) {
      return URL.canParse(text, base) ? new URL(text, base) : null;
    }
    static {
      PARTS.forEach((name, at) => {
        const set = function (value) {
          this.#parts = native.urlWith(this.#parts[0], name, String(value).toWellFormed()) ?? this.#parts;
          if (this.#params && (name === "search" || name === "href")) reset(this.#params, this.search);
        };
        const property = { get() { return this.#parts[at]; }, enumerable: true, configurable: true };
        Object.defineProperty(URL.prototype, name, name === "origin" ? property : { ...property, set });
      });
    }
    get searchParams() {
      return this.#params ??= of(this.search, () => {
        const text = this.#params.toString();
        this.#parts = native.urlWith(this.#parts[0], "search", text === "" ? "" : `?${text}`) ?? this.#parts;
      });
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
  }
  return { URL, URLSearchParams };
})
