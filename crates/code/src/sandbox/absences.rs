//! The globals of other environments that a program does not have, and what to use in their place.

/// The replacement for a global that is missing on purpose.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "fetch" | "XMLHttpRequest" | "WebSocket" | "EventSource" | "Request" | "Response" | "Headers" => {
            "a program has no network; call a tool that fetches, as `await tools.SERVER.TOOL({ … })`"
        }
        "process" => {
            "a program has no process, environment or arguments; `return` a result, or throw an error to fail"
        }
        "require" | "module" | "exports" | "__dirname" | "__filename" => {
            "there are no modules but `toolscript`; write `import { tools } from \"toolscript\"`"
        }
        "Deno" | "Bun" => "a program has no files, network or processes; call tools for them",
        "fs" | "path" | "os" | "child_process" => {
            "a program has no files and no processes; call a tool for it"
        }
        "Buffer" => "use `Uint8Array`, `TextEncoder`, `TextDecoder`, `atob` and `btoa`",
        "window" | "self" | "global" => "the global object is `globalThis`",
        "document" | "localStorage" | "sessionStorage" | "navigator" | "location" | "alert" | "prompt" => {
            "a program does not run in a browser; call tools, and `return` a result"
        }
        "Intl" => {
            "`toLocaleString`, `toLocaleDateString` and `localeCompare` write and sort as English does, in UTC; all else by \
             hand, with `toFixed`, `toISOString` and `padStart`"
        }
        "Temporal" => "use `Date`, in UTC",
        "WebAssembly" | "Worker" | "SharedWorker" => "a program is one thread of JavaScript",
        "Blob" | "File" | "FormData" | "ReadableStream" | "WritableStream" | "TransformStream" => {
            "use strings and `Uint8Array`"
        }
        _ => return None,
    })
}

/// The globals that a program has.
pub(super) const GLOBALS: &[&str] = &[
    "AbortController",
    "AbortSignal",
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "AsyncDisposableStack",
    "Atomics",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "DOMException",
    "DataView",
    "Date",
    "DisposableStack",
    "Error",
    "EvalError",
    "Event",
    "EventTarget",
    "FinalizationRegistry",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "Function",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "InternalError",
    "Iterator",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "SharedArrayBuffer",
    "String",
    "SuppressedError",
    "Symbol",
    "SyntaxError",
    "TextDecoder",
    "TextEncoder",
    "ToolError",
    "TypeError",
    "URIError",
    "URL",
    "URLSearchParams",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "arguments",
    "atob",
    "btoa",
    "clearImmediate",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "globalThis",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
    "performance",
    "queueMicrotask",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "tools",
    "undefined",
    "unescape",
];
