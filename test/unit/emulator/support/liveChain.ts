import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, toHex } from "viem";
import { deriveAccounts } from "../../../../emulator/chains/accounts.ts";
import type { Chain } from "../../../../emulator/chains/Chain.ts";
import { startChain } from "../../../../emulator/chains/local/startChain.ts";
import { deployService } from "../../../../emulator/chains/setup/findService.ts";
import { multicall3Abi } from "../../../../src/abi/Multicall3.ts";
import { relayDepositoryAbi } from "../../../../src/abi/RelayDepository.ts";

export const accounts = deriveAccounts();
export const solver: Address = accounts.solver.account.address;
/** The default payer. */
export const payer: Address = accounts.users[0]?.account.address ?? "0x";

/** A chain in this process with the service on it, which counts its calls. */
export type LiveChain = {
  readonly chain: Chain;
  /** Number of calls of each method since the last `forget`. */
  readonly asked: Map<string, number>;
  forget(): void;
  /** Address of a currency. */
  token(symbol: string): Address;
  /** Balance of an account in smallest units. */
  heldBy(account: Address, symbol: string): Promise<bigint>;
  /** Sends and mines a transaction; returns its hash. */
  send(call: Call, from?: Address): Promise<Hex>;
  depositNative(tag: Hex, value: bigint, from?: Address): Promise<Hex>;
};

/** A call, or a transaction. */
export type Call = { readonly to: Address; readonly value?: bigint; readonly data?: Hex };

/** Starts such a chain; the caller closes it. */
export async function startLiveChain(id: number, name: string): Promise<LiveChain> {
  const local = await startChain({ displayName: name, id, name }, "127.0.0.1", 0);
  const deployed = await deployService(local, accounts);
  const asked = new Map<string, number>();
  const chain: Chain = {
    ...deployed,
    rpc: (method, params) => {
      asked.set(method, (asked.get(method) ?? 0) + 1);
      return deployed.rpc(method, params);
    },
  };
  const send = async ({ data, to, value }: Call, from = payer) => {
    const gas = toHex(5_000_000);
    const call = { from, gas, to, ...(data && { data }), ...(value && { value: toHex(value) }) };
    return (await deployed.rpc("eth_sendTransaction", [call])) as Hex;
  };
  const token = (symbol: string): Address => {
    const found = chain.currencies.find((currency) => currency.symbol === symbol);
    if (found === undefined) throw new Error(`no ${symbol}`);
    return found.address;
  };
  return {
    asked,
    chain,
    depositNative: (tag, value, from = payer) =>
      send({ data: depositNativeData(from, tag), to: chain.contracts.depository, value }, from),
    forget: () => asked.clear(),
    heldBy: (account, symbol) =>
      chain.client.readContract({
        abi: erc20Abi,
        address: token(symbol),
        args: [account],
        functionName: "balanceOf",
      }),
    send,
    token,
  };
}

export function depositNativeData(depositor: Address, tag: Hex): Hex {
  return encodeFunctionData({
    abi: relayDepositoryAbi,
    args: [depositor, tag],
    functionName: "depositNative",
  });
}

/** Calldata of a token transfer. */
export function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, args: [to, amount], functionName: "transfer" });
}

/** Calldata of a token transfer with a tag after the arguments. */
export function taggedTransfer(to: Address, amount: bigint, tag: Hex): Hex {
  return concatHex([transferData(to, amount), tag]);
}

/** Several calls through one contract, which ignores those that revert. */
export function together(multicall3: Address, calls: readonly Call[], allowFailure = true): Call {
  const inner = calls.map(({ data = "0x", to, value = 0n }) => ({
    allowFailure,
    callData: data,
    target: to,
    value,
  }));
  return {
    data: encodeFunctionData({ abi: multicall3Abi, args: [inner], functionName: "aggregate3Value" }),
    to: multicall3,
    value: inner.reduce((sum, { value }) => sum + value, 0n),
  };
}
