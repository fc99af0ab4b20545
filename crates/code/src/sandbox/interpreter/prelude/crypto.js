// Randomness.
(function (native) {
  "use strict";
  const crypto = {
    getRandomValues(view) {
      if (!ArrayBuffer.isView(view) || view instanceof DataView || view instanceof Float32Array || view instanceof Float64Array) {
        throw new TypeError("getRandomValues fills a typed array of integers");
      }
      // A program can have it say another length each time.
      const length = view.byteLength;
      if (!(length <= 65536)) throw new DOMException("at most 65536 bytes at once", "QuotaExceededError");
      new Uint8Array(view.buffer, view.byteOffset, length).set(new Uint8Array(native.random(length)));
      return view;
    },
    randomUUID() {
      const bytes = new Uint8Array(native.random(16));
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    },
  };
  return { crypto };
})
