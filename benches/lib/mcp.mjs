// A client of MCP servers over standard input and output.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const now = () => performance.now();
export const at = (times, share) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};

// Approves the settings of a project as its person: agents have nothing of others. `env` has a home folder of its own.
export function approve(cuff, project, env) {
  const configuration = join(env.XDG_CONFIG_HOME ?? join(env.HOME, ".config"), "cuff");
  mkdirSync(configuration, { recursive: true });
  writeFileSync(join(configuration, "preferences.yml"), "noninteractive_yes: true\n");
  execFileSync(cuff, ["approve", "settings", "--yes"], { cwd: project, env, stdio: "ignore" });
}

export class Client {
  constructor(command, args, options = {}) {
    this.child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
    this.waiting = new Map();
    this.next = 1;
    let partial = "";
    this.child.stdout.setEncoding("utf8").on("data", (some) => {
      const lines = (partial + some).split("\n");
      partial = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.method) continue;
        this.waiting.get(message.id)?.(message);
        this.waiting.delete(message.id);
      }
    });
  }
  ask(method, params = {}) {
    const id = this.next++;
    this.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return new Promise((answered) => this.waiting.set(id, answered));
  }
  async open() {
    const clientInfo = { name: "bench", version: "1" };
    await this.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }
  // All tools, of all pages.
  async list() {
    const all = [];
    let cursor;
    do {
      const { result } = await this.ask("tools/list", cursor ? { cursor } : {});
      all.push(...result.tools);
      cursor = result.nextCursor;
    } while (cursor);
    return all;
  }
  // Until a list has as many tools.
  async listed(count) {
    let all = await this.list();
    while (all.length < count) all = await this.list();
    return all;
  }
  memory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  }
  close() {
    this.child.stdin.end();
    return new Promise((ended) => this.child.on("exit", ended));
  }
}
