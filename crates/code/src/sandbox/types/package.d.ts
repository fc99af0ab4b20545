  /** One finding in what a run printed. */
  export interface Diagnostic {
    severity: "error" | "warning" | "info";
    message: string;
    code?: string;
    /** From the project's root. */
    file?: string;
    line?: number;
    column?: number;
    /** The format that it was read from: `tsc`, `jest`. */
    source: string;
  }
  /** The result of a run of one of the project's own tools. A run that fails throws a `ToolError` with it as `data`. */
  export interface RunResult {
    success: boolean;
    tool?: string;
    run_id?: string;
    exit_code?: number;
    signal?: number;
    error?: string;
    error_code?: string;
    help?: string;
    timed_out?: boolean;
    cancelled?: boolean;
    duration_ms?: number;
    /** Counts of a test runner. */
    summary?: { passed: number; failed: number; skipped: number; total: number; broken?: number };
    /** All that was found in the output, errors first. */
    diagnostics: Diagnostic[];
    /** The output; a long one without its middle. */
    output?: string;
    output_truncated?: boolean;
    data?: { stdout?: string; stderr?: string; exit_code?: number; [key: string]: unknown };
    metadata?: { [key: string]: unknown };
  }
  /** A call of a tool that failed. Its message is what the tool said. */
  export class ToolError extends Error {
    /** The tool: `server.tool`. */
    readonly tool: string;
    /** What it said beside its message: a `RunResult` of the project's own tools. */
    readonly data?: any;
    /** The findings of the run that failed. */
    readonly diagnostics: Diagnostic[];
  }
  /** All tools, by server. */
  export const tools: {
    /*TOOLS*/
  };
  export default tools;
  /** The tools that match these words, the best first: `server.function` and what it does. */
  export function search(words: string, limit?: number): Promise<Array<{ tool: string; description: string }>>;
  /** The TypeScript types of a tool, or of all tools of a server: `server.function`, `server`. */
  export function describe(tool: string): Promise<string>;
  /** Results of earlier programs of this session: of the last one, or of a run by its id. */
  export const results: {
    readonly latest: Promise<unknown>;
    get(run: string): Promise<unknown>;
  };
