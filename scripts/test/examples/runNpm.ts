import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { root } from "../../checks/runTool.ts";

/**
 * Runs npm in a folder outside the repository, with the same Node and none of the repository's commands.
 *
 * Kills the whole process group at the time limit, and when this process exits.
 *
 * @returns The output.
 * @throws Error with the output as its cause.
 */
export function runNpm(folder: string, parameters: readonly string[], timeout = 300_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === "win32";
    const child = spawn("npm", parameters, {
      cwd: folder,
      detached: !isWindows,
      env: environment(),
      shell: isWindows,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (chunk: string) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    let reason: string | undefined;
    // npm may have ended while what it started still runs.
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(isWindows ? child.pid : -child.pid, "SIGKILL");
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
      }
    };
    const limit = setTimeout(() => {
      reason = `npm ${parameters[0]} still runs after ${timeout / 1_000} s`;
      kill();
    }, timeout);
    process.prependOnceListener("exit", kill);
    const fail = (message: string) => reject(new Error(message, { cause: output }));
    child.on("error", (error) => fail(error.message));
    child.on("close", (code) => {
      clearTimeout(limit);
      process.off("exit", kill);
      if (reason !== undefined) fail(reason);
      else if (code === 0) resolve(output);
      else fail(`npm ${parameters[0]} ended with ${code}`);
    });
  });
}

/** The environment without npm's settings of the calling script. */
function environment(): NodeJS.ProcessEnv {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => !entry.startsWith(root));
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|NODE_OPTIONS$|INIT_CWD$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    HARDHAT_DISABLE_TELEMETRY: "true",
    PATH: [dirname(process.execPath), ...path].join(delimiter),
  };
}
