import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readSvmAddress } from "../internal/readSvmAddress.ts";
import { show } from "../internal/show.ts";
import { svmQuoteLimit, svmTransactionLimit } from "./constants.ts";
import { type MessageSize, messageSize, type TableContents } from "./messageSize.ts";
import { readSvmMessage, type SvmMessage, type SvmTransactionData } from "./SvmTransaction.ts";

export type MeasureSvmTransactionParameters = {
  /** `data` of the quote's transaction item. */
  data: SvmTransactionData;
  /**
   * Addresses in each lookup table of `data`, in order, by table address; an empty list for a table that is not on the
   * chain. With an omitted table, the size is a range.
   */
  lookupTables?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The quote's `maxRouteLength`, for the advice. */
  maxRouteLength?: number | undefined;
  /** Fee payer: the `user`, or the quote's `depositFeePayer`. */
  payer: string;
};

export type MeasureSvmTransactionReturnType = {
  readonly accounts: number;
  readonly advice: SvmAdvice;
  /** Bytes left at `maximum`; negative if it is too long. */
  readonly left: number;
  /** Maximum size over all contents of unknown tables, in bytes. */
  readonly maximum: number;
  /** Minimum size over all contents of unknown tables; equals `maximum` if all are known. */
  readonly minimum: number;
  readonly signatures: number;
  /**
   * `fits` leaves room for compute-budget instructions; `fits-as-it-is` does not; `may-fit` depends on unknown lookup
   * tables; `too-large` cannot be sent.
   */
  readonly verdict: "fits" | "fits-as-it-is" | "may-fit" | "too-large";
};

/** Indices of accounts are single bytes. */
const mostAccounts = 256;
/** The address of a lookup table and the lengths of its two lists. */
const tableBytes = 32 + 1 + 1;
/** An index instead of an address. */
const savedBytes = 32 - 1;
const nothing: ReadonlySet<string> = new Set();

/**
 * Measures the signed wire size of an SVM transaction in a quote, before the wallet signs. The limit is 1232 bytes;
 * 1172 leave room for compute-budget instructions (specification, "Limits"). Adds advice for a transaction that is too
 * long.
 *
 * @returns The size, a verdict and the advice.
 * @throws {InvalidParameterError} For an invalid part, by name.
 *
 * @example
 * import { measureSvmTransaction, type SvmTransactionData } from "waybill/svm";
 *
 * declare const data: SvmTransactionData;
 * const { advice, verdict } = measureSvmTransaction({
 *   data,
 *   payer: "GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE",
 * });
 * if (verdict === "too-large") console.log(advice.requote);
 */
export function measureSvmTransaction(
  parameters: MeasureSvmTransactionParameters,
): MeasureSvmTransactionReturnType {
  const message = readSvmMessage(parameters.data, "data");
  const payer = readSvmAddress(parameters.payer, "payer");
  const contents = readTables(message, parameters);
  const without = messageSize(
    message,
    payer,
    contents.map((each) => (each === "any" ? nothing : each)),
  );
  const { accounts, signatures } = without;
  if (accounts > mostAccounts) {
    const reason = `it names ${accounts} accounts, and a transaction at most ${mostAccounts}`;
    throw new InvalidParameterError({ parameter: "data.instructions", reason });
  }
  const maximum = without.size + mostExtra(contents, without);
  const minimum = Math.min(without.size, sizeWithOne(message, payer, contents));
  const verdict = verdictOf(minimum, maximum);
  const advice = svmAdvice({ maxRouteLength: parameters.maxRouteLength, verdict });
  return { accounts, advice, left: svmTransactionLimit - maximum, maximum, minimum, signatures, verdict };
}

/**
 * A table that contains a single account costs more bytes than the account. The maximum assumes that, for accounts that
 * a known table contains too.
 */
