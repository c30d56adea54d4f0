import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  type SignedAuthorization,
  zeroAddress,
} from "viem";
import type { Intent } from "../requests/Intent.ts";
import type { Delivery } from "./planDelivery.ts";
import {
  exchangeCalls,
  type Places,
  payCalls,
  routerOf,
  routerTransaction,
  type Transaction,
} from "./routerCalls.ts";

/** A transaction of the solver, before gas and nonce. */
export type SolverCall = Transaction & {
  /** EIP-7702 authorizations; never an empty list. */
  readonly authorizationList?: readonly SignedAuthorization[];
};

/** Fields of an intent that a fill depends on. */
export type Fillable = Pick<
  Intent,
  "authorizationList" | "requestId" | "recipient" | "txs" | "routerVersion"
> & {
  readonly fill: Pick<Intent["fill"], "currency" | "path">;
  /** Native currency that the recipient receives besides the output. */
  readonly topup?: Pick<NonNullable<Intent["topup"]>, "amount"> | undefined;
};

/**
 * Builds the transaction that delivers an intent's output. Without swap, top-up or calls it is a plain transfer with
 * the requestId appended. Otherwise the router swaps the inventory, makes the calls, and pays the native remainder to
 * the recipient.
 */
export function fillCall(
  { authorizationList = [], fill, recipient, requestId, routerVersion, topup, txs }: Fillable,
  places: Places,
  { inventory, output, reserve, surplus = 0n }: Delivery,
  solver: Address,
): SolverCall {
  const { currency, path } = fill;
  const gas = topup?.amount ?? 0n;
  const gasCalls = payCalls(zeroAddress, gas, recipient, places, routerVersion);
  if (txs.length === 0 && path.length === 0 && topup === undefined) {
    return transferCall({ amount: inventory, currency, recipient, tag: requestId });
  }
  const swap =
    path.length === 0
      ? payCalls(currency, txs.length === 0 ? inventory - surplus : 0n, recipient, places, routerVersion)
      : exchangeCalls(
          {
            amountIn: inventory - surplus,
            change: solver,
            shared: reserve === undefined ? undefined : { first: reserve, rest: recipient },
            // The deadline never expires: a stored fill is resent unchanged.
            deadline: maxUint256,
            output,
            path,
            to: txs.length === 0 ? recipient : routerOf(places, routerVersion),
          },
          places,
          routerVersion,
        );
  const call = routerTransaction(
    {
      amount: inventory,
      // Paid first, so that the calls find the balances they were quoted with.
      calls: [
        ...payCalls(currency, surplus, recipient, places, routerVersion),
        // Change is swept, so native gas is paid before: a swap of native currency fails if any is missing.
        ...(currency === zeroAddress ? gasCalls : []),
        ...swap,
        // The recipient's code may run here. The router no longer holds tokens of the solver.
        ...(currency === zeroAddress ? [] : gasCalls),
        ...txs,
      ],
      currency,
      native: gas,
      nftRecipient: recipient,
      refundTo: recipient,
      requestId,
    },
    places,
    routerVersion,
  );
  return authorizationList.length === 0 ? call : { ...call, authorizationList };
}

/** Builds a transfer with the requestId appended to its arguments. */
export function transferCall(parameters: {
  currency: Address;
  recipient: Address;
  amount: bigint;
  tag: Hex;
}): SolverCall {
  const { amount, currency, recipient, tag } = parameters;
  if (currency === zeroAddress) return { data: tag, to: recipient, value: amount };
  const transfer = encodeFunctionData({ abi: erc20Abi, args: [recipient, amount], functionName: "transfer" });
  return { data: concatHex([transfer, tag]), to: currency, value: 0n };
}
