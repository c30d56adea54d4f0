import type { Hex } from "viem";
import type { TradeType } from "../../src/schema/tradeType.ts";
import type { Context } from "../Context.ts";
import { balanceOf } from "../chains/balanceOf.ts";
import { fillCall } from "../solver/fillCall.ts";
import { revertOf } from "../solver/revertOf.ts";

import { computeAmounts } from "./computeAmounts.ts";
import { type Usd, usdOf } from "./prices.ts";
import { QuoteError } from "./QuoteError.ts";
import type { ReadIntent } from "./readIntent.ts";

/** The request has no id yet; one without zero bytes costs what the real one will. */
const placeholderRequestId: Hex = `0x${"11".repeat(32)}`;

/**
 * What the fill's gas will cost, found by running the fill on the destination chain.
 *
 * @throws QuoteError `INSUFFICIENT_LIQUIDITY` when the solver does not hold the output, `DESTINATION_TX_FAILED` when the
 * fill reverts, with the reason and the call to replay.
 */
export async function estimateFill(
  read: ReadIntent,
  tradeType: TradeType,
  { accounts }: Pick<Context, "accounts">,
): Promise<Usd> {
  const { amount, currencyIn, currencyOut, destination, slippageBps } = read;
  // The output if gas were free: close enough to run the fill with.
  const { amountOut } = computeAmounts({
    amount,
    currencyIn,
    currencyOut,
    gasCost: 0n,
    slippageBps,
    tradeType,
  });
  const solver = accounts.solver.account.address;
  if ((await balanceOf(destination, currencyOut.address, solver)) < amountOut) {
    throw new QuoteError(
      "INSUFFICIENT_LIQUIDITY",
      `The solver does not hold that much ${currencyOut.symbol}`,
    );
  }
  const intent = {
    destination: { currency: currencyOut.address },
    recipient: read.recipient,
    requestId: placeholderRequestId,
    txs: [...read.txs],
  };
  const call = fillCall(intent, destination.contracts, amountOut);
  const [gas, gasPrice] = await Promise.all([
    destination.client.estimateGas({ ...call, account: solver }).catch((cause: unknown) => {
      throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
        cause,
        errorData: revertOf(cause).message,
        failedCallData: { data: call.data, from: solver, to: call.to, value: call.value.toString() },
      });
    }),
    destination.client.getGasPrice(),
  ]);
  const [native] = destination.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  return usdOf(gas * gasPrice, native);
}
