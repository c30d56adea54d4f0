import { createInterface } from "node:readline/promises";
import { CommandError, exitCodes } from "./CommandError.ts";

/** Streams of a conversation; a terminal has `isTTY`. */
export type Conversation = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** The terminal of the process. Questions go to stderr: stdout has results alone. */
const ownTerminal: Conversation = { input: process.stdin, output: process.stderr };

/** Whether a person can be asked. */
export function isInteractive({ input, output }: Conversation = ownTerminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** A question before something irreversible. */
export type Question = {
  /** Without `[y/N]`. */
  readonly question: string;
  readonly signal: AbortSignal;
  /** Ends the sentence of an interrupt, such as `nothing was sent`. */
  readonly undone: string;
};

/**
 * Asks for a confirmation.
 *
 * @returns Whether the answer is `y` or `yes`; false at the end of the input.
 * @throws CommandError for Ctrl-C, with exit code 130; the reason of `signal`.
 */
export async function confirm(
  { question, signal, undone }: Question,
  { input, output }: Conversation = ownTerminal,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  let isInterrupted = false;
  // On a terminal, readline takes Ctrl-C as a key: the process gets no signal.
  lines.once("SIGINT", () => {
    isInterrupted = true;
    lines.close();
  });
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  let answer: string | undefined;
  try {
    answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended]);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw cause;
  } finally {
    lines.close();
  }
  // The question ended without a line: what follows begins one.
  if (answer === undefined) output.write("\n");
  if (isInterrupted) {
    throw new CommandError(`Interrupted: ${undone}.`, {
      code: "INTERRUPTED",
      exitCode: exitCodes.interrupted,
    });
  }
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
