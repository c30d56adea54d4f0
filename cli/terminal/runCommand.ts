import type { Command } from "commander";
import { describeFailure } from "./describeFailure.ts";
import { type ExitCode, exitCodes } from "./exitCodes.ts";
import { readStop, stopSignal } from "./stops.ts";
import { type CommonOptions, createTerminal, printLines, type Terminal, toJson } from "./Terminal.ts";

/** The work of a command: takes its flags and arguments, and returns its exit code, 0 by default. */
export type Work<Options, Arguments extends readonly unknown[]> = (
  terminal: Terminal,
  options: Options & CommonOptions,
  ...args: Arguments
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing.
) => Promise<ExitCode | void>;

/** Time to end after a stop, in milliseconds. */
const graceMs = 2_000;

/**
 * Gives a command its work and the flags that every command has.
 *
 * @param isServer Whether the work ends in order at Ctrl-C, with an exit code of its own.
 */
export function withWork<Options, Arguments extends readonly unknown[]>(
  command: Command,
  work: Work<Options, Arguments>,
  { isServer = false }: { readonly isServer?: boolean } = {},
): Command {
  const known = command.options.map(({ long }) => long);
  if (!known.includes("--json")) command.option("--json", "print results and errors as JSON");
  return command
    .option("--no-color", "print without colours, as NO_COLOR does")
    .option("--verbose", "print the stack and the causes of an error")
    .action(async (...given: unknown[]) => {
      const args = given.slice(0, -2) as unknown as Arguments;
      const options = given.at(-2) as Options & CommonOptions;
      try {
        const running = work(createTerminal(options, stopSignal), options, ...args);
        process.exitCode = (await (isServer ? running : orStop(running, stopSignal))) ?? exitCodes.ok;
      } catch (error) {
        process.exitCode = reportFailure(readStop() ?? error, options);
      }
    });
}

/** Rejects some time after a stop if the work goes on regardless. */
async function orStop<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const later = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    };
    if (signal.aborted) later();
    else signal.addEventListener("abort", later, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Prints a failure in one line on stderr, or as JSON, and returns its exit code. */
export function reportFailure(error: unknown, options: Pick<CommonOptions, "json" | "verbose">): ExitCode {
  const { code, exitCode, message } = describeFailure(error);
  // The reader had enough: that is no mistake.
  if (exitCode === exitCodes.closedPipe) return exitCode;
  const text = options.json === true ? toJson({ error: { code, exitCode, message } }) : `error: ${message}`;
  process.stderr.write(`${text}\n`);
  if (options.verbose === true) process.stderr.write(printLines(withoutSecrets(stacksOf(error))));
  return exitCode;
}

/** Keeps scheme and host of URLs: the rest may be a key of a node. */
function withoutSecrets(text: string): string {
  return text.replace(/\b(https?|wss?):\/\/[^\s"'`)]+/g, (url) =>
    URL.canParse(url) ? new URL(url).origin : "(URL)",
  );
}

/** Stacks of an error and its causes. Their fields are left out: a foreign error may carry anything in them. */
function stacksOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.stack ?? error.message}\n${error.cause === undefined ? "" : stacksOf(error.cause)}`;
}
