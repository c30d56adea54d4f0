import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readSvmAddress } from "../internal/readSvmAddress.ts";
import { type SvmAdvice, svmAdvice } from "./advice.ts";
import { svmQuoteLimit, svmTransactionLimit } from "./constants.ts";
import { type MessageSize, messageSize, type TableContents } from "./messageSize.ts";
import { readSvmMessage, type SvmMessage, type SvmTransactionData } from "./SvmTransaction.ts";

/** Parameters of {@link measureSvmTransaction}. */
export type MeasureSvmTransactionParameters = {
  /** `data` of the quote's transaction item. */
  data: SvmTransactionData;
  /**
   * Addresses in each lookup table of `data`, in order, by the table's address; an empty list for one that is not on the
   * chain. What is left out is not known, and the size is a range then.
   */
  lookupTables?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The `maxRouteLength` that the quote was asked with, for the advice. */
  maxRouteLength?: number | undefined;
  /** Who pays the fee: the `user`, or the quote's `depositFeePayer`. */
  payer: string;
};

/** Return value of {@link measureSvmTransaction}. */
export type MeasureSvmTransactionReturnType = {
  readonly accounts: number;
  readonly advice: SvmAdvice;
  /** Bytes left on the wire at `maximum`; below zero when it is too long. */
  readonly left: number;
  /** No content of the tables whose content is unknown makes it longer than this, in bytes. */
  readonly maximum: number;
  /** And none makes it shorter than this; the same when all are known. */
  readonly minimum: number;
  readonly signatures: number;
  /**
   * `fits` leaves room for compute-budget instructions; `fits-as-it-is` does not; `may-fit` depends on the lookup tables whose
   * content is unknown; `too-large` cannot be sent.
   */
  readonly verdict: "fits" | "fits-as-it-is" | "may-fit" | "too-large";
};

/** Errors of {@link measureSvmTransaction}. */
export type MeasureSvmTransactionErrorType = InvalidParameterError;

/** Indices of accounts are single bytes. */
const mostAccounts = 256;
/** The address of a lookup table and the lengths of its two lists. */
const tableBytes = 32 + 1 + 1;
/** An index instead of an address. */
const savedBytes = 32 - 1;
const nothing: ReadonlySet<string> = new Set();

/**
 * Measures the transaction of a quote whose origin is an SVM chain, signed, on the wire, before a wallet is asked: against
 * the 1232 bytes that a transaction may have and the 1172 that leave room for compute-budget instructions (specification,
 * "Limits"), with what to do when it is too long.
 *
 * @param parameters The item's data, who pays, and what the lookup tables hold.
 * @returns The size, a verdict and the advice.
 * @throws {InvalidParameterError} Naming the part that is not what it must be.
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
 * Tables can make a transaction longer: one that holds a single account costs more than that account. It is worst where the
 * account would have stood in a known table.
 */
function mostExtra(contents: readonly TableContents[], { eligible, lookedUp }: MessageSize): number {
  const unknown = contents.filter((each) => each === "any").length;
  const movedFromTables = Math.min(unknown, lookedUp);
  const movedFromMessage = Math.min(unknown - movedFromTables, eligible - lookedUp);
  return movedFromTables * tableBytes + movedFromMessage * (tableBytes - savedBytes);
}

/** Shortest is what has everything that is left over in the first of the unknown tables: each further one costs its address. */
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
