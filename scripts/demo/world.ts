import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { readArtifact } from "../../emulator/chains/setup/placeContracts.ts";
import type { EmulatorInfo } from "../../emulator/index.ts";

/** A wallet with an account, on a chain. */
export type Wallet = WalletClient<Transport, Chain, Account>;

/** A chain, accessed over its RPC. */
export type Side = {
  readonly info: EmulatorInfo["chains"][number];
  readonly reader: PublicClient;
  readonly payer: Wallet;
  readonly stranger: Wallet;
};

/** Connects the payer and a stranger to a chain of the emulator. */
export function connect(info: EmulatorInfo["chains"][number]): Side {
  const chain = defineChain({
    id: info.id,
    name: info.name,
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [info.rpcUrl] } },
  });
  const transport = http(info.rpcUrl);
  const wallet = (index: number): Wallet => {
    const key = info.accounts[index]?.privateKey;
    if (key === undefined) throw new Error(`the emulator has no account ${index}`);
    return createWalletClient({ account: privateKeyToAccount(key), chain, transport });
  };
  return {
    info,
    payer: wallet(0),
    reader: createPublicClient({ cacheTime: 0, chain, pollingInterval: 20, transport }) as PublicClient,
    stranger: wallet(1),
  };
}

/** Deploys one of this package's contracts. */
export async function deploy(side: Side, path: string, args: readonly unknown[] = []): Promise<Address> {
  const { abi, bytecode } = readArtifact(path);
  const hash = await side.payer.deployContract({ abi: abi as Abi, args, bytecode });
  const { contractAddress } = await side.reader.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error(`${path} was not deployed`);
  return contractAddress;
}

/** Finds the token with this symbol. */
export function tokenOf(side: Side, symbol: string): { address: Address; decimals: number; symbol: string } {
  const token = side.info.currencies.find((currency) => currency.symbol === symbol);
  if (token === undefined) throw new Error(`${side.info.name} has no ${symbol}`);
  return token;
}
