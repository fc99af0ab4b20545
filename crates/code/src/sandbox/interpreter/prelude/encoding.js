// `TextEncoder` and `TextDecoder`, for UTF-8 alone.
(function (native) {
  "use strict";
  const bytesOf = (input) => {
    if (input === undefined) return new Uint8Array();
    if (input instanceof ArrayBuffer) return new Uint8Array(input);
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    throw new TypeError("bytes are an ArrayBuffer, or a view of one");
  };

  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(text = "") {
      return new Uint8Array(native.encode(String(text).toWellFormed()));
    }
    encodeInto(text, target) {
      let read = 0, written = 0;
      for (const letter of String(text)) {
        const bytes = this.encode(letter);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        written += bytes.length;
        read += letter.length;
      }
      return { read, written };
    }
  }

  class TextDecoder {
    #fatal;
    #keepsMark;
    #rest = new Uint8Array();
    constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
      if (!["utf-8", "utf8", "unicode-1-1-utf-8"].includes(String(label).trim().toLowerCase())) {
        throw new RangeError(`the encoding ${label} is not available; utf-8 is`);
      }
      this.#fatal = Boolean(fatal);
      this.#keepsMark = Boolean(ignoreBOM);
    }
    get encoding() {
      return "utf-8";
    }
    get fatal() {
      return this.#fatal;
    }
    get ignoreBOM() {
      return this.#keepsMark;
    }
    decode(input, { stream = false } = {}) {
      const given = bytesOf(input);
      const all = new Uint8Array(this.#rest.length + given.length);
      all.set(this.#rest);
      all.set(given, this.#rest.length);
      const [text, used] = native.decode(all.toBase64(), this.#fatal, Boolean(stream));
      if (text === null) throw new TypeError("the bytes are no UTF-8");
      this.#rest = all.slice(used);
      return !this.#keepsMark && text.startsWith("\ufeff") ? text.slice(1) : text;
    }
  }
  return { TextEncoder, TextDecoder };
})
