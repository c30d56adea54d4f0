import { type Address, type Hex, zeroAddress } from "viem";
import { readAccount } from "../../internal/readAddress.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import type { Call } from "../Call.ts";
import { encodeOverload, proxyFunctions, serviceFunctions } from "../serviceFunctions.ts";

/** Zero means the whole balance in the router's functions. */
const everything = 0n;

type SpendNativeParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** Router that executes the calls, of either version. */
  router: Address;
  /** Contract that takes the native currency. */
  target: Address;
  /** Calldata for the target. */
  data: Hex;
  /** Receives the output and the rest of the native currency. */
  recipient: Address;
  /** Minimum that must arrive, in wei. Default: none. */
  minimumReceived?: bigint | undefined;
  /** Output token, and the recipient's minimum gain in its smallest unit. */
  output: { token: Address; minimum: bigint };
};

/**
 * Composes a call that spends the router's whole native balance on one call of a target.
 *
 * @throws {InvalidParameterError} For an invalid argument, by name.
 */
export function spendNative(parameters: SpendNativeParameters): readonly [Call] {
  const { output, recipient, target } = parameters;
  const proxy = readAccount(parameters.proxy, "proxy");
  const router = readAccount(parameters.router, "router");
  const minimumReceived = readUint256(parameters.minimumReceived ?? 0n, "minimumReceived");
  const assets = [
    { minimumOutput: 0n, minimumReceived, recipient, token: zeroAddress },
    { minimumOutput: output.minimum, minimumReceived: 0n, recipient, token: output.token },
  ];
  const step = {
    approvedToken: zeroAddress,
    data: parameters.data,
    sendNativeBalance: true,
    splices: [],
    target,
    value: 0n,
  };
  const execution = encodeOverload(proxyFunctions, "execute", [assets, [step]]);
  const args = [everything, proxy, execution];
  const data = encodeOverload(serviceFunctions, "cleanupNativeViaCall", args);
  return [{ data, to: router, value: 0n }];
}
