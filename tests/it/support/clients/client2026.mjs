// The official TypeScript client of the newest protocol, which asks for what the server speaks: `auto`, `legacy`, or a
// version that must be spoken. Lists, makes the given calls, prints JSON.
// usage: node client2026.mjs '{"command": "cuff", "args": ["serve"], "mode": "auto", "calls": [{"name": "…"}]}'
// With "offers": true it lists prompts, resources and templates as well.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const { resolve } = createRequire(path.join(import.meta.dirname, "../../../tools/package.json"));
const { Client } = await import(pathToFileURL(resolve("@modelcontextprotocol/client")));
const { StdioClientTransport } = await import(pathToFileURL(resolve("@modelcontextprotocol/client/stdio")));

const { command, args, mode, calls, offers } = JSON.parse(process.argv[2]);
const negotiated = mode === "auto" || mode === "legacy" ? mode : { pin: mode };
const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: negotiated } });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
const { tools } = await client.listTools();
const others = offers && [
  (await client.listPrompts()).prompts,
  (await client.listResources()).resources,
  (await client.listResourceTemplates()).resourceTemplates,
].map((list) => list.map((entry) => entry.name));
const results = [];
for (const call of calls) {
  results.push(await client.callTool(call).catch((error) => ({ thrown: String(error) })));
}
console.log(JSON.stringify({
  version: client.getNegotiatedProtocolVersion?.(),
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools,
  results,
  offers: others,
}));
await client.close();
