// The client that the official conformance suite starts for each of its scenarios: cuff, and a person who logs in.
//
// It writes settings for the address that the suite names, and runs `cuff mcp test` and each tool. Where cuff says that
// a login is needed, it runs `cuff mcp login` and opens the address that this prints, as a browser would.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [cuff, url] = process.argv.slice(2);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const base = mkdtempSync(join(tmpdir(), "client-"));
const folder = (name) => {
  mkdirSync(join(base, name), { recursive: true });
  return join(base, name);
};
const env = { PATH: process.env.PATH, HOME: folder("home"), TMPDIR: folder("tmp"), LANG: "C.UTF-8" };
for (const kind of ["CONFIG", "DATA", "STATE", "CACHE"]) {
  env[`XDG_${kind}_HOME`] = folder(kind.toLowerCase());
}
writeFileSync(join(folder("config/cuff"), "preferences.yml"), "noninteractive_yes: true\n");

const oauth = {};
if (context.issuer) {
  Object.assign(oauth, { client_id: context.client_id, client_secret: context.client_secret, issuer: context.issuer });
}
if (scenario === "auth/basic-cimd") {
  oauth.client_metadata_url = "https://conformance-test.local/client-metadata.json";
}
const settings = { version: "1", plugins: { server: { type: "mcp", url, oauth } } };
writeFileSync(join(folder("project"), "settings.yml"), JSON.stringify(settings));

const run = (words, { input = "", see = () => {} } = {}) =>
  new Promise((done) => {
    const child = spawn(cuff, words, { cwd: join(base, "project"), env });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => {
      err += data;
      see(err);
    });
    child.on("close", (code) => {
      console.error(`$ cuff ${words.join(" ")}\n${out}${err}exit code ${code}`);
      done({ code, out, err });
    });
    child.stdin.end(input);
  });

const login = () => {
  let opened = false;
  const see = (said) => {
    const address = said.match(/^(http\S+)\n/m)?.[1];
    if (address && !opened) {
      opened = true;
      fetch(address).catch((error) => console.error(`the browser failed: ${error}`));
    }
  };
  return run(["mcp", "login", "server", "--no-browser"], { see });
};

/// Runs cuff, and logs in and runs it again where that is what it wants, at most twice.
const withLogin = async (words, options) => {
  for (let logins = 0; ; logins++) {
    const ran = await run(words, options);
    const wantsLogin = /cuff mcp login|needs_login/.test(ran.out + ran.err);
    if (!wantsLogin || logins === 2 || (await login()).code !== 0) {
      return ran;
    }
  }
};

/// The calls that the scenario names, else one of each tool.
const calls = (tools) => {
  const usual = { add_numbers: { a: 5, b: 3 }, valid_tool: { region: "eu" } };
  // One tool wants to see the schema that another one has.
  const schema = tools.find((tool) => tool.original === "json_schema_2020_12_tool")?.parameters;
  const given = (name) => usual[name] ?? (name === "json_schema_echo" ? { schema } : {});
  return context.toolCalls ?? tools.map(({ original: name }) => ({ name, arguments: given(name) }));
};
/// cuff refuses null where the schema has none, so it is left out, as a person would.
const withoutNull = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

/// The scenarios in which the server asks a person: an agent's client brings the answers, through `cuff serve`.
const ASKING = ["sep-2322-client-request-state", "elicitation-sep1034-client-defaults"];

/// The content of a form: its defaults, else a value that fits.
const filledIn = (schema) => {
  const value = ({ type, default: usual, enum: choices }) =>
    usual ?? choices?.[0] ?? { string: "text", boolean: true, integer: 1, number: 1, array: [] }[type];
  return Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, field]) => [name, value(field)]));
};

/// Calls every tool once and accepts every question.
const serveAndCall = () =>
  new Promise((done) => {
    const child = spawn(cuff, ["serve", "--expose", "tools"], { cwd: join(base, "project"), env });
    const say = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
    let [partial, next, waiting] = ["", 1, new Map()];
    const ask = (method, params) => {
      say({ id: next, method, params });
      return new Promise((answered) => waiting.set(next++, answered));
    };
    child.stderr.pipe(process.stderr);
    child.stdout.on("data", (data) => {
      const lines = (partial + data).split("\n");
      partial = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.method === "elicitation/create") {
          const content = filledIn(message.params.requestedSchema);
          say({ id: message.id, result: { action: "accept", content } });
        } else if (!message.method) {
          waiting.get(message.id)?.(message);
        }
      }
    });
    child.on("close", done);
    (async () => {
      const clientInfo = { name: "t", version: "1" };
      const capabilities = { elicitation: { form: {} } };
      await ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
      say({ method: "notifications/initialized" });
      // A list does not wait for a server that takes its time.
      let tools = [];
      while (tools.length === 0) {
        const { result } = await ask("tools/list", {});
        tools = result.tools.filter(({ name }) => name.startsWith("server."));
        if (tools.length === 0) await new Promise((later) => setTimeout(later, 100));
      }
      for (const { name } of tools) {
        await ask("tools/call", { name, arguments: {} });
      }
      child.stdin.end();
    })();
  });

await run(["approve", "settings", "--yes"]);
if (ASKING.includes(scenario)) {
  process.exit(await serveAndCall());
}
let failed = (await withLogin(["mcp", "test", "server", "--json"])).code !== 0;
const listed = JSON.parse((await run(["list", "--json"])).out);
for (const { name, arguments: given } of calls(listed.tools)) {
  const tool = listed.tools.find(({ original }) => original === name)?.name ?? `server.${name}`;
  const input = JSON.stringify(withoutNull(given));
  const ran = await withLogin(["run", tool, "--json-input", "-"], { input });
  failed ||= ran.code !== 0;
}
process.exit(failed ? 1 : 0);
