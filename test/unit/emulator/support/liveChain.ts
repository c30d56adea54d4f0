import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, toHex } from "viem";
import { deriveAccounts } from "../../../../emulator/chains/accounts.ts";
import type { Chain } from "../../../../emulator/chains/Chain.ts";
import { startChain } from "../../../../emulator/chains/local/startChain.ts";
import { deployService } from "../../../../emulator/chains/setup/deployService.ts";
import { multicall3Abi } from "../../../../src/abi/Multicall3.ts";
import { relayDepositoryAbi } from "../../../../src/abi/RelayDepository.ts";

export const accounts = deriveAccounts();
export const solver: Address = accounts.solver.account.address;
/** The default payer. */
export const payer: Address = accounts.users[0]?.account.address ?? "0x";

/** A chain with the service on it, in this process, that counts what it is asked. */
export type LiveChain = {
  readonly chain: Chain;
  /** How often each method was called since the last `forget`. */
  readonly asked: Map<string, number>;
  forget(): void;
  token(symbol: string): Address;
  /** Sends and mines; answers with the transaction's hash. */
  send(call: Call, from?: Address): Promise<Hex>;
  depositNative(tag: Hex, value: bigint, from?: Address): Promise<Hex>;
};

/** A call, or a transaction. */
export type Call = { readonly to: Address; readonly value?: bigint; readonly data?: Hex };

/** Starts such a chain. */
export async function startLiveChain(id: number, name: string): Promise<LiveChain> {
  const deployed = await deployService(
    await startChain({ displayName: name, id, name }, "127.0.0.1", 0),
    accounts,
  );
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
  return {
    asked,
    chain,
    depositNative: (tag, value, from = payer) =>
      send({ data: depositNativeData(from, tag), to: chain.contracts.depository, value }, from),
    forget: () => asked.clear(),
    send,
    token: (symbol) => {
      const found = chain.currencies.find((currency) => currency.symbol === symbol);
      if (found === undefined) throw new Error(`no ${symbol}`);
      return found.address;
    },
  };
}

export function depositNativeData(depositor: Address, tag: Hex): Hex {
  return encodeFunctionData({
    abi: relayDepositoryAbi,
    args: [depositor, tag],
    functionName: "depositNative",
  });
}

/** A transfer with a tag behind its arguments. */
export function taggedTransfer(to: Address, amount: bigint, tag: Hex): Hex {
  return concatHex([
    encodeFunctionData({ abi: erc20Abi, args: [to, amount], functionName: "transfer" }),
    tag,
  ]);
}

/** Several calls by way of one contract; those that fail are passed over. */
export function together(multicall3: Address, calls: readonly Call[]): Call {
  const inner = calls.map(({ data = "0x", to, value = 0n }) => ({
    allowFailure: true,
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
