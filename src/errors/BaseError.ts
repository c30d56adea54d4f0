import { redactCause } from "./redactCause.ts";

/** What every Waybill error is made of. */
export type BaseErrorOptions = {
  /** The error that led to this one; `walk()` follows it. Kept without URLs of nodes: they hold keys. */
  cause?: unknown;
  /** Stable identifier to branch on: messages may change, codes do not. */
  code?: string | undefined;
  /** The machine's own words, for example a service's `message` or a node's reason. */
  details?: string | undefined;
  /** Page under `docs/`, and its anchor, that explains the error. Default the code's heading in `docs/codes.md`. */
  docsPath?: string | undefined;
  /** Hints for a person, one line each. */
  metaMessages?: readonly string[] | undefined;
  /** Whether the same call may succeed later without a change by the caller. */
  retryable?: boolean | undefined;
};

/**
 * Root of all errors that the library throws on purpose.
 *
 * Subclasses take typed data and write the sentence themselves. No secret (API key, private key, webhook
 * secret) may reach any of the texts, nor any field of a cause.
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
  declare readonly docsPath: string;
  declare readonly metaMessages: readonly string[];
  declare readonly retryable: boolean;
  declare readonly shortMessage: string;

  constructor(shortMessage: string, options: BaseErrorOptions = {}) {
    const { code = "WAYBILL_ERROR", metaMessages = [], retryable = false } = options;
    const docsPath = options.docsPath ?? `docs/codes.md#${code.toLowerCase()}`;
    const cause = options.cause instanceof BaseError ? options.cause : redactCause(options.cause);
    const details = options.details ?? (cause instanceof Error ? cause.message : undefined);
    const message = [
      shortMessage,
      ...(metaMessages.length > 0 ? ["", ...metaMessages] : []),
      "",
      `Docs: ${docsPath}`,
      ...(details === undefined ? [] : ["", `Details: ${details}`]),
    ].join("\n");
    super(message, cause === undefined ? undefined : { cause });
    // Here and in subclasses, declared fields that are assigned at once take fewer bytes of a bundle.
    Object.assign(this, { code, details, docsPath, metaMessages, retryable, shortMessage });
  }

  /**
   * Searches this error and its causes, outermost first.
   *
   * @param predicate Which error to stop at; without it the innermost cause is returned.
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
