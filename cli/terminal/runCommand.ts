import type { Command, CommandUnknownOpts, OptionValues } from "@commander-js/extra-typings";
import { CommandError, type ExitCode, exitCodes } from "./CommandError.ts";
import { describeFailure } from "./describeFailure.ts";
import { type CommonOptions, createTerminal, printLines, type Terminal, toJson } from "./Terminal.ts";

/** The reason of a stop from outside. */
export class Stop extends CommandError {}

const stopped = new AbortController();

/** Fires at the first stop; its reason is a {@link Stop}. */
const stopSignal = stopped.signal;

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

/** Listens for Ctrl-C, SIGTERM and a closed pipe. A second signal ends the process at once. */
export function listenForStops(): void {
  const names = Object.keys(codes) as (keyof typeof codes)[];
  const stop = (name: keyof typeof codes) => {
    for (const each of names) process.removeListener(each, stop);
    stopped.abort(new Stop("Interrupted.", { code: "INTERRUPTED", exitCode: codes[name] }));
  };
  for (const name of names) process.on(name, stop);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    stopped.abort(
      new Stop("The output was closed.", { code: "CLOSED_PIPE", exitCode: exitCodes.closedPipe }),
    );
  });
  // Nothing can be reported once stderr is closed.
  process.stderr.on("error", () => undefined);
}

/** Reads the stop from outside, if there was one. */
export function readStop(): Stop | undefined {
  return stopSignal.reason instanceof Stop ? stopSignal.reason : undefined;
}

/** The work of a command: takes its flags and arguments, and returns its exit code, 0 by default. */
export type Work<Arguments extends unknown[], Options extends OptionValues, Stage = Terminal> = (
  terminal: Stage,
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
export function withWork<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
  work: Work<Arguments, Options>,
  { isServer = false }: { readonly isServer?: boolean } = {},
): CommandUnknownOpts {
  const untyped = command as unknown as CommandUnknownOpts;
  const known = command.options.map(({ long }) => long);
  if (!known.includes("--json")) untyped.option("--json", "print results and errors as JSON");
  untyped.option("--verbose", "print the stack and the causes of an error");
  return untyped.action(async (...given: unknown[]) => {
    const args = given.slice(0, -2) as Arguments;
    const options = given.at(-2) as Options & CommonOptions;
    try {
      const running = work(createTerminal(options, stopSignal), options, ...args);
      process.exitCode = (await (isServer ? running : orStop(running, stopSignal))) ?? exitCodes.ok;
    } catch (error) {
      process.exitCode = reportFailure(readStop() ?? error, options);
    }
  });
}

/** Adds flags that several commands share. */
export function withFlags<
  Arguments extends unknown[],
  Options extends OptionValues,
  Added extends OptionValues,
>(
  command: Command<Arguments, Options>,
  add: (command: Command) => Command<[], Added>,
): Command<Arguments, Options & Added> {
  return add(command as unknown as Command) as unknown as Command<Arguments, Options & Added>;
}

/** Flags of a command, by their attributes. */
export type FlagsOf<Add extends (command: Command) => { opts(): OptionValues }> = ReturnType<
  ReturnType<Add>["opts"]
>;

/** Rejects some time after a stop if the work goes on regardless. */
export async function orStop<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
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
