import {
  type Abi,
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  http,
  type PublicClient,
  type Transport,
  type WalletClient,
  zeroAddress,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { EmulatorInfo } from "../emulator/describe.ts";
import type { deployments } from "../src/abi/deployments.ts";
import type { ReceiverAddressParameters } from "../src/abi/receiverAddress.ts";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import { deployVault, placeDeployments, placeReceiver } from "./placeContracts.ts";

/** A chain of the emulator, and its users' wallets. */
export type TestChain = {
  readonly info: EmulatorInfo["chains"][number];
  readonly reader: PublicClient;
  /** Wallet of a funded account of the test mnemonic. @throws InvalidParameterError for an account that is not funded. */
  wallet(index: number): WalletClient<Transport, Chain, PrivateKeyAccount>;
  /** Address of a currency by its symbol; ETH is the zero address. @throws InvalidParameterError for an unknown symbol. */
  currency(symbol: string): Address;
  /** Balance of an account, in smallest units. */
  balanceOf(currency: Address, account: Address): Promise<bigint>;
  /** Puts `BalanceProxy` and the other contracts without constructor arguments at their addresses on public chains. */
  placeDeployments(): Promise<typeof deployments>;
  /** Puts a receiver at the address that it has on public chains with these arguments, and returns the address. */
  placeReceiver<const abi extends Abi | readonly unknown[]>(
    parameters: ReceiverAddressParameters<abi>,
  ): Promise<Address>;
  /** Deploys an ERC-4626 vault for an asset. */
  deployVault(asset: Address): Promise<Address>;
};

/** Reads a chain of the start-up document, and signs for its accounts. */
export function testChain(info: EmulatorInfo["chains"][number]): TestChain {
  const chain = defineChain({
    id: info.id,
    name: info.name,
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [info.rpcUrl] } },
  });
  const transport = http(info.rpcUrl);
  const reader = createPublicClient({ cacheTime: 0, chain, pollingInterval: 10, transport }) as PublicClient;
  const wallet = (index: number) => {
    const key = info.accounts[index]?.privateKey;
    if (key !== undefined) return createWalletClient({ account: privateKeyToAccount(key), chain, transport });
    const reason = `the funded accounts are 0 to ${info.accounts.length - 1}`;
    throw new InvalidParameterError({ parameter: "index", reason });
  };
  return {
    balanceOf: (currency, account) =>
      currency === zeroAddress
        ? reader.getBalance({ address: account })
        : reader.readContract({
            abi: erc20Abi,
            address: currency,
            args: [account],
            functionName: "balanceOf",
          }),
    currency: (symbol) => {
      const found = info.currencies.find((currency) => currency.symbol === symbol);
      if (found !== undefined) return found.address;
      const known = info.currencies.map((currency) => currency.symbol).join(", ");
      throw new InvalidParameterError({
        parameter: "symbol",
        reason: `${info.name} has no ${symbol}, only ${known}`,
      });
    },
    deployVault: (asset) => deployVault({ reader, wallet: wallet(0) }, asset),
    info,
    placeDeployments: () => placeDeployments({ reader, wallet: wallet(0) }),
    placeReceiver: (parameters) => placeReceiver({ reader, wallet: wallet(0) }, parameters),
    reader,
    wallet,
  };
}
