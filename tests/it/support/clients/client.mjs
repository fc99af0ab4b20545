// The official TypeScript SDK's client: starts a server, or speaks to one over HTTP; lists the tools, makes the given
// calls, prints JSON.
// usage: node client.mjs '{"command": "cuff", "args": ["serve"], "calls": [{"name": "…", "arguments": {}}]}'
//        node client.mjs '{"server": "127.0.0.1:8080", "token": "…", "calls": []}'
// With "offers": true it lists prompts, resources and templates as well.
// A call may have "cancelAfter" (milliseconds) and "progress": true; "elicit" is what its person answers to each question.
// "await": true waits for the notification that the list of tools has changed after the calls, and lists again.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const tools = path.join(import.meta.dirname, "../../../tools/package.json");
const resolve = createRequire(tools).resolve;
const { Client } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/index.js")));
const { StdioClientTransport } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/stdio.js")));

const { ElicitRequestSchema, ToolListChangedNotificationSchema } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/types.js")));
const { StreamableHTTPClientTransport } = await import(
  pathToFileURL(resolve("@modelcontextprotocol/sdk/client/streamableHttp.js"))
);

const { command, args, server, token, calls = [], elicit, offers, await: awaits } = JSON.parse(process.argv[2]);

async function connection() {
  if (!server) return new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
  const url = new URL(`http://${server}/mcp`);
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

const client = new Client({ name: "test", version: "1" }, { capabilities: elicit ? { elicitation: {} } : {} });
const asked = [];
if (elicit) {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => (asked.push(params), elicit));
}
const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
await client.connect(await connection());
const { tools: list } = await client.listTools();
const others = offers && [
  (await client.listPrompts()).prompts,
  (await client.listResources()).resources,
  (await client.listResourceTemplates()).resourceTemplates,
].map((list) => list.map((entry) => entry.name));
const results = [];
for (const call of calls) {
  const { cancelAfter, progress, ...request } = call;
  const options = cancelAfter ? { signal: AbortSignal.timeout(cancelAfter) } : {};
  const steps = [];
  if (progress) options.onprogress = (step) => steps.push(step);
  const result = await client.callTool(request, undefined, options).catch((error) => ({ thrown: String(error) }));
  results.push(progress ? { ...result, steps } : result);
}
if (awaits) await changed;
const later = awaits ? (await client.listTools()).tools : undefined;
console.log(JSON.stringify({
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools: list,
  later,
  results,
  asked,
  offers: others,
}));
await client.close();
