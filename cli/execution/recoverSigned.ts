import type { Address, Hex, PublicClient } from "viem";
import { leastOpenSeconds } from "../../src/calls/verify/proofDefaults.ts";
import { type ExecutionState, removeItem, setItem } from "../../src/execute/ExecutionState.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import { CommandError, checkFailed } from "../terminal/CommandError.ts";
import { exitCodes } from "../terminal/exitCodes.ts";
import type { SignedItem } from "./ExecutionFile.ts";

export type RecoverSignedParameters = {
  readonly account: Address;
  readonly node: PublicClient;
  /** Unix milliseconds. */
  readonly now: number;
  readonly quote: Quote;
  readonly signed: readonly SignedItem[];
  readonly state: ExecutionState;
};

/**
 * Decides the items whose outcome an interrupted run left open. An item without a signed transaction was never sent, because
 * signatures are saved before the broadcast. A signed transaction that no node has is sent again: the same bytes, with the same
 * nonce, so that it is mined once at most. That holds for a mined one too, which a reorganisation may have taken back.
 *
 * @returns The state to continue with.
 * @throws CommandError for a transaction that cannot be sent again, and for one whose order has expired.
 */
export async function recoverSigned(parameters: RecoverSignedParameters): Promise<ExecutionState> {
  let { state } = parameters;
  for (const item of parameters.state.items) {
    if (item.batchId !== undefined) continue;
    const signed = parameters.signed.findLast(
      ({ itemIndex, stepIndex }) => itemIndex === item.itemIndex && stepIndex === item.stepIndex,
    );
    const isTransaction = stepsOf(parameters)[item.stepIndex]?.kind === "transaction";
    if (!isTransaction) continue;
    if (signed === undefined) {
      if (item.status === "sending") state = removeItem(state, item);
      continue;
    }
    if (item.status === "complete") {
      if (await isKnown(parameters, signed)) continue;
      // A reorganisation took the block of the transaction, or of its speed-up.
      await assertSent(parameters, signed);
      const { itemIndex, stepIndex } = item;
      state = setItem(state, {
        itemIndex,
        nonce: signed.nonce,
        status: "sent",
        stepIndex,
        txHash: signed.hash,
      });
      continue;
    }
    // A speed-up elsewhere may have given the item another hash, which is followed by its nonce.
    if (item.txHash === undefined || item.txHash === signed.hash) await assertSent(parameters, signed);
    state = setItem(state, {
      ...item,
      nonce: signed.nonce,
      status: "sent",
      txHash: item.txHash ?? signed.hash,
    });
  }
  return state;
}

function stepsOf({ quote, state }: RecoverSignedParameters) {
  return [...quote.steps, ...state.appendedSteps];
}

async function assertSent(
  parameters: RecoverSignedParameters,
  { hash, nonce, raw }: SignedItem,
): Promise<void> {
  const { node } = parameters;
  if (await isKnown(parameters, { hash, nonce })) return;
  assertOpen(parameters, { hash, nonce });
  try {
    await node.sendRawTransaction({ serializedTransaction: raw });
  } catch (cause) {
    if (await hasTransaction(node, hash)) return;
    throw new CommandError(`Transaction ${hash} was signed before, and the node does not take it.`, {
      cause,
      code: "SIGNED_TRANSACTION_REFUSED",
      exitCode: exitCodes.refused,
    });
  }
}

/** Whether the node has the transaction, or mined another one of its nonce: `execute` finds that by the nonce. */
async function isKnown(
  { account, node }: RecoverSignedParameters,
  { hash, nonce }: Pick<SignedItem, "hash" | "nonce">,
): Promise<boolean> {
  return (await hasTransaction(node, hash)) || (await node.getTransactionCount({ address: account })) > nonce;
}

async function hasTransaction(node: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await node.getTransaction({ hash });
    return true;
  } catch (cause) {
    if (cause instanceof Error && cause.name === "TransactionNotFoundError") return false;
    throw new CommandError("The node does not tell whether the transaction was sent.", {
      cause,
      code: "CHAIN_READ_FAILED",
      exitCode: exitCodes.unreachable,
    });
  }
}

/** A solver fills no order after its deadline. */
function assertOpen(
  { now, quote }: RecoverSignedParameters,
  { hash, nonce }: Pick<SignedItem, "hash" | "nonce">,
): void {
  const deadline = quote.protocol?.v2?.orderData?.output.deadline;
  if (deadline === undefined || deadline - leastOpenSeconds > now / 1_000) return;
  throw checkFailed(
    `Transaction ${hash} was signed, no node has it, and its order has expired: it was not sent again. Use nonce ${nonce} for another transaction to be certain.`,
    "SIGNED_TRANSACTION_EXPIRED",
  );
}
