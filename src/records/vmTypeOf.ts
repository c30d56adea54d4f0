import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "../internal/show.ts";
import { type OrderVmType, orderVmTypes } from "../internal/vmAddress.ts";

/**
 * VM types by the protocol's chain names, such as `{ eclipse: "svm" }`. The service's chain records contain both:
 * `protocol.v2.chainId` and `vmType`.
 */
export type ChainVmTypes = Readonly<Record<string, OrderVmType>>;

/** VM types of the known chains that are not EVM chains, by protocol name. */
const knownVmTypes: ReadonlyMap<string, OrderVmType> = new Map([
  ["hyperliquid", "hypevm"],
  ["solana", "svm"],
]);

/**
 * Returns the VM type of a chain; `evm` for unlisted chains. Their addresses must then be 20 bytes of hex, so those of
 * other VMs are rejected.
 *
 * @throws InvalidParameterError for an unknown VM type in `vmTypes`.
 */
export function vmTypeOf(chainId: string, vmTypes: ChainVmTypes = {}): OrderVmType {
  const given = Object.hasOwn(vmTypes, chainId) ? vmTypes[chainId] : undefined;
  const named = given ?? knownVmTypes.get(chainId);
  if (named === undefined) return "evm";
  if (orderVmTypes.includes(named)) return named;
  const reason = `"${show(named)}" is none of ${orderVmTypes.join(", ")}`;
  throw new InvalidParameterError({ parameter: `vmTypes.${chainId}`, reason });
}
