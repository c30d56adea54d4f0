import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress } from "viem";
import type { RouterVersion } from "../../chains/Chain.ts";
import { addressWord } from "../../chains/rpc.ts";
import type { IntentCall } from "../../requests/Intent.ts";
import { type Places, routerOf } from "../../router/routerCalls.ts";

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

const depositNative = "0x49290c1c";
const depositErc20 = "0xe8017952";
const depositErc20Allowed = "0x5a1ee3ac";

type DepositParameters = {
  readonly depositor: Address;
  readonly currency: Address;
  /** Smallest units. @default the whole allowance of a token; the value of native currency */
  readonly amount?: bigint | undefined;
  /** The orderId. */
  readonly id: Hex;
};

/** Calldata of a deposit into the depository. */
export function depositData({ amount, currency, depositor, id }: DepositParameters): Hex {
  const head = addressWord(depositor);
  if (currency === zeroAddress) return `${depositNative}${head}${id.slice(2)}`;
  const token = addressWord(currency);
  if (amount === undefined) return `${depositErc20Allowed}${head}${token}${id.slice(2)}`;
  return `${depositErc20}${head}${token}${numberToHex(amount, { size: 32 }).slice(2)}${id.slice(2)}`;
}
