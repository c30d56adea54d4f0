import { type Address, createPublicClient, custom, type PublicClient, zeroAddress } from "viem";
import type {
  Chain,
  Currencies,
  LocalCurrency,
  ServiceContracts,
} from "../../../../emulator/chains/Chain.ts";

export const ether: LocalCurrency = { address: zeroAddress, decimals: 18, name: "Ether", symbol: "ETH" };
export const wrappedEther: LocalCurrency = {
  address: "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9",
  decimals: 18,
  name: "Wrapped Ether",
  symbol: "WETH",
};
export const usdc: LocalCurrency = {
  address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  decimals: 6,
  name: "USD Coin",
  symbol: "USDC",
};
export const usdt: LocalCurrency = {
  address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
  decimals: 6,
  name: "Tether USD",
  symbol: "USDT",
};

/** Addresses of contracts that are not deployed. */
export const contracts: ServiceContracts = {
  approvalProxy: "0x0000000000000000000000000000000000000a01",
  depository: "0x0000000000000000000000000000000000000a02",
  erc20Router: "0x0000000000000000000000000000000000000a03",
  multicall3: "0x0000000000000000000000000000000000000a04",
  multicaller: "0x0000000000000000000000000000000000000a0b",
  onlyOwnerMulticaller: "0x0000000000000000000000000000000000000a0c",
  outputGuard: "0x0000000000000000000000000000000000000a0a",
  permit2: "0x0000000000000000000000000000000000000a08",
  relayReceiver: "0x0000000000000000000000000000000000000a05",
  uniswapV2Router: "0x0000000000000000000000000000000000000a09",
  v3: {
    approvalProxy: "0x0000000000000000000000000000000000000a06",
    erc20Router: "0x0000000000000000000000000000000000000a07",
  },
};

/** Answers of a node by method, from the parameters. */
type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** A chain with currencies whose node rejects every method without an answer. */
export function fakeChain(
  id: number,
  name: string,
  { answers = {}, currencies = [ether, usdc, usdt] }: FakeChainOptions = {},
): Chain {
  const rpc = async (method: string, params: readonly unknown[] = []) => {
    const answer = answers[method];
    if (answer === undefined) throw new Error(`${name} does not answer ${method}`);
    return answer(params);
  };
  const request = ({ method, params }: { method: string; params?: readonly unknown[] }) =>
    rpc(method, params);
  const hash = `0x${"00".repeat(32)}` as const;
  return {
    blockSeconds: () => 1,
    client: createPublicClient({ transport: custom({ request }) }) as PublicClient,
    close: async () => undefined,
    contracts,
    currencies,
    definition: { displayName: name, id, name },
    firstBlock: 0n,
    head: () => ({ baseFeePerGas: 10n ** 9n, hash, number: 0n, parentHash: hash, timestamp: 0n }),
    onBlock: () => () => undefined,
    rpc,
    rpcUrl: "http://127.0.0.1:1",
    swap: {
      factory: "0x0000000000000000000000000000000000000a0a",
      pairs: [],
      router: contracts.uniswapV2Router,
      wrappedNative: wrappedEther.address,
    },
    wsRpcUrl: "ws://127.0.0.1:1",
  };
}

type FakeChainOptions = { readonly answers?: Answers; readonly currencies?: Currencies };

export const alpha = fakeChain(31337, "alpha");
/** Its USDC has another address than alpha's. */
export const beta = fakeChain(31338, "beta", {
  currencies: [ether, { ...usdc, address: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0" }, wrappedEther],
});
export const fakeChains: ReadonlyMap<number, Chain> = new Map([
  [31337, alpha],
  [31338, beta],
]);

export const user: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const recipient: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
