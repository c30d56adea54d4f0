import { docsRoot } from "./docsRoot.ts";
import { printable } from "./printable.ts";
import { redactCause } from "./redactCause.ts";

export type BaseErrorOptions = {
  /** The underlying error, which `walk()` follows. Node URLs are removed: they may contain keys. */
  cause?: unknown;
  /** Stable identifier for branching. Messages may change; codes do not. */
  code?: string | undefined;
  /** Text of the service or node. Shown in one line, without unprintable characters. */
  details?: string | undefined;
  /** Page and anchor in `docs` about the error. Default: the code's heading in `reference/codes.md`. */
  docsPath?: string | undefined;
  /** Hints for the reader, one line each. */
  metaMessages?: readonly string[] | undefined;
  /** Whether the same call may succeed later unchanged. */
  retryable?: boolean | undefined;
};

/**
 * Base class of all errors that the library throws deliberately.
 *
 * Subclasses take typed data and compose the message. Messages and fields, also of causes, contain no secrets (API key,
 * private key, webhook secret). The sentence, the details and each hint are one line of 2,000 characters at most.
 *
 * @example
 * import { BaseError } from "waybill";
 *
 * try {
 *   // …
 * } catch (error) {
 *   if (error instanceof BaseError && error.retryable) console.log(error.code, error.shortMessage);
 * }
 */
export class BaseError extends Error {
  override readonly name: string = "BaseError";
  declare readonly code: string;
  declare readonly details: string | undefined;
  /** Address of the page about the error, at the tag of this version. */
  declare readonly docsUrl: string;
  declare readonly metaMessages: readonly string[];
  declare readonly retryable: boolean;
  declare readonly shortMessage: string;

  constructor(sentence: string, options: BaseErrorOptions = {}) {
    const { code = "WAYBILL_ERROR", retryable = false } = options;
    const shortMessage = printable(sentence);
    const metaMessages = cutList(options.metaMessages ?? []).map((line) => printable(line));
    const docsUrl = docsRoot + (options.docsPath ?? `reference/codes.md#${code.toLowerCase()}`);
    const cause = options.cause instanceof BaseError ? options.cause : redactCause(options.cause);
    const text = options.details ?? (cause instanceof Error ? cause.message : undefined);
    const details = text === undefined ? undefined : printable(text);
    const message = [
      shortMessage,
      ...(metaMessages.length === 0 ? [] : ["", ...metaMessages]),
      "",
      `Docs: ${docsUrl}`,
      ...(details === undefined ? [] : ["", `Details: ${details}`]),
    ].join("\n");
    super(message, cause === undefined ? undefined : { cause });
    // Here and in subclasses, `declare` with `Object.assign` saves bytes of a bundle.
    Object.assign(this, { code, details, docsUrl, metaMessages, retryable, shortMessage });
  }

  /**
   * Searches this error and its causes, outermost first.
   *
   * @param predicate Selects an error. Without it, the innermost cause is returned.
   * @returns The first match, or `undefined` when nothing matched.
   */
  walk(predicate?: (error: unknown) => boolean): unknown {
    let current: unknown = this;
    for (;;) {
      if (predicate?.(current)) return current;
      const next: unknown = current instanceof Error ? current.cause : undefined;
      if (next === undefined || next === null) return predicate === undefined ? current : undefined;
      current = next;
    }
  }
}

/** Most hints of an error. */
const mostHints = 100;

function cutList(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostHints) return lines;
  return [...lines.slice(0, mostHints), `… (${lines.length - mostHints} more lines)`];
}
