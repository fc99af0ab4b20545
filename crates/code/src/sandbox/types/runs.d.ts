  /** One finding in what a run printed. */
  export interface Diagnostic {
    severity: "error" | "warning" | "info";
    message: string;
    code?: string;
    /** From the project's root. */
    file?: string;
    line?: number;
    column?: number;
    /** How many equal findings it stands for, if more than one. */
    times?: number;
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
