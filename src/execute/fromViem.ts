import type { WalletClient } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import type { Wallet } from "./Wallet.ts";

/**
 * Adapts a viem wallet client to {@link Wallet}.
 *
 * @throws InvalidParameterError for a client without an account.
 *
 * @example
 * fromViem(createWalletClient({ account, transport: custom(window.ethereum) })).address;
 */
export function fromViem(client: WalletClient): Wallet {
  const { account } = client;
  if (account === undefined) {
    throw new InvalidParameterError({ parameter: "wallet", reason: "it has no account" });
  }
  return {
    address: account.address,
    canBatch: account.type === "json-rpc",
    getChainId: () => client.getChainId(),
    rpc: client,
    sendTransaction: ({ chainId, data, gas, to, value }) =>
      client.sendTransaction({
        account,
        // The chain description contains fee rules, so it must be of the same chain.
        chain: client.chain?.id === chainId ? client.chain : null,
        data,
        to,
        value,
        ...(gas !== undefined && { gas }),
      }),
    signMessage: (message) => client.signMessage({ account, message }),
    signTypedData: (data) => client.signTypedData({ account, ...data }),
  };
}
