  /** A call of a tool that failed. Its message is what the tool said. */
  export class ToolError extends Error {
    /** The tool: `server.tool`. */
    readonly tool: string;
    /** What it said beside its message: a `RunResult` of the project's own tools. */
    readonly data?: any;
    /** The findings of the run that failed. */
    readonly diagnostics: Diagnostic[];
  }
  /** The tools that match these words, the best first: `server.function` and what it does. */
  export function search(words: string, limit?: number): Promise<Array<{ tool: string; description: string }>>;
  /** The TypeScript types of a tool, or of all tools of a server: `server.function`, `server`. */
  export function describe(tool: string): Promise<string>;
  /** Results of earlier programs of this session: of the last one, or of a run by its id. */
  export const results: {
    readonly latest: Promise<unknown>;
    get(run: string): Promise<unknown>;
  };
