import { type Address, erc20Abi, getAddress, type PublicClient, zeroAddress } from "viem";
import type { NamedCurrency } from "../quotes/findCurrency.ts";
import type { Service } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";

/** A currency with facts of the chain alone: a service could name another token or other decimals. */
export type Currency = {
  readonly address: Address;
  readonly chainId: number;
  readonly decimals: number;
  readonly symbol: string;
};

/** A token's author chooses its symbol: other text could hide or imitate parts of the plan and of the question. */
const isPlain = /^[\w.$₮-]{1,20}$/;

/** Decimals of the native currency of every EVM chain. */
const nativeDecimals = 18;

/**
 * Resolves a currency for a payment. Reads decimals and symbol on the chain. Takes symbols from an emulator's file only, and
 * `native` on every chain.
 *
 * @throws CommandError for another symbol, and for an address without a token.
 */
export async function resolveCurrency(
  service: Pick<Service, "emulator">,
  node: PublicClient,
  { chainId, currency }: NamedCurrency,
): Promise<Currency> {
  const address = addressOf(service, { chainId, currency });
  if (address === zeroAddress) {
    const listed = service.emulator?.chains.find(({ id }) => id === chainId)?.currencies ?? [];
    const symbol = listed.find((each) => each.address === zeroAddress)?.symbol ?? "native";
    return { address, chainId, decimals: nativeDecimals, symbol };
  }
  const token = { abi: erc20Abi, address } as const;
  try {
    const decimals = await node.readContract({ ...token, functionName: "decimals" });
    const symbol = await node.readContract({ ...token, functionName: "symbol" }).catch(() => "");
    return { address, chainId, decimals, symbol: isPlain.test(symbol) ? symbol : address };
  } catch (cause) {
    throw usageError(`Chain ${chainId} has no readable token at ${address}.`, cause);
  }
}

function addressOf({ emulator }: Pick<Service, "emulator">, { chainId, currency }: NamedCurrency): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(currency)) return getAddress(currency.toLowerCase());
  if (currency.toLowerCase() === "native") return zeroAddress;
  const listed = emulator?.chains.find(({ id }) => id === chainId)?.currencies ?? [];
  const [found, ...others] = listed.filter(({ symbol }) => symbol.toLowerCase() === currency.toLowerCase());
  if (found !== undefined && others.length === 0) return getAddress(found.address);
  throw usageError(
    `${chainId}:${currency} is not certain: the service could name any token so. Name its address, as in ${chainId}:0x…, or native.`,
  );
}
