import { type Address, encodeFunctionData, type Hex, zeroAddress } from "viem";
import { readAccount } from "../../internal/readAddress.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import type { Call } from "../Call.ts";
import { proxyFunctions } from "../proxyFunctions.ts";
import { serviceFunctions } from "../serviceFunctions.ts";

/** The router's spending functions take zero to mean everything that is there. */
const everything = 0n;

type SpendNativeParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** The router that executes the calls; both versions have the function that is used. */
  router: Address;
  /** The contract that takes the native currency. */
  target: Address;
  /** Calldata for it. */
  data: Hex;
  /** Who gets what the target gives, and what is left of the native currency. */
  recipient: Address;
  /** The least that must have arrived, in wei; defaults to anything. */
  minimumReceived?: bigint | undefined;
  /** The token that the target gives, and the least by which the recipient's balance must grow. */
  output: { token: Address; minimum: bigint };
};

/**
 * The call that spends whatever amount of native currency is on the router on one call of a target.
 *
 * @param parameters Proxy, router, target, its calldata, recipient, what it gives.
 * @returns One call, of the router itself.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
 *
 * @example
 * const [call] = spendNative({ data, output: { minimum: 1n, token }, proxy, recipient, router, target });
 */
export function spendNative(parameters: SpendNativeParameters): readonly [Call] {
  const { data, output, recipient, target } = parameters;
  const proxy = readAccount(parameters.proxy, "proxy");
  const router = readAccount(parameters.router, "router");
  const minimumReceived = readUint256(parameters.minimumReceived ?? 0n, "minimumReceived");
  const assets = [
    { minimumOutput: 0n, minimumReceived, recipient, token: zeroAddress },
    { minimumOutput: output.minimum, minimumReceived: 0n, recipient, token: output.token },
  ];
  const step = { approvedToken: zeroAddress, data, sendNativeBalance: true, splices: [], target, value: 0n };
  const execution = encodeFunctionData({
    abi: proxyFunctions,
    args: [assets, [step]],
    functionName: "execute",
  });
  const spending = encodeFunctionData({
    abi: serviceFunctions,
    args: [everything, proxy, execution],
    functionName: "cleanupNativeViaCall",
  });
  return [{ data: spending, to: router, value: 0n }];
}
