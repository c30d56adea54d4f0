import { type Abi, type Address, encodeFunctionData, type Hex, isAddressEqual, parseAbi } from "viem";
import { decodeCall } from "./decodeCall.ts";
import type { Splice } from "./encodeWithLiveBalances.ts";
import { proxyFunctions } from "./proxyFunctions.ts";

const vaultAbi = /* @__PURE__ */ parseAbi([
  "function deposit(uint256 assets, address receiver) returns (uint256 shares)",
]);

/** Offset of `assets` in the calldata of a vault's `deposit`: after the selector. */
const assetsOffset = 4;

/** A step of the proxy with one target and no outputs. */
type Step = {
  readonly abi: Abi;
  readonly address: Address;
  readonly data: Hex;
  readonly minimumReceived: bigint;
  readonly recipient: Address;
  readonly splices: readonly Splice[];
  readonly token: Address;
};

/**
 * Encodes the proxy's `depositErc4626`, which costs less gas than `spend`. Returns undefined when the step does not
 * fit: the function sends shares and the rest of the token to one receiver, and reverts unless the vault returns a
 * number of shares.
 */
export function encodeVaultDeposit(step: Step): Hex | undefined {
  const { abi, address, data, minimumReceived, recipient, splices, token } = step;
  const [only, ...others] = splices;
  const call = decodeCall(vaultAbi, data);
  if (call === undefined || only === undefined || others.length > 0) return undefined;
  const isDeposit =
    only.offset === assetsOffset &&
    isAddressEqual(only.token, token) &&
    isAddressEqual(call.args[1], recipient) &&
    !isAddressEqual(address, token) &&
    returnsShares(abi);
  if (!isDeposit) return undefined;
  return encodeFunctionData({
    abi: proxyFunctions,
    args: [address, token, minimumReceived, recipient],
    functionName: "depositErc4626",
  });
}

function returnsShares(abi: Abi): boolean {
  return abi.some(
    (item) =>
      item.type === "function" &&
      item.name === "deposit" &&
      item.inputs.map(({ type }) => type).join() === "uint256,address" &&
      item.outputs.map(({ type }) => type).join() === "uint256",
  );
}
