import { spawn } from "node:child_process";
import { join } from "node:path";

export type ToolResult = { ok: boolean; stdout: string; output: string };

/** The repository's root, independent of the working directory. */
export const root = join(import.meta.dirname, "..", "..");

/**
 * Runs an installed command-line tool under this Node, without a shell.
 *
 * @param script The tool's file under node_modules, portable across systems.
 */
export function runTool(script: string, parameters: readonly string[], input = ""): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "node_modules", script), ...parameters], { cwd: root });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ ok: code === 0, stdout, output }));
    child.stdin.end(input);
  });
}
