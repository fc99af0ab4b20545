// A server whose lists have every oddity that servers in the field have, and which answers every call.
const lists = require("./odd_definitions.json");
const say = (message) => process.stdout.write(JSON.stringify({jsonrpc: "2.0", ...message}) + "\n");
const answers = {
  initialize: ({protocolVersion}) => ({
    protocolVersion, capabilities: {tools: {}, prompts: {}, resources: {}}, serverInfo: {name: "odd", version: "1"},
    instructions: `Ask \`good\` first, with ${process.env.SHOP_TOKEN}.`,
  }),
  "tools/list": () => ({tools: lists.tools}),
  "tools/call": ({name}) => ({content: [{type: "text", text: `called ${name}`}], structuredContent: {n: 1}}),
  "prompts/list": () => ({prompts: lists.prompts}),
  "resources/list": () => ({resources: lists.resources}),
  "resources/templates/list": () => ({resourceTemplates: lists.resourceTemplates}),
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id === undefined) return;
  say(answers[method] ? {id, result: answers[method](params)} : {id, error: {code: -32601, message: "no"}});
});
