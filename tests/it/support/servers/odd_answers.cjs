// A server whose answers are odd JSON, or whose errors are not what its output schema says. Its word: `plain`, `list` (a tool of
// its list is no JSON), `babble` (it prints no messages).
const [how] = process.argv.slice(2);
const say = (id, result) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);
const text = (text) => `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
const schema = {type: "object", properties: {x: {type: "string"}}};
const typed = {name: "typed-one", inputSchema: schema, outputSchema: {type: "object", properties: {n: {type: "integer"}}, required: ["n"]}};
const tools = [typed, {name: "plain", inputSchema: schema}].map((tool) => JSON.stringify(tool));
if (how === "list") tools.push(`{"name":"not-json","inputSchema":{"type":"object","properties":{"x":{"default":NaN}}}}`);
if (how === "babble") { console.log("Listening on port 3000"); setInterval(() => {}, 1000); }
const answers = {
  half: String.raw`{"content":[{"type":"text","text":"half \ud83d"}]}`,
  nan: `{"content":[{"type":"text","text":"x"}],"structuredContent":{"x":NaN}}`,
  deep: `{"content":[],"structuredContent":{"x":${"[".repeat(200)}${"]".repeat(200)}}}`,
  big: `{"content":[{"type":"text","text":"big"}],"structuredContent":{"id":1234567890123456789}}`,
  fail: `{"isError":true,"content":[{"type":"text","text":"no such thing"}],"structuredContent":{"error":"no"}}`,
  one: `{"content":[{"type":"text","text":"one"}],"structuredContent":{"n":1}}`,
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id === undefined || how === "babble") return;
  if (method === "initialize") return say(id, JSON.stringify({protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "toy", version: "1"}}));
  if (method === "tools/list") return say(id, `{"tools":[${tools}]}`);
  if (params.arguments.x === "die") { console.error("out of memory"); process.exit(9); }
  say(id, answers[params.arguments.x] ?? text(JSON.stringify(params.arguments)));
});
