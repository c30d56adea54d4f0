import {
  type Account,
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
import { privateKeyToAccount } from "viem/accounts";
import {
  type Emulator,
  type EmulatorInfo,
  type StartEmulatorParameters,
  startEmulator,
} from "../../emulator/index.ts";
import { type Client, createClient } from "../../src/client/index.ts";
import { quickSleep } from "./quickSleep.ts";

/** A chain of the emulator, and its users' wallets. */
export type TestChain = {
  readonly info: EmulatorInfo["chains"][number];
  readonly reader: PublicClient;
  wallet(index: number): WalletClient<Transport, Chain, Account>;
  /** Address of a currency by its symbol; ETH is the zero address. */
  currency(symbol: string): Address;
  /** Balance of an account, in smallest units. */
  balanceOf(currency: Address, account: Address): Promise<bigint>;
};

/** A running emulator with its client, chains and wallets. */
export type EmulatorFixture = {
  readonly emulator: Emulator;
  readonly client: Client;
  readonly alpha: TestChain;
  readonly beta: TestChain;
  stop(): Promise<void>;
};

/** Starts an emulator on free ports; errors of its log are collected, other lines dropped. */
export async function startFixture(parameters: StartEmulatorParameters = {}): Promise<EmulatorFixture> {
  const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, ...parameters });
  const [alpha, beta] = emulator.info.chains.map(testChain);
  if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
  const now = typeof parameters.now === "function" ? parameters.now : Date.now;
  return {
    alpha,
    beta,
    client: createClient({ baseUrl: emulator.info.apiUrl, now, sleep: quickSleep }),
    emulator,
    stop: () => emulator.stop(),
  };
}

/**
 * Starts an emulator before a suite's tests, or before each test, and stops it afterwards.
 *
 * @returns The running emulator; reading it before the start throws.
 */
export function useEmulator(
  parameters: StartEmulatorParameters = {},
  { each = false }: { each?: boolean } = {},
): EmulatorFixture {
  let started: EmulatorFixture | undefined;
  const running = () => {
    if (started === undefined) throw new Error("no emulator runs");
    return started;
  };
  const start = async () => {
    started = await startFixture(parameters);
  };
  const stop = async () => {
    await started?.stop();
    started = undefined;
  };
  if (each) beforeEach("start the emulator", start);
  else before("start the emulator", start);
  if (each) afterEach("stop the emulator", stop);
  else after("stop the emulator", stop);
  return {
    get alpha() {
      return running().alpha;
    },
    get beta() {
      return running().beta;
    },
    get client() {
      return running().client;
    },
    get emulator() {
      return running().emulator;
    },
    stop,
  };
}

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
      if (found === undefined) throw new Error(`${info.name} has no ${symbol}`);
      return found.address;
    },
    info,
    reader,
    wallet: (index) => {
      const key = info.accounts[index]?.privateKey;
      if (key === undefined) throw new Error(`there is no account ${index}`);
      return createWalletClient({ account: privateKeyToAccount(key), chain, transport });
    },
  };
}
