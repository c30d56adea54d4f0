import { type Hex, keccak256, stringToHex } from "viem";
import * as z from "zod/mini";
import { encodeWhole } from "../calls/verify/compareWhole.ts";
import { assertValid } from "../internal/readParts.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { stepSchema } from "../schema/quote/step.ts";
import { bytes32Schema, hexSchema } from "../schema/wire/hex.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { wholeNumber } from "../schema/wire/wireAmount.ts";

const itemStateSchema = z.object({
  /** Position among the quote's steps, followed by the appended ones. */
  stepIndex: wholeNumber(),
  itemIndex: wholeNumber(),
  /**
   * - `sending`: requested from the wallet, without a recorded response. The outcome is unknown until the transaction is
   *   found on the chain, or the wallet reports the batch.
   * - `signed`: a transaction (`raw`) or permission (`signature`) that may have been submitted. A later run submits the
   *   same bytes.
   * - `sent`: a transaction (`txHash`) or a batch (`batchId`) is in flight.
   * - `complete`: done; a transaction is mined.
   */
  status: z.enum(["sending", "signed", "sent", "complete"]),
  /** Id of the EIP-5792 batch that contains the item. */
  batchId: z.optional(z.string()),
  /** Latest block before the wallet was asked, or once the transaction is pending: it is mined in a later one. */
  fromBlock: z.optional(z.number()),
  /** Nonce of the account's transaction, once signed or seen pending. */
  nonce: z.optional(wholeNumber()),
  /** The signed transaction, until it is mined. */
  raw: z.optional(hexSchema),
  /** The signed permission, until the service has accepted it. */
  signature: z.optional(hexSchema),
  txHash: z.optional(bytes32Schema),
});

/** Progress of a step's item. Items not yet started have no entry. */
export type ItemState = z.output<typeof itemStateSchema>;

export const executionStateSchema = z.object({
  version: z.custom<1>((value) => value === 1, "not 1"),
  requestId: bytes32Schema,
  /** Hash of the quote's steps and order id. Entries refer to items by position, so a state fits only the same steps. */
  stepsHash: z.optional(bytes32Schema),
  /** Steps that the service appended after a submitted signature. */
  appendedSteps: z.array(stepSchema),
  items: z.array(itemStateSchema),
});

/**
 * Progress of an execution, with which a later run sends nothing twice. Plain JSON: save it on every progress event and
 * pass it to `execute` to resume.
 */
export type ExecutionState = z.output<typeof executionStateSchema>;

/** Parses a saved state, or creates a new one for the quote's steps. */
export function startState(requestId: Hex, { protocol, steps }: Quote, saved: unknown): ExecutionState {
  // The progress of the steps does not count. The order does: the ledger claims it too.
  const data = steps.map(({ items }) => items.map(({ data }) => data));
  const stepsHash = keccak256(stringToHex(encodeWhole([protocol?.v2?.orderId, data])));
  if (saved === undefined) return { appendedSteps: [], items: [], requestId, stepsHash, version: 1 };
  const state = readBy(executionStateSchema, saved, "state");
  const isOfRequest = state.requestId.toLowerCase() === requestId.toLowerCase();
  const other = `it belongs to request ${state.requestId}, the quote to ${requestId}`;
  assertValid(isOfRequest, "state.requestId", other);
  const isOfSteps = state.stepsHash === undefined || state.stepsHash === stepsHash;
  assertValid(isOfSteps, "state.stepsHash", "it belongs to other steps than the quote's");
  return { ...state, requestId, stepsHash };
}

/** Position of an item. */
export type ItemKey = { itemIndex: number; stepIndex: number };

/** An item's progress without its position. */
export type ItemEntry = Omit<ItemState, keyof ItemKey>;

export const isAt = (one: ItemKey, other: ItemKey): boolean =>
  one.itemIndex === other.itemIndex && one.stepIndex === other.stepIndex;

/** An item's entry; `undefined` before it starts. */
export function findItem({ items }: ExecutionState, key: ItemKey): ItemState | undefined {
  return items.find((item) => isAt(item, key));
}

/** Replaces an item's entry. `null` removes it: the item certainly did not happen and may be retried. */
export function setItem(state: ExecutionState, key: ItemKey, entry: ItemEntry | null): ExecutionState {
  const { itemIndex, stepIndex } = key;
  const others = state.items.filter((item) => !isAt(item, key));
  return { ...state, items: entry === null ? others : [...others, { ...entry, itemIndex, stepIndex }] };
}
