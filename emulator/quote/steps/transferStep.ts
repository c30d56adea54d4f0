import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from "viem";
import type { Step } from "../../../src/schema/quote/step.ts";
import type { PricedIntent } from "../route/PricedRoute.ts";
import { transactionStep } from "./buildSteps.ts";

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
