import { createInterface } from "node:readline/promises";
import { CommandError, usageError } from "../terminal/CommandError.ts";
import { exitCodes } from "../terminal/exitCodes.ts";

/** Streams of a conversation; a terminal has `isTTY`. */
export type Conversation = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** The terminal of the process. Questions go to stderr: stdout has results alone. */
export const ownTerminal: Conversation = { input: process.stdin, output: process.stderr };

/**
 * Whether a person can be asked.
 */
export function isInteractive({ input, output }: Conversation = ownTerminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/**
 * Asks for a confirmation. Everything but `y` and `yes` refuses, the end of the input too.
 *
 * @throws CommandError for a refusal, with exit code 130 for Ctrl-C; the reason of `signal`.
 */
export async function askToPay(
  question: string,
  signal: AbortSignal,
  { input, output }: Conversation = ownTerminal,
): Promise<void> {
  const lines = createInterface({ input, output });
  let isInterrupted = false;
  // On a terminal, readline takes Ctrl-C as a key: the process gets no signal.
  lines.once("SIGINT", () => {
    isInterrupted = true;
    lines.close();
  });
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended]);
    // The question ended without a line: what follows begins one.
    if (answer === undefined) output.write("\n");
    if (isInterrupted) {
      throw new CommandError("Interrupted: nothing was signed or paid.", {
        code: "INTERRUPTED",
        exitCode: exitCodes.interrupted,
      });
    }
    if (/^y(es)?$/i.test(answer?.trim() ?? "")) return;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw cause;
  } finally {
    lines.close();
  }
  throw usageError("Not confirmed: nothing was signed or paid.");
}
