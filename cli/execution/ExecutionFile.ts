import { writeFileSync } from "node:fs";
import type { Address } from "viem";
import * as z from "zod";
import type { QuoteIntent } from "../../src/calls/verify/VerifyQuoteParameters.ts";
import { type ExecutionState, executionStateSchema } from "../../src/execute/ExecutionState.ts";
import { type Quote, quoteSchema } from "../../src/schema/quote/quote.ts";
import { quoteRequestSchema } from "../../src/schema/quote/quoteRequest.ts";
import { readJsonFile, replaceFile } from "../settings/readFiles.ts";
import { usageError } from "../terminal/CommandError.ts";

const hex = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]+$/)]);
const address = hex.refine((text) => text.length === 42);
const units = z.string().regex(/^\d{1,78}$/);

const boundsSchema = z.strictObject({
  bounds: z.literal("none").optional(),
  maximumInput: units.optional(),
  minimumOutput: units.optional(),
});

const fileSchema = z.strictObject({
  account: address,
  bounds: boundsSchema,
  nonce: z.int().nonnegative(),
  quote: quoteSchema,
  request: quoteRequestSchema,
  state: z.optional(executionStateSchema),
  url: z.string(),
  version: z.literal(2),
});

/** Bounds of the price, in smallest units. */
export type SavedBounds = z.output<typeof boundsSchema>;

/** What `waybill execute` saves: everything that a later run needs to continue without paying twice. No key. */
export type ExecutionFile = {
  readonly version: 2;
  /** The account that pays. */
  readonly account: Address;
  readonly bounds: SavedBounds;
  /** Nonce of the run's first transaction. Of processes that continue one file, each signs under the same nonces. */
  readonly nonce: number;
  readonly quote: Quote;
  /** What was asked for; the quote is proven against it again. */
  readonly request: QuoteIntent & { readonly amount: string };
  /** State of the library's `execute` with what it signed; missing before its first step. */
  readonly state?: ExecutionState | undefined;
  readonly url: string;
};

/**
 * Reads a saved execution.
 *
 * @throws CommandError that names the file and the field.
 */
export async function readExecutionFile(file: string): Promise<ExecutionFile> {
  const parsed = fileSchema.safeParse(await readJsonFile(file));
  if (parsed.success) return parsed.data as ExecutionFile;
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw usageError(`${file} is no file of waybill execute: \`${field}\` is invalid.`);
}

/**
 * Creates the file, which no other user can read. Of two processes, one creates it.
 *
 * @throws CommandError if it exists: another run has begun.
 */
export function createExecutionFile(file: string, saved: ExecutionFile): void {
  try {
    writeFileSync(file, textOf(saved), { flag: "wx", mode: 0o600 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    const sentence = `${file} exists: this quote was begun already. Continue it by waybill execute --resume ${file}.`;
    throw usageError(sentence, cause);
  }
}

/** Replaces the file: a crash leaves the old or the new content. */
export function saveExecutionFile(file: string, saved: ExecutionFile): void {
  replaceFile(file, textOf(saved));
}

const textOf = (saved: ExecutionFile): string => `${JSON.stringify(saved, undefined, 2)}\n`;

/** Name of the file of a request, in the working folder. */
export function executionFileName(requestId: string): string {
  return `waybill-${requestId.slice(0, 18)}.json`;
}
