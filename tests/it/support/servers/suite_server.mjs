// The server that the official conformance suite wants to test: all tools, prompts and resources that its scenarios name,
// by the official TypeScript SDK, in both eras of the protocol.
// usage: bun suite_server.mjs stdio|http sessions|newest|both
// With `http` it prints its address. `sessions` are the protocols with a handshake, `newest` is the one without.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const { resolve } = createRequire(path.join(import.meta.dirname, "../../../tools/package.json"));
const sdk = await import(pathToFileURL(resolve("@modelcontextprotocol/server")));
const { serveStdio } = await import(pathToFileURL(resolve("@modelcontextprotocol/server/stdio")));
const { McpServer, ResourceTemplate, fromJsonSchema, inputRequired } = sdk;

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const text = (text) => ({ type: "text", text });
const said = (...content) => ({ content });
const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });
const string = { type: "string" };
const asks = (message, properties) =>
  inputRequired.elicit({ message, requestedSchema: object(properties) });
const samples = (prompt) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });
/** The content of an answer that a person accepted. */
const accepted = (answer) => (answer?.action === "accept" ? answer.content : undefined);
const outcome = (answer) => `action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;

const states = sdk.createRequestStateCodec({ key: "the key of the states of this server of the tests" });

// Each trigger takes a tool away or brings it back, for all connections.
let isToggled = false;
const connections = new Set();
const announce = (change) => connections.forEach((connection) => connection[change]());

/** The names of tools, what takes them, and what they do with their arguments and the context of the request. */
const TOOLS = {
  test_simple_text: () => said(text("This is a simple text response for testing.")),
  test_image_content: () => said({ type: "image", data: PNG, mimeType: "image/png" }),
  test_audio_content: () => said({ type: "audio", data: WAV, mimeType: "audio/wav" }),
  test_embedded_resource: () => said({
    type: "resource",
    resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
  }),
  test_multiple_content_types: () => said(
    text("Multiple content types test:"),
    { type: "image", data: PNG, mimeType: "image/png" },
    {
      type: "resource",
      resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data","value":123}' },
    },
  ),
  test_error_handling: () => {
    throw new Error("This tool intentionally returns an error for testing");
  },
  async test_tool_with_logging(_, { mcpReq }) {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", message);
      await wait(20);
    }
    return said(text("Tool with logging executed successfully"));
  },
  async test_logging_tool(_, { mcpReq }) {
    await mcpReq.log("info", "logged");
    return said(text("logged"));
  },
  async test_tool_with_progress(_, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      }
      await wait(20);
    }
    return said(text("Tool with progress executed successfully"));
  },
  test_trigger_tool_change() {
    isToggled = !isToggled;
    announce("toggle");
    return said(text("changed"));
  },
  test_trigger_prompt_change() {
    announce("tellOfPrompts");
    return said(text("changed"));
  },
  test_trigger_resource_change() {
    announce("touch");
    return said(text("changed"));
  },
  test_input_required_result_elicitation(_, { mcpReq }) {
    const answer = accepted(mcpReq.inputResponses?.user_name);
    if (answer) return said(text(`Hello, ${answer.name}!`));
    return inputRequired({ inputRequests: { user_name: asks("What is your name?", { name: string }) } });
  },
  test_streaming_elicitation(_, { mcpReq }) {
    const answer = accepted(mcpReq.inputResponses?.user_name);
    if (answer) return said(text(`Hello, ${answer.name}!`));
    return inputRequired({ inputRequests: { user_name: asks("What is your name?", { name: string }) } });
  },
  test_input_required_result_sampling(_, { mcpReq }) {
    const answer = mcpReq.inputResponses?.capital_question;
    if (answer) return said(text(answer.content.text));
    return inputRequired({ inputRequests: { capital_question: samples("What is the capital of France?") } });
  },
  test_missing_capability: () => inputRequired({ inputRequests: { words: samples("Say something") } }),
  test_input_required_result_list_roots(_, { mcpReq }) {
    const answer = mcpReq.inputResponses?.client_roots;
    if (answer) return said(text(JSON.stringify(answer.roots)));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  async test_input_required_result_request_state(_, { mcpReq }) {
    if (accepted(mcpReq.inputResponses?.confirm) && mcpReq.requestState()) return said(text("state-ok"));
    return inputRequired({
      inputRequests: { confirm: asks("Please confirm", { ok: { type: "boolean" } }) },
      requestState: await states.mint({ asked: "confirm" }),
    });
  },
  async test_input_required_result_multiple_inputs(_, { mcpReq }) {
    const { user_name, greeting, client_roots } = mcpReq.inputResponses ?? {};
    if (user_name && greeting && client_roots) return said(text("all of them"));
    return inputRequired({
      inputRequests: {
        user_name: asks("What is your name?", { name: string }),
        greeting: samples("Generate a greeting"),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ asked: "all" }),
    });
  },
  async test_input_required_result_multi_round(_, { mcpReq }) {
    const { step1, step2 } = mcpReq.inputResponses ?? {};
    const state = mcpReq.requestState();
    if (accepted(step2) && state?.name) return said(text(`${state.name} likes ${step2.content.color}`));
    const name = accepted(step1)?.name;
    return inputRequired({
      inputRequests: name
        ? { step2: asks("Step 2: What is your favorite color?", { color: string }) }
        : { step1: asks("Step 1: What is your name?", { name: string }) },
      requestState: await states.mint({ name }),
    });
  },
  async test_input_required_result_tampered_state(_, { mcpReq }) {
    if (mcpReq.requestState()) return said(text("state-ok"));
    return inputRequired({
      inputRequests: { confirm: asks("Please confirm", { ok: { type: "boolean" } }) },
      requestState: await states.mint({ asked: "confirm" }),
    });
  },
  test_input_required_result_capabilities(_, { mcpReq }) {
    const can = mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
    const inputRequests = {};
    if (can.sampling) inputRequests.words = samples("Say something");
    if (can.elicitation) inputRequests.user_name = asks("What is your name?", { name: string });
    return inputRequired({ inputRequests });
  },
};

/** The same for tools with arguments, and those that ask in the session. */
const TOOLS_WITH_SCHEMA = {
  test_sampling: [object({ prompt: string }), async ({ prompt }, { mcpReq }) => {
    const answer = await mcpReq.requestSampling({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });
    return said(text(`LLM response: ${answer.content.text}`));
  }],
  test_elicitation: [object({ message: string }), async ({ message }, { mcpReq }) => {
    const requestedSchema = object({
      username: { type: "string", description: "User's response" },
      email: { type: "string", description: "User's email address" },
    });
    return said(text(`User response: ${outcome(await mcpReq.elicitInput({ message, requestedSchema }))}`));
  }],
  test_elicitation_sep1034_defaults: [object({}), async (_, { mcpReq }) => {
    const properties = {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    };
    const answer = await mcpReq.elicitInput({ message: "Review", requestedSchema: object(properties, []) });
    return said(text(`Elicitation completed: ${outcome(answer)}`));
  }],
  test_elicitation_sep1330_enums: [object({}), async (_, { mcpReq }) => {
    const titled = (word) => [1, 2, 3].map((n) => ({ const: `value${n}`, title: `${word} ${n}` }));
    const options = ["option1", "option2", "option3"];
    const properties = {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled("Option") },
      legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
    };
    const answer = await mcpReq.elicitInput({ message: "Choose", requestedSchema: object(properties, []) });
    return said(text(`Elicitation completed: ${outcome(answer)}`));
  }],
  test_header_argument: [
    object({ region: { type: "string", "x-mcp-header": "Region" } }),
    ({ region }) => said(text(region)),
  ],
  json_schema_2020_12_tool: [{
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: string, city: string } } },
    properties: {
      name: string,
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: string,
      email: string,
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  }, (given) => said(text(JSON.stringify(given)))],
};

/** The prompts: the arguments that they take, and their messages. */
const PROMPTS = {
  test_simple_prompt: [[], () => [text("This is a simple prompt for testing.")]],
  test_prompt_with_arguments: [["arg1", "arg2"], ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]],
  test_prompt_with_embedded_resource: [["resourceUri"], ({ resourceUri }) => [
    {
      type: "resource",
      resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
    },
    text("Please process the embedded resource above."),
  ]],
  test_prompt_with_image: [[], () => [
    { type: "image", data: PNG, mimeType: "image/png" },
    text("Please analyze the image above."),
  ]],
};

function addPrompts(server) {
  const messages = (contents) => ({ messages: contents.map((content) => ({ role: "user", content })) });
  for (const [name, [parameters, say]] of Object.entries(PROMPTS)) {
    const about = { description: `The prompt ${name} of the suite` };
    if (parameters.length === 0) {
      server.registerPrompt(name, about, () => messages(say()));
    } else {
      const properties = Object.fromEntries(parameters.map((parameter) => [parameter, string]));
      const argsSchema = fromJsonSchema(object(properties));
      server.registerPrompt(name, { ...about, argsSchema }, (given) => messages(say(given)));
    }
  }
  const about = { description: "A prompt that asks for its context" };
  server.registerPrompt("test_input_required_result_prompt", about, ({ mcpReq }) => {
    const answer = accepted(mcpReq.inputResponses?.user_context);
    if (answer) return messages([text(answer.context)]);
    const asked = asks("What context should the prompt use?", { context: string });
    return inputRequired({ inputRequests: { user_context: asked } });
  });
  server.server.setRequestHandler("completion/complete", ({ params }) => {
    const values = ["paris", "park", "party"].filter((value) => value.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

function addResources(server) {
  const plain = { mimeType: "text/plain" };
  const static_text = "This is the content of the static text resource.";
  server.registerResource("static text", "test://static-text", plain, ({ href: uri }) => (
    { contents: [{ uri, ...plain, text: static_text }] }
  ));
  server.registerResource("static binary", "test://static-binary", { mimeType: "image/png" }, ({ href: uri }) => (
    { contents: [{ uri, mimeType: "image/png", blob: PNG }] }
  ));
  server.registerResource("watched", "test://watched-resource", plain, ({ href: uri }) => (
    { contents: [{ uri, ...plain, text: "watched" }] }
  ));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href: uri }, { id }) => (
    { contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }] }
  ));
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
    server.server.setRequestHandler(method, () => ({}));
  }
}

/** A server for one connection, or for one request of the newest protocol. */
function build() {
  const capabilities = {
    completions: {},
    logging: {},
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    tools: { listChanged: true },
  };
  const requestState = { verify: states.verify };
  const server = new McpServer({ name: "suite", version: "1.0.0" }, { capabilities, requestState });
  const describe = (name) => ({ description: `The tool ${name} of the suite` });
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, describe(name), (context) => run({}, context));
  }
  for (const [name, [schema, run]] of Object.entries(TOOLS_WITH_SCHEMA)) {
    server.registerTool(name, { ...describe(name), inputSchema: fromJsonSchema(schema) }, run);
  }
  const toggled = server.registerTool("test_toggled", describe("test_toggled"), () => said(text("here")));
  toggled.enabled = !isToggled;
  addPrompts(server);
  addResources(server);
  return { server, toggled };
}

/** A server of a connection that lasts, and so hears of the changes that any other brought about. */
function connected() {
  const { server, toggled } = build();
  const connection = {
    toggle: () => (isToggled ? toggled.disable() : toggled.enable()),
    tellOfPrompts: () => server.sendPromptListChanged(),
    touch: () => server.server.sendResourceUpdated({ uri: "test://watched-resource" }),
  };
  connections.add(connection);
  server.server.onclose = () => connections.delete(connection);
  return server;
}

/** The protocols with a handshake, a session each. */
function sessions() {
  const open = new Map();
  return async (request) => {
    const id = request.headers.get("mcp-session-id");
    if (id) return open.get(id)?.handleRequest(request) ?? new Response("no such session", { status: 404 });
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    await connected().connect(transport);
    return transport.handleRequest(request);
  };
}

const [transport, era] = process.argv.slice(2);
if (transport === "stdio") {
  serveStdio(connected, { legacy: era === "newest" ? "reject" : "serve" });
} else {
  const newest = sdk.createMcpHandler(() => build().server, { legacy: "reject" });
  const withSessions = sessions();
  connections.add({
    toggle: () => newest.notify.toolsChanged(),
    tellOfPrompts: () => newest.notify.promptsChanged(),
    touch: () => newest.notify.resourceUpdated("test://watched-resource"),
  });
  const { port } = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const refused = sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames())
        ?? sdk.originValidationResponse(request, sdk.localhostAllowedOrigins());
      if (refused) return refused;
      const hasSession = era === "sessions" || (era === "both" && (await sdk.isLegacyRequest(request)));
      return hasSession ? withSessions(request) : newest.fetch(request);
    },
  });
  console.log(`http://127.0.0.1:${port}/mcp`);
}
