import { tmpdir } from "node:os";
import { runProgram } from "../../../cli/createProgram.ts";
import { bareEnvironment, type RanCommand } from "./runWaybill.ts";

type Stream = typeof process.stdout | typeof process.stderr;

/**
 * Runs `waybill` inside this process, without the settings of this machine and without a terminal. One call at a time: the
 * environment, the folder and the streams belong to the process. Signals and pipes need a process of their own.
 */
export async function runInside(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RanCommand> {
  const { env: ownEnv, exitCode } = process;
  const folder = process.cwd();
  const out = capture(process.stdout);
  const err = capture(process.stderr);
  process.env = { ...bareEnvironment(), ...env };
  process.exitCode = undefined;
  process.chdir(tmpdir());
  try {
    await runProgram(args);
    return { code: Number(process.exitCode ?? 0), err: err.text(), out: out.text() };
  } finally {
    process.chdir(folder);
    process.exitCode = exitCode;
    process.env = ownEnv;
    for (const { restore } of [out, err]) restore();
  }
}

/** Collects what is written to a stream, which is no terminal meanwhile. */
function capture(stream: Stream) {
  const { isTTY, write } = stream;
  let text = "";
  stream.isTTY = false;
  stream.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  return {
    restore: () => {
      stream.isTTY = isTTY;
      stream.write = write;
    },
    text: () => text,
  };
}
