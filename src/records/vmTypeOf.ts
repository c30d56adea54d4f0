import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "../internal/show.ts";
import { type OrderVmType, orderVmTypes } from "../internal/vmAddress.ts";

/**
 * Virtual machines by the protocol's names of chains, such as `{ eclipse: "svm" }`. The service's chain records have
 * both: `protocol.v2.chainId` and `vmType`.
 */
export type ChainVmTypes = Readonly<Record<string, OrderVmType>>;

/** The protocol's names of chains that are not EVM chains and whose addresses can be read. */
const knownVmTypes: ReadonlyMap<string, OrderVmType> = new Map([
  ["hyperliquid", "hypevm"],
  ["solana", "svm"],
]);

/**
 * The virtual machine of a chain. One that is not named is an EVM chain: then the addresses must be 20 bytes of hex, so that
 * those of any other kind of chain are refused and never taken for something else.
 *
 * @throws InvalidParameterError when `vmTypes` names something that is none.
 *
 * @example
 * vmTypeOf("solana"); // "svm"
 */
export function vmTypeOf(chainId: string, vmTypes: ChainVmTypes = {}): OrderVmType {
  const named = Object.hasOwn(vmTypes, chainId) ? vmTypes[chainId] : knownVmTypes.get(chainId);
  if (named === undefined) return "evm";
  if (orderVmTypes.includes(named)) return named;
  const reason = `"${show(named)}" is none of ${orderVmTypes.join(", ")}`;
  throw new InvalidParameterError({ parameter: `vmTypes.${chainId}`, reason });
}
