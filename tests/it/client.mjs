// The official TypeScript SDK's client: starts a server, lists its tools, makes the calls it is told, prints JSON.
// usage: node client.mjs '{"command": "cuff", "args": ["serve"], "calls": [{"name": "…", "arguments": {}}]}'
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const tools = path.join(import.meta.dirname, "../tools/package.json");
const resolve = createRequire(tools).resolve;
const { Client } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/index.js")));
const { StdioClientTransport } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/stdio.js")));

const { command, args, calls = [] } = JSON.parse(process.argv[2]);
const client = new Client({ name: "test", version: "1" });
const transport = new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
await client.connect(transport);
const { tools: list } = await client.listTools();
const results = [];
for (const call of calls) {
  const { cancelAfter, ...request } = call;
  const options = cancelAfter ? { signal: AbortSignal.timeout(cancelAfter) } : {};
  results.push(await client.callTool(request, undefined, options).catch((error) => ({ thrown: String(error) })));
}
console.log(JSON.stringify({
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools: list,
  results,
}));
await client.close();
