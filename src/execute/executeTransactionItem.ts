import type { Hex, TransactionReceipt } from "viem";
import { estimateGas } from "viem/actions";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import type { EvmTransactionData, TransactionStep } from "../schema/step.ts";
import { findItem, type ItemKey, removeItem, setItem } from "./ExecutionState.ts";
import { type Run, report } from "./Run.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";
import { readApproval, waitForAllowance } from "./waitForAllowance.ts";
import { waitForReceipt } from "./waitForReceipt.ts";

/** Parameters of {@link executeTransactionItem}. */
export type ExecuteTransactionItemParameters = ItemKey & { data: EvmTransactionData; step: TransactionStep };

/**
 * Sends one transaction, unless it was sent before, and waits until it is mined and, for an approval,
 * visible.
 *
 * Fees of the quote are not used: they age. Its gas is a floor for the wallet's own estimate, which fails before anything is
 * paid, but does not know that a pool's first trade of a second costs more than the one it tried.
 *
 * @throws ChainMismatchError, WalletFailedError, TransactionRevertedError, TimeoutError, AbortedError
 *
 * @example
 * const receipt = await executeTransactionItem(run, { data, itemIndex: 0, step, stepIndex: 1 });
 */
export async function executeTransactionItem(
  run: Run,
  { data, itemIndex, step, stepIndex }: ExecuteTransactionItemParameters,
): Promise<TransactionReceipt> {
  const key = { itemIndex, stepIndex };
  const hash = findItem(run.state, key)?.txHash ?? (await send(run, { data, itemIndex, step, stepIndex }));
  const receipt = await waitForReceipt(run, { hash, stepId: step.id });
  const approval = readApproval(data.data);
  if (approval !== undefined) {
    await report(run, { ...key, phase: "allowance", step, txHash: hash });
    await waitForAllowance(run, { approval, token: data.to });
  }
  const state = setItem(run.state, { ...key, status: "complete", txHash: hash });
  await report(run, { ...key, phase: "complete", step, txHash: hash }, state);
  return receipt;
}

async function send(run: Run, parameters: ExecuteTransactionItemParameters): Promise<Hex> {
  const { data, itemIndex, step, stepIndex } = parameters;
  const key = { itemIndex, stepIndex };
  const event = { ...key, step, txHash: undefined };
  await assertWalletChain(run);
  // Recorded before the wallet is asked: after a crash in between, nobody may simply send again.
  await report(run, { ...event, phase: "sending" }, setItem(run.state, { ...key, status: "sending" }));
  let hash: Hex;
  try {
    const gas = await gasFloor(run, data);
    hash = await run.wallet.sendTransaction({
      account: run.account,
      // The wallet's own description of the chain holds its fee rules; one of another chain would mislead.
      chain: run.wallet.chain?.id === run.originChainId ? run.wallet.chain : null,
      ...callOf(data),
      ...(gas !== undefined && { gas }),
    });
  } catch (cause) {
    const error = toWalletFailedError(cause, { leavesNothing: false, stepId: step.id });
    if (error.outcome === "notDone") {
      await report(run, { ...event, phase: "notDone" }, removeItem(run.state, key));
    }
    throw error;
  }
  const sent = setItem(run.state, { ...key, status: "sent", txHash: hash });
  await report(run, { ...event, phase: "confirming", txHash: hash }, sent);
  return hash;
}

function callOf({ data = "0x", to, value = "0" }: EvmTransactionData) {
  return { data, to, value: BigInt(value) };
}

/** The quote's gas, where it names one and an estimate needs no more; otherwise the wallet finds its own. */
async function gasFloor({ account, reader }: Run, data: EvmTransactionData): Promise<bigint | undefined> {
  if (data.gas === undefined) return undefined;
  const quoted = BigInt(data.gas);
  // A call that cannot be estimated is the wallet's to refuse, in its own words.
  const estimated = await estimateGas(reader, { account, ...callOf(data) }).catch(() => undefined);
  return estimated === undefined || estimated > quoted ? undefined : quoted;
}

/** Asked before every transaction, because a person may switch the wallet in between. */
async function assertWalletChain({ originChainId, wallet }: Run): Promise<void> {
  const actualChainId = await wallet.getChainId();
  if (actualChainId === originChainId) return;
  throw new ChainMismatchError({ actualChainId, expectedChainId: originChainId, subject: "wallet" });
}
