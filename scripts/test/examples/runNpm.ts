import { type ExecFileException, execFile } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import { root } from "../../checks/runTool.ts";

/**
 * Runs npm in a folder outside the repository, with the same Node and none of the repository's commands.
 *
 * @returns The output.
 * @throws Error with the output as its cause.
 */
export async function runNpm(
  folder: string,
  parameters: readonly string[],
  timeout = 300_000,
): Promise<string> {
  const shell = process.platform === "win32";
  const options = { cwd: folder, env: environment(), maxBuffer: Number.POSITIVE_INFINITY, shell, timeout };
  try {
    const { stderr, stdout } = await promisify(execFile)("npm", parameters, options);
    return stdout + stderr;
  } catch (error) {
    const { code, killed, stderr, stdout } = error as ExecFileException;
    const end = killed === true ? `still runs after ${timeout / 1_000} s` : `ended with ${code}`;
    throw new Error(`npm ${parameters[0]} ${end}`, { cause: `${stdout}${stderr}` });
  }
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
