import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from "viem";
import type { Step } from "../../../src/schema/quote/step.ts";
import type { Chain } from "../../chains/Chain.ts";
import { allowanceOf } from "../../chains/rpc.ts";
import type { Transaction } from "../../router/routerCalls.ts";
import { isLeg } from "../../router/SwapLeg.ts";
import type { PricedIntent } from "../route/planRoute.ts";
import type { UserTransaction } from "./userTransaction.ts";

const gwei = 10n ** 9n;

/** The user's steps on the origin chain: an approval if needed, then the paying transaction. */
export async function buildSteps(
  priced: Pick<PricedIntent, "read" | "route" | "amounts">,
  requestId: Hex,
  { spender, ...transaction }: UserTransaction,
): Promise<readonly Step[]> {
  const { origin, user } = priced.read;
  const pay = transactionStep(describePayment(priced), { origin, requestId, user }, transaction);
  const approve = spender === undefined ? undefined : await approveStep(priced, requestId, spender);
  return approve === undefined ? [pay] : [approve, pay];
}

/** Chain and sender of a step, and its request. */
type StepContext = {
  readonly origin: Pick<Chain, "definition" | "head">;
  readonly requestId: Hex;
  readonly user: Address;
};

/** The step of the paying transaction. */
export function transactionStep(
  words: Pick<Step, "id" | "description">,
  context: StepContext,
  { gas, ...call }: Omit<UserTransaction, "spender">,
): Step {
  const data = transactionData(call, context);
  return {
    ...sharedFields(context),
    ...words,
    items: [
      {
        check: statusCheck(context.requestId),
        data: { ...data, gas: gas.toString() },
        status: "incomplete",
      },
    ],
  };
}

/** The approval step for the spender of the user's payment; `undefined` if the allowance suffices. */
export async function approveStep(
  priced: Pick<PricedIntent, "read" | "amounts">,
  requestId: Hex,
  spender: Address,
  promised = 0n,
): Promise<Step | undefined> {
  const { currencyIn, origin, user } = priced.read;
  const approvals = await missingApprovals(priced, spender, promised);
  if (approvals.length === 0) return undefined;
  const context = { origin, requestId, user };
  return {
    ...sharedFields(context),
    description: `Approve ${currencyIn.symbol} for ${nameSpender(spender, origin)}`,
    id: "approve",
    items: approvals.map((data) => ({
      data: transactionData({ data, to: currencyIn.address, value: 0n }, context),
      status: "incomplete",
    })),
  };
}

export function statusCheck(requestId: Hex): { endpoint: string; method: string } {
  return { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" };
}

function sharedFields({ requestId }: StepContext) {
  return {
    action: "Confirm transaction in your wallet",
    depositAddress: "",
    kind: "transaction" as const,
    requestId,
  };
}

function transactionData(call: Transaction, { origin, user }: StepContext) {
  return {
    chainId: origin.definition.id,
    data: call.data,
    from: user,
    to: call.to,
    value: call.value.toString(),
    ...feeCaps(origin),
  };
}

function nameSpender(spender: Address, { contracts }: Pick<Chain, "contracts">): string {
  if (spender === contracts.depository) return "the depository";
  return spender === contracts.permit2 ? "Permit2" : "the approval proxy";
}

function describePayment({
  read,
  route,
}: Pick<PricedIntent, "read" | "route">): Pick<Step, "id" | "description"> {
  const { currencyIn, currencyOut, kind } = read;
  if (route.via === "depository") {
    const description = isLeg(route.origin)
      ? `Swap ${currencyIn.symbol} and deposit ${route.origin.to.symbol} into the depository`
      : `Deposit ${currencyIn.symbol} into the depository`;
    return { description, id: "deposit" };
  }
  if (!isLeg(route.destination)) return { description: `Send ${currencyIn.symbol}`, id: "send" };
  const verb = kind === "Wrap" || kind === "Unwrap" ? kind : "Swap";
  return { description: `${verb} ${currencyIn.symbol} to ${currencyOut.symbol}`, id: "swap" };
}

/** A too small allowance is first set to zero: tokens like USDT refuse to change a non-zero one. */
async function missingApprovals(
  { amounts, read }: Pick<PricedIntent, "read" | "amounts">,
  spender: Address,
  promised: bigint,
): Promise<readonly Hex[]> {
  const { origin, currencyIn, user } = read;
  const needed = promised + amounts.amountIn;
  const allowance = await allowanceOf(origin, currencyIn.address, { owner: user, spender });
  if (allowance >= needed) return [];
  const values = allowance === 0n ? [needed] : [0n, needed];
  return values.map((value) =>
    encodeFunctionData({ abi: erc20Abi, args: [spender, value], functionName: "approve" }),
  );
}

function feeCaps(chain: Pick<Chain, "head">): { maxFeePerGas: string; maxPriorityFeePerGas: string } {
  const maxPriorityFeePerGas = gwei;
  // Twice the base fee outlasts six full blocks in a row.
  const maxFeePerGas = chain.head().baseFeePerGas * 2n + maxPriorityFeePerGas;
  return { maxFeePerGas: maxFeePerGas.toString(), maxPriorityFeePerGas: maxPriorityFeePerGas.toString() };
}

/** Gas limits of a plain transfer; the address may have code. */
const nativeGas = 60_000n;
const tokenGas = 150_000n;

/** The step of a plain transfer to a deposit address. Any account can send it. */
export function transferStep(
  { amounts, read }: Pick<PricedIntent, "amounts" | "read">,
  requestId: Hex,
  address: Address,
): Step {
  const { currencyIn, origin, user } = read;
  const { amountIn } = amounts;
  const transfer =
    currencyIn.address === zeroAddress
      ? ({ data: "0x", gas: nativeGas, to: address, value: amountIn } as const)
      : {
          data: encodeFunctionData({ abi: erc20Abi, args: [address, amountIn], functionName: "transfer" }),
          gas: tokenGas,
          to: currencyIn.address,
          value: 0n,
        };
  const words = { description: `Send ${currencyIn.symbol} to the deposit address`, id: "deposit" };
  return { ...transactionStep(words, { origin, requestId, user }, transfer), depositAddress: address };
}
