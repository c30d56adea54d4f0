import { type ExecFileException, execFile } from "node:child_process";
import { basename, delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import { root } from "../../checks/runTool.ts";

/**
 * Runs a package manager in a folder outside the repository, with the same Node and none of the repository's commands.
 *
 * @param settings Further variables of its environment.
 * @returns The output.
 * @throws Error with the output as its cause.
 */
export async function runCommand(
  folder: string,
  [command, ...parameters]: readonly [string, ...string[]],
  { settings = {}, timeout = 300_000 }: { settings?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<string> {
  const shell = process.platform === "win32";
  const env = { ...environment(), ...settings };
  const options = { cwd: folder, env, maxBuffer: Number.POSITIVE_INFINITY, shell, timeout };
  try {
    const { stderr, stdout } = await promisify(execFile)(command, parameters, options);
    return stdout + stderr;
  } catch (error) {
    const { code, killed, stderr, stdout } = error as ExecFileException;
    const end = killed === true ? `still runs after ${timeout / 1_000} s` : `ended with ${code}`;
    throw new Error(`${basename(command)} ${parameters[0]} ${end}`, { cause: `${stdout}${stderr}` });
  }
}

/** The environment without npm's settings of the calling script. */
export function environment(): NodeJS.ProcessEnv {
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
