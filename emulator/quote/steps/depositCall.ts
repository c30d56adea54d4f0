import { encodeFunctionData, parseAbi, zeroAddress } from "viem";
import type { RouterVersion } from "../../chains/RouterVersion.ts";
import type { IntentCall } from "../../requests/Intent.ts";
import { type Places, routerOf } from "../../router/routerCalls.ts";
import { type DepositParameters, depositData } from "./depositData.ts";

const spendAbi = parseAbi([
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
]);

/** The router's call that deposits an amount, or its whole balance, into the depository. */
export function depositCall(
  deposit: DepositParameters,
  places: Places,
  routerVersion: RouterVersion,
): IntentCall {
  const { depository } = places.contracts;
  const { amount = 0n, currency } = deposit;
  const data = depositData(deposit);
  return {
    data:
      currency === zeroAddress
        ? encodeFunctionData({
            abi: spendAbi,
            args: [amount, depository, data],
            functionName: "cleanupNativeViaCall",
          })
        : encodeFunctionData({
            abi: spendAbi,
            args: [[currency], [depository], [data], [amount]],
            functionName: "cleanupErc20sViaCall",
          }),
    to: routerOf(places, routerVersion),
    value: 0n,
  };
}
