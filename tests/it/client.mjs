// The official TypeScript SDK's client: starts a server, lists its tools, makes the calls it is told, prints JSON.
// usage: node client.mjs '{"command": "cuff", "args": ["serve"], "calls": [{"name": "…", "arguments": {}}]}'
// A call may have "cancelAfter" (milliseconds) and "progress": true; "elicit" is what its person answers to each question.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const tools = path.join(import.meta.dirname, "../tools/package.json");
const resolve = createRequire(tools).resolve;
const { Client } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/index.js")));
const { StdioClientTransport } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/stdio.js")));

const { ElicitRequestSchema } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/types.js")));

const { command, args, calls = [], elicit } = JSON.parse(process.argv[2]);
const client = new Client({ name: "test", version: "1" }, { capabilities: elicit ? { elicitation: {} } : {} });
const asked = [];
if (elicit) {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => (asked.push(params), elicit));
}
const transport = new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
await client.connect(transport);
const { tools: list } = await client.listTools();
const results = [];
for (const call of calls) {
  const { cancelAfter, progress, ...request } = call;
  const options = cancelAfter ? { signal: AbortSignal.timeout(cancelAfter) } : {};
  const told = [];
  if (progress) options.onprogress = (step) => told.push(step);
  const result = await client.callTool(request, undefined, options).catch((error) => ({ thrown: String(error) }));
  results.push(progress ? { ...result, told } : result);
}
console.log(JSON.stringify({
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools: list,
  results,
  asked,
}));
await client.close();
