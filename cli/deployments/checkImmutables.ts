import {
  type Address,
  domainSeparator,
  getContractAddress,
  isAddressEqual,
  keccak256,
  maxUint256,
  numberToHex,
  pad,
  stringToHex,
} from "viem";
import type { ContractName, ImmutableValue } from "../../src/deployment/contracts.ts";

/** Where a contract stands. */
export type Place = { readonly address: Address; readonly chainId: number };

/**
 * Finds immutables that the package's own constructor cannot have set at this address: those that follow from address,
 * chain or each other.
 *
 * @returns One sentence for each.
 */
export function checkImmutables(
  name: ContractName,
  values: Readonly<Record<string, ImmutableValue>>,
  { address, chainId }: Place,
): readonly string[] {
  if (name === "PinnedReceiver") return checkBinding(values, address);
  if (name === "ManagedReceiver") {
    const domain = { chainId, name: "Waybill", verifyingContract: address, version: "1" };
    const expected = {
      domainAddress: address,
      domainChainId: BigInt(chainId),
      domainNameHash: keccak256(stringToHex(domain.name)),
      domainSeparator: domainSeparator({ domain }),
      domainVersionHash: keccak256(stringToHex(domain.version)),
    };
    const foreign = Object.entries(expected).flatMap(([key, value]) =>
      String(values[key]).toLowerCase() === String(value).toLowerCase()
        ? []
        : [`\`${key}\` is ${values[key]}, and not ${value}: co-signatures would be of another domain.`],
    );
    return [...checkBinding(values, address), ...foreign];
  }
  if (name === "BalanceProxy") {
    const executor = getContractAddress({ from: address, nonce: 1n });
    if (isAddressEqual(values["executor"] as Address, executor)) return [];
    return [`The executor is ${values["executor"]}, and not the one that the proxy creates, ${executor}.`];
  }
  if (name === "BalanceExecutor") {
    const executor = getContractAddress({ from: values["proxy"] as Address, nonce: 1n });
    if (isAddressEqual(address, executor)) return [];
    return [`The proxy ${values["proxy"]} creates another executor, ${executor}.`];
  }
  return [];
}

function checkBinding(
  { callerMask, receiverWord }: Readonly<Record<string, ImmutableValue>>,
  address: Address,
): readonly string[] {
  const isOfCaller = callerMask === numberToHex(maxUint256) && isZero(receiverWord);
  const own = pad(address.toLowerCase() as Address, { size: 32 });
  const isOfReceiver = isZero(callerMask) && receiverWord === own;
  return isOfCaller || isOfReceiver ? [] : ["The binding is neither to the caller nor to this receiver."];
}

function isZero(word: ImmutableValue | undefined): boolean {
  return word === numberToHex(0, { size: 32 });
}
