// The official TypeScript SDK's client: starts a server, or speaks to those there are, each in turn, over HTTP; lists
// the tools, makes the given calls, prints JSON.
// usage: node client.mjs '{"command": "cuff", "args": ["serve"], "calls": [{"name": "…", "arguments": {}}]}'
//        node client.mjs '{"servers": ["127.0.0.1:8080"], "token": "…", "calls": []}'
// A call may have "cancelAfter" (milliseconds) and "progress": true; "elicit" is what its person answers to each question.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import http from "node:http";
import path from "node:path";

const tools = path.join(import.meta.dirname, "../../../tools/package.json");
const resolve = createRequire(tools).resolve;
const { Client } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/index.js")));
const { StdioClientTransport } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/client/stdio.js")));

const { ElicitRequestSchema } = await import(pathToFileURL(resolve("@modelcontextprotocol/sdk/types.js")));
const { StreamableHTTPClientTransport } = await import(
  pathToFileURL(resolve("@modelcontextprotocol/sdk/client/streamableHttp.js"))
);

const { command, args, servers, token, calls = [], elicit } = JSON.parse(process.argv[2]);

// A balancer that knows nothing of MCP: the next request goes to the next server.
async function balance(servers) {
  let turn = 0;
  const balancer = http.createServer((asked, answer) => {
    const [host, port] = servers[turn++ % servers.length].split(":");
    const { method, url, headers } = asked;
    const passed = http.request({ host, port, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode, answered.headers);
      answered.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise((listening) => balancer.listen(0, "127.0.0.1", listening));
  balancer.unref();
  return balancer.address().port;
}

async function connection() {
  if (!servers) return new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
  const url = new URL(`http://127.0.0.1:${await balance(servers)}/mcp`);
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

const client = new Client({ name: "test", version: "1" }, { capabilities: elicit ? { elicitation: {} } : {} });
const asked = [];
if (elicit) {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => (asked.push(params), elicit));
}
await client.connect(await connection());
const { tools: list } = await client.listTools();
const results = [];
for (const call of calls) {
  const { cancelAfter, progress, ...request } = call;
  const options = cancelAfter ? { signal: AbortSignal.timeout(cancelAfter) } : {};
  const steps = [];
  if (progress) options.onprogress = (step) => steps.push(step);
  const result = await client.callTool(request, undefined, options).catch((error) => ({ thrown: String(error) }));
  results.push(progress ? { ...result, steps } : result);
}
console.log(JSON.stringify({
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools: list,
  results,
  asked,
}));
await client.close();
