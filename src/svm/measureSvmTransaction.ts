import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readSvmAddress } from "../internal/readSvmAddress.ts";
import { type SvmAdvice, svmAdvice } from "./advice.ts";
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
 * @param parameters The item's data, the payer, and the contents of the lookup tables.
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
