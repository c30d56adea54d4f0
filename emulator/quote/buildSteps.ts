import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import type { Step } from "../../src/schema/step.ts";
import { allowanceOf } from "../chains/allowanceOf.ts";
import type { Chain } from "../chains/Chain.ts";
import { isLeg } from "./Leg.ts";
import type { PricedIntent } from "./priceIntent.ts";
import type { UserTransaction } from "./userTransaction.ts";

const gwei = 10n ** 9n;

/** What the user must do on the origin chain: approve where needed, then the transaction that pays. */
export async function buildSteps(
  priced: Pick<PricedIntent, "read" | "route" | "amounts">,
  requestId: Hex,
  { data, gas, spender, to, value }: UserTransaction,
): Promise<readonly Step[]> {
  const { currencyIn, origin, user } = priced.read;
  const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" };
  const fees = feeCaps(origin);
  const transaction = (call: { to: Address; data: Hex; value: bigint }) => ({
    chainId: origin.definition.id,
    data: call.data,
    from: user,
    to: call.to,
    value: call.value.toString(),
    ...fees,
  });
  const shared = {
    action: "Confirm transaction in your wallet",
    depositAddress: "",
    kind: "transaction" as const,
    requestId,
  };
  const pay: Step = {
    ...shared,
    ...wordsOf(priced),
    items: [
      {
        check,
        data: { ...transaction({ data, to, value }), ...(gas !== undefined && { gas: gas.toString() }) },
        status: "incomplete",
      },
    ],
  };
  const approvals = spender === undefined ? [] : await missingApprovals(priced, spender);
  if (approvals.length === 0) return [pay];
  const approve: Step = {
    ...shared,
    description: `Approve ${currencyIn.symbol} for the ${spender === origin.contracts.depository ? "depository" : "approval proxy"}`,
    id: "approve",
    items: approvals.map((approval) => ({
      data: transaction({ data: approval, to: currencyIn.address, value: 0n }),
      status: "incomplete",
    })),
  };
  return [approve, pay];
}

function wordsOf({ read, route }: Pick<PricedIntent, "read" | "route">): Pick<Step, "id" | "description"> {
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

/** An allowance that is there but too small is set to zero first: tokens like USDT refuse to change it otherwise. */
async function missingApprovals(
  { amounts, read }: Pick<PricedIntent, "read" | "amounts">,
  spender: Address,
): Promise<readonly Hex[]> {
  const { origin, currencyIn, user } = read;
  const { amountIn } = amounts;
  const allowance = await allowanceOf(origin, currencyIn.address, { owner: user, spender });
  if (allowance >= amountIn) return [];
  const values = allowance === 0n ? [amountIn] : [0n, amountIn];
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