function mostExtra(contents: readonly TableContents[], { eligible, lookedUp }: MessageSize): number {
  const unknown = contents.filter((each) => each === "any").length;
  const movedFromTables = Math.min(unknown, lookedUp);
  const movedFromMessage = Math.min(unknown - movedFromTables, eligible - lookedUp);
  return movedFromTables * tableBytes + movedFromMessage * (tableBytes - savedBytes);
}

/** The minimum assumes all remaining accounts in the first unknown table: each further table costs its address. */
function sizeWithOne(message: SvmMessage, payer: string, contents: readonly TableContents[]): number {
  const first = contents.indexOf("any");
  const one = contents.map((each, index) => (each === "any" && index !== first ? nothing : each));
  return messageSize(message, payer, one).size;
}

function readTables(
  { tables }: SvmMessage,
  { lookupTables = {} }: MeasureSvmTransactionParameters,
): TableContents[] {
  readObject(lookupTables, "lookupTables");
  return tables.map((table) =>
    Object.hasOwn(lookupTables, table)
      ? new Set(readList(lookupTables[table], `lookupTables.${table}`, readSvmAddress))
      : "any",
  );
}

function verdictOf(minimum: number, maximum: number): MeasureSvmTransactionReturnType["verdict"] {
  if (maximum <= svmQuoteLimit) return "fits";
  if (minimum > svmTransactionLimit) return "too-large";
  return maximum <= svmTransactionLimit ? "fits-as-it-is" : "may-fit";
}

/** A change of quote parameters that shortens the transaction. */
export type SvmQuoteChange =
  /** Fewer hops. */
  | { readonly parameter: "maxRouteLength"; readonly value: number }
  /** A swap source that builds short transactions, of the caller's choice. */
  | { readonly parameter: "includedOriginSwapSources" }
  /** If another account than the user pays: name the payer in the quote instead of adding a signer later. */
  | { readonly parameter: "depositFeePayer" };

/** Advice on a transaction's size. */
export type SvmAdvice = {
  /** Whether compute-budget instructions, up to 60 bytes, fit after the quote's own. */
  readonly addComputeBudget: boolean;
  /** Changes for a new quote, in the order to try; empty if none is needed. */
  readonly requote: readonly SvmQuoteChange[];
  /** The advice in a sentence. */
  readonly text: string;
};

/** Recommended `maxRouteLength` values, in order (specification, "Limits"). */
const routeLengths = [4, 3];

const texts = {
  fits: "The transaction fits, with room for compute-budget instructions.",
  "fits-as-it-is": "The transaction fits as it is: sign it without adding compute-budget instructions.",
  "may-fit":
    "Whether the transaction fits depends on its lookup tables: read them, and measure again before the wallet is asked.",
  "too-large":
    "The transaction is too large to be sent: ask for the quote again with fewer hops, then with one swap source. The same parameters bring the same route.",
} as const;

/**
 * Computes the advice for a size.
 *
 * @throws InvalidParameterError unless `maxRouteLength` is a positive integer.
 */
function svmAdvice({
  maxRouteLength = Number.POSITIVE_INFINITY,
  verdict,
}: {
  maxRouteLength: number | undefined;
  verdict: keyof typeof texts;
}): SvmAdvice {
  const isLength = maxRouteLength === Number.POSITIVE_INFINITY || Number.isSafeInteger(maxRouteLength);
  if (!isLength || maxRouteLength < 1) {
    const reason = `${show(maxRouteLength)} is not a whole number above zero`;
    throw new InvalidParameterError({ parameter: "maxRouteLength", reason });
  }
  const shorter = routeLengths.filter((length) => length < maxRouteLength);
  const requote: readonly SvmQuoteChange[] =
    verdict === "too-large"
      ? [
          ...shorter.map((value) => ({ parameter: "maxRouteLength", value }) as const),
          { parameter: "includedOriginSwapSources" },
          { parameter: "depositFeePayer" },
        ]
      : [];
  return { addComputeBudget: verdict === "fits", requote, text: texts[verdict] };
}
