import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../src/abi/RelayDepository.ts";
import type { Step } from "../../src/schema/step.ts";
import type { Chain } from "../chains/Chain.ts";
import type { ReadIntent } from "./readIntent.ts";

const gwei = 10n ** 9n;

/** What the user must do on the origin chain: approve where needed, then deposit with the orderId. */
export async function buildSteps(
  read: ReadIntent,
  amountIn: bigint,
  ids: { requestId: Hex; orderId: Hex },
): Promise<readonly Step[]> {
  const { origin, currencyIn, user } = read;
  const check = { endpoint: `/intents/status/v3?requestId=${ids.requestId}`, method: "GET" };
  const fees = await feeCaps(origin);
  const transaction = (to: Address, data: Hex, value: bigint) => ({
    chainId: origin.definition.id,
    data,
    from: user,
    to,
    value: value.toString(),
    ...fees,
  });
  const deposit: Step = {
    action: "Confirm transaction in your wallet",
    depositAddress: "",
    description: `Deposit ${currencyIn.symbol} into the depository`,
    id: "deposit",
    items: [
      {
        check,
        data: transaction(
          origin.contracts.depository,
          depositData(read, amountIn, ids.orderId),
          currencyIn.address === zeroAddress ? amountIn : 0n,
        ),
        status: "incomplete",
      },
    ],
    kind: "transaction",
    requestId: ids.requestId,
  };
  const approvals = await missingApprovals(read, amountIn);
  if (approvals.length === 0) return [deposit];
  const approve: Step = {
    action: "Confirm transaction in your wallet",
    depositAddress: "",
    description: `Approve ${currencyIn.symbol} for the depository`,
    id: "approve",
    items: approvals.map((data) => ({
      data: transaction(currencyIn.address, data, 0n),
      status: "incomplete",
    })),
    kind: "transaction",
    requestId: ids.requestId,
  };
  return [approve, deposit];
}

/** The explicit-amount overload: the other one takes the whole allowance, which another deposit may count on. */
function depositData(read: ReadIntent, amount: bigint, orderId: Hex): Hex {
  const { currencyIn, user } = read;
  return currencyIn.address === zeroAddress
    ? encodeFunctionData({ abi: relayDepositoryAbi, args: [user, orderId], functionName: "depositNative" })
    : encodeFunctionData({
        abi: relayDepositoryAbi,
        args: [user, currencyIn.address, amount, orderId],
        functionName: "depositErc20",
      });
}

/** An allowance that is there but too small is set to zero first: tokens like USDT refuse to change it otherwise. */
async function missingApprovals(read: ReadIntent, amount: bigint): Promise<readonly Hex[]> {
  const { origin, currencyIn, user } = read;
  if (currencyIn.address === zeroAddress) return [];
  const spender = origin.contracts.depository;
  const allowance = await origin.client.readContract({
    abi: erc20Abi,
    address: currencyIn.address,
    args: [user, spender],
    functionName: "allowance",
  });
  if (allowance >= amount) return [];
  const amounts = allowance === 0n ? [amount] : [0n, amount];
  return amounts.map((value) =>
    encodeFunctionData({ abi: erc20Abi, args: [spender, value], functionName: "approve" }),
  );
}

async function feeCaps(chain: Chain): Promise<{ maxFeePerGas: string; maxPriorityFeePerGas: string }> {
  const block = await chain.client.getBlock({ blockTag: "latest", includeTransactions: false });
  const maxPriorityFeePerGas = gwei;
  // Twice the base fee outlasts six full blocks in a row.
  const maxFeePerGas = (block.baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas;
  return { maxFeePerGas: maxFeePerGas.toString(), maxPriorityFeePerGas: maxPriorityFeePerGas.toString() };
}
