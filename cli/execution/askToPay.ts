import { createInterface } from "node:readline/promises";
import { usageError } from "../terminal/CommandError.ts";

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
 * @throws CommandError for a refusal; the reason of `signal`.
 */
export async function askToPay(
  question: string,
  signal: AbortSignal,
  { input, output }: Conversation = ownTerminal,
): Promise<void> {
  const lines = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended]);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw cause;
  } finally {
    lines.close();
  }
  throw usageError("Not confirmed: nothing was signed or paid.");
}
