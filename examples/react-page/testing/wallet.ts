import type { TestChain } from "@waybill/emulator/testing";
import { numberToHex, type RpcTransactionRequest } from "viem";

type Call = { method: string; params?: readonly never[] };

/** A browser wallet (EIP-1193) of a test account. It rejects every payment while `isRejecting`. */
export function testWallet(chains: readonly TestChain[], index: number) {
  let active = chains.at(-1) as TestChain;
  const provider = {
    isRejecting: false,
    on: () => undefined,
    removeListener: () => undefined,
    request: async ({ method, params = [] }: Call): Promise<unknown> => {
      const wallet = active.wallet(index);
      const [first] = params as readonly unknown[];
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [wallet.account.address];
      if (method === "eth_chainId") return numberToHex(active.info.id);
      if (method === "wallet_switchEthereumChain") {
        const { chainId } = first as { chainId: string };
        active = chains.find(({ info }) => info.id === Number(chainId)) ?? active;
        return null;
      }
      if (method === "eth_sendTransaction") {
        if (provider.isRejecting)
          throw Object.assign(new Error("User rejected the request."), { code: 4001 });
        const { data, gas, to, value } = first as RpcTransactionRequest;
        const limits = gas === undefined ? {} : { gas: BigInt(gas) };
        return wallet.sendTransaction({
          data: data ?? "0x",
          to: to ?? null,
          value: BigInt(value ?? 0),
          ...limits,
        });
      }
      // Without batches: `execute` sends the approval and the deposit separately.
      if (method.startsWith("wallet_")) throw Object.assign(new Error("not supported"), { code: -32601 });
      return active.reader.request({ method, params } as never);
    },
  };
  return provider;
}
