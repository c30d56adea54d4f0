import { type Chain, formatTransactionRequest, type Hex, numberToHex, type WalletClient } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import type { ChainReader, Wallet, WalletTransaction } from "./Wallet.ts";

/**
 * Adapts a viem wallet client to {@link Wallet}.
 *
 * @throws InvalidParameterError for a client without an account, or whose transport could ask two wallets to send.
 */
export function fromViem(client: WalletClient): Wallet {
  const { account } = client;
  if (account === undefined) {
    throw new InvalidParameterError({ parameter: "wallet", reason: "it has no account" });
  }
  const { address } = account;
  const local = account.type === "local" ? account : undefined;
  const manager = local?.nonceManager;
  if (local === undefined && client.transport.type === "fallback") {
    const reason = "its fallback transport could send a transaction twice; use one transport";
    throw new InvalidParameterError({ parameter: "wallet", reason });
  }
  return {
    address,
    canBatch: account.type === "json-rpc",
    getChainId: () => client.getChainId(),
    rpc: client,
    sendTransaction: (transaction) => {
      if (account.type === "json-rpc") return sendThroughWallet(client, address, transaction);
      const { chainId, fees, ...call } = transaction;
      return client.sendTransaction({ ...call, ...fees, account, chain: { id: chainId } as Chain } as never);
    },
    signMessage: (message) => client.signMessage({ account, message }),
    signTransaction:
      local &&
      (async ({ fees, ...transaction }) =>
        local.signTransaction({
          ...transaction,
          ...fees,
          type: "gasPrice" in fees ? "legacy" : "eip1559",
        } as never)),
    signTypedData: (data) => client.signTypedData({ account, ...data }),
    takeNonce: manager && (async (reader, chainId) => manager.consume({ address, chainId, client: reader })),
  };
}

/**
 * Requests a transaction from a wallet that signs and sends itself. Every field is in the request: viem would leave out
 * the chain and let the node fill in the rest.
 *
 * @throws Errors of the wallet.
 */
export function sendThroughWallet(
  rpc: ChainReader,
  from: Hex,
  { chainId, fees, ...call }: WalletTransaction,
): Promise<Hex> {
  const request = formatTransactionRequest({ ...call, ...fees, from });
  const params = [{ ...request, chainId: numberToHex(chainId) }];
  return rpc.request({ method: "eth_sendTransaction", params } as never, { retryCount: 0 });
}
