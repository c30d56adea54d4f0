import { type Hex, keccak256, stringify, stringToHex } from "viem";
import * as z from "zod/mini";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type Step, stepSchema } from "../schema/quote/step.ts";
import { bytes32Schema } from "../schema/wire/hex.ts";
import { readBy } from "../schema/wire/readBy.ts";

const itemStateSchema = z.object({
  /** Position among the quote's steps, followed by the appended ones. */
  stepIndex: z.int().check(z.nonnegative()),
  itemIndex: z.int().check(z.nonnegative()),
  /**
   * - `sending`: the wallet or the service was asked, and no answer is recorded. The outcome is unknown until
   *   the transaction is found on the chain, or the wallet answers for a batch.
   * - `sent`: a transaction is on its way, under `txHash`, or a batch, under `batchId`.
   * - `complete`: done, and for a transaction mined.
   */
  status: z.enum(["sending", "sent", "complete"]),
  /** Identifier of the EIP-5792 batch that holds the item. */
  batchId: z.optional(z.string()),
  /**
   * Head of the chain before the wallet was asked, and then when the transaction was seen pending: it is
   * mined later.
   */
  fromBlock: z.optional(z.int()),
  /** Nonce of the account's own transaction, once it was seen pending. */
  nonce: z.optional(z.int()),
  txHash: z.optional(bytes32Schema),
});

/** How far one item of a step is. Items that were not begun have no entry. */
export type ItemState = z.output<typeof itemStateSchema>;

const executionStateSchema = z.object({
  version: z.literal(1),
  requestId: bytes32Schema,
  /** Hash of the quote's steps. Items are identified by position, so a state must not be used with other steps. */
  stepsHash: z.optional(bytes32Schema),
  /** Steps that the service appended to the quote's when a signature was handed in. */
  appendedSteps: z.array(stepSchema),
  items: z.array(itemStateSchema),
});

/**
 * How far an execution is: what a later run needs so as not to send anything twice. It is plain JSON; save
 * it on every progress event and give it back to `execute`.
 */
export type ExecutionState = z.output<typeof executionStateSchema>;

/**
 * Reads a saved state, or begins a new one.
 *
 * @param steps The quote's own.
 * @throws InvalidParameterError when `saved` is not a state, or belongs to another request or to other steps.
 *
 * @example
 * startState({
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   saved: undefined,
 *   steps: quote.steps,
 * }).items; // []
 */
export function startState({
  requestId,
  saved,
  steps,
}: {
  requestId: Hex;
  saved: unknown;
  steps: readonly Step[];
}): ExecutionState {
  const stepsHash = hashSteps(steps);
  if (saved === undefined) return { appendedSteps: [], items: [], requestId, stepsHash, version: 1 };
  const state = readBy(executionStateSchema, saved, "state");
  if (state.requestId.toLowerCase() !== requestId.toLowerCase()) {
    const reason = `it belongs to request ${state.requestId}, the quote to ${requestId}`;
    throw new InvalidParameterError({ parameter: "state.requestId", reason });
  }
  if (state.stepsHash !== undefined && state.stepsHash !== stepsHash) {
    const reason = "it belongs to other steps than the quote's";
    throw new InvalidParameterError({ parameter: "state.stepsHash", reason });
  }
  return state;
}

/** Independent of the order of fields and of the progress of the steps. */
function hashSteps(steps: readonly Step[]): Hex {
  const parts = steps.map(({ items }) => items.map(({ data }) => data));
  return keccak256(stringToHex(stringify(parts, sortFields)));
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  // Sorts names alone: sorting entries would call `toString` of values, which may have none.
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, fields[name]]),
  );
}

/**
 * What is recorded about an item; `undefined` when it was not begun.
 *
 * @example
 * findItem(state, { itemIndex: 0, stepIndex: 1 })?.status; // "sent"
 */
export function findItem(state: ExecutionState, key: ItemKey): ItemState | undefined {
  return state.items.find((item) => isAt(item, key));
}

/** Position of an item. */
export type ItemKey = { itemIndex: number; stepIndex: number };

/**
 * The state with an item's entry put in or replaced.
 *
 * @example
 * setItem(state, { itemIndex: 0, status: "complete", stepIndex: 0 });
 */
export function setItem(state: ExecutionState, item: ItemState): ExecutionState {
  return { ...state, items: [...state.items.filter((other) => !isAt(other, item)), item] };
}

/**
 * The state without an item's entry: the item was certainly not done, and may be tried again.
 *
 * @example
 * removeItem(state, { itemIndex: 0, stepIndex: 0 });
 */
export function removeItem(state: ExecutionState, key: ItemKey): ExecutionState {
  return { ...state, items: state.items.filter((item) => !isAt(item, key)) };
}

function isAt(item: ItemKey, { itemIndex, stepIndex }: ItemKey): boolean {
  return item.itemIndex === itemIndex && item.stepIndex === stepIndex;
}
