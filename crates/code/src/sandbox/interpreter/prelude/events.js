// Events, and what ends work that is no longer wanted.
(function () {
  "use strict";
  class Event {
    #type;
    #options;
    #prevented = false;
    target = null;
    constructor(type, options = {}) {
      this.#type = String(type);
      this.#options = options;
    }
    get type() {
      return this.#type;
    }
    get currentTarget() {
      return this.target;
    }
    get cancelable() {
      return Boolean(this.#options.cancelable);
    }
    get bubbles() {
      return Boolean(this.#options.bubbles);
    }
    get defaultPrevented() {
      return this.#prevented;
    }
    preventDefault() {
      this.#prevented = this.cancelable;
    }
    stopPropagation() {}
    stopImmediatePropagation() {}
  }

  class EventTarget {
    #listeners = [];
    addEventListener(type, listener, options) {
      if (listener === null || listener === undefined) return;
      if (this.#listeners.some((known) => known.type === type && known.listener === listener)) return;
      const { once = false, signal } = typeof options === "object" && options !== null ? options : {};
      if (signal?.aborted) return;
      this.#listeners.push({ type, listener, once });
      signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
    }
    removeEventListener(type, listener) {
      this.#listeners = this.#listeners.filter((known) => known.type !== type || known.listener !== listener);
    }
    dispatchEvent(event) {
      event.target = this;
      for (const { type, listener, once } of [...this.#listeners]) {
        if (type !== event.type) continue;
        if (once) this.removeEventListener(type, listener);
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent?.(event);
      }
      return !event.defaultPrevented;
    }
  }

  let allowed = false;
  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason;
    onabort = null;
    constructor() {
      if (!allowed) throw new TypeError("an AbortSignal comes from an AbortController");
      super();
    }
    static #make() {
      allowed = true;
      try {
        return new AbortSignal();
      } finally {
        allowed = false;
      }
    }
    static create() {
      return AbortSignal.#make();
    }
    static fire(signal, reason) {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
      const event = new Event("abort");
      signal.dispatchEvent(event);
      if (typeof signal.onabort === "function") signal.onabort(event);
    }
    static abort(reason) {
      const signal = AbortSignal.#make();
      fire(signal, reason);
      return signal;
    }
    static timeout(delay) {
      const signal = AbortSignal.#make();
      setTimeout(() => fire(signal, new DOMException("The operation timed out", "TimeoutError")), delay);
      return signal;
    }
    static any(signals) {
      const signal = AbortSignal.#make();
      for (const one of signals) {
        if (one.aborted) fire(signal, one.reason);
        else one.addEventListener("abort", () => fire(signal, one.reason), { once: true });
      }
      return signal;
    }
    get aborted() {
      return this.#aborted;
    }
    get reason() {
      return this.#reason;
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }
  }
  const { create, fire } = AbortSignal;
  delete AbortSignal.create;
  delete AbortSignal.fire;

  class AbortController {
    #signal = create();
    get signal() {
      return this.#signal;
    }
    abort(reason) {
      fire(this.#signal, reason);
    }
  }
  return { Event, EventTarget, AbortController, AbortSignal };
})
