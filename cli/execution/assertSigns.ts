import { isAddressEqual, type TransactionSerializable } from "viem";
import { usualMaximumGas } from "../../src/calls/verify/proofDefaults.ts";
import type { CallData } from "../../src/execute/findTransaction.ts";
import { checkFailed } from "../terminal/CommandError.ts";

/** What an item's transaction may be. */
export type Allowed = {
  readonly call: CallData;
  readonly chainId: number;
  /** Most wei of native currency for gas. */
  readonly maximumFee: bigint;
  /** The only nonce of a payment; see `awaitUnpaid`. */
  readonly nonce?: number | undefined;
};

const usualTypes: readonly (string | undefined)[] = [undefined, "eip1559", "eip2930", "legacy"];

/**
 * Refuses every transaction but the proven call. Chain id, nonce, gas and fees of a transaction come from the node, which may
 * lie: another chain, or a fee that takes the whole balance.
 *
 * @throws CommandError that names what differs. Nothing is signed.
 */
export function assertSigns(transaction: TransactionSerializable, allowed: Allowed): void {
  const { call, chainId, maximumFee, nonce } = allowed;
  const { data = "0x", gas, to, value = 0n } = transaction;
  const isSameCall =
    to !== undefined &&
    to !== null &&
    isAddressEqual(to, call.to) &&
    data.toLowerCase() === call.data.toLowerCase() &&
    value === call.value;
  const isUsual = usualTypes.includes(transaction.type) && transaction.authorizationList === undefined;
  if (!isSameCall || !isUsual) throw refuse("it is another call than the proven one");
  if (transaction.chainId !== chainId) throw refuse(`it is for chain ${transaction.chainId}, not ${chainId}`);
  if (gas === undefined || gas > usualMaximumGas) throw refuse(`its gas is ${gas}, above ${usualMaximumGas}`);
  const price = transaction.maxFeePerGas ?? transaction.gasPrice;
  if (price === undefined || gas * price > maximumFee) {
    const fee = price === undefined ? "unknown" : `up to ${gas * price} wei`;
    throw refuse(`its fee is ${fee}, above ${maximumFee}: --max-fee allows more`);
  }
  if (nonce === undefined || transaction.nonce === nonce) return;
  throw refuse("the account sent another transaction meanwhile, which may be the same payment");
}

const refuse = (reason: string) =>
  checkFailed(`The node's transaction is refused: ${reason}. Nothing was signed.`, "TRANSACTION_REFUSED");
