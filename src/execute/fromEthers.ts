import { createClient, custom, type Hex, hexToBytes } from "viem";
import { getChainId } from "viem/actions";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertFunction } from "../internal/assertFunction.ts";
import { readAddress } from "../internal/readAddress.ts";
import { sendThroughWallet } from "./fromViem.ts";
import type {
  ChainReader,
  EthersProvider,
  EthersSigner,
  EthersTransaction,
  Wallet,
  WalletTransaction,
  WalletTypedData,
} from "./Wallet.ts";

/** Optional methods of signers and providers. */
type Extras = {
  /** JSON-RPC providers. */
  send?: (method: string, params: unknown) => Promise<unknown>;
  /** Signers whose key is elsewhere: the wallet signs and sends. */
  sendUncheckedTransaction?: unknown;
  /** Other signers of ethers. */
  signTransaction?: (transaction: EthersTransaction) => Promise<string>;
};

/**
 * Adapts an ethers 6 signer to {@link Wallet}.
 *
 * @throws InvalidParameterError for a value without a provider, or that is no signer.
 */
export async function fromEthers(signer: EthersSigner): Promise<Wallet> {
  const { provider } = signer;
  for (const name of ["getAddress", "sendTransaction", "signMessage", "signTypedData"] as const) {
    assertFunction(`wallet.${name}`, signer[name]);
  }
  if (typeof provider !== "object" || provider === null) {
    throw new InvalidParameterError({ parameter: "wallet", reason: "it has no provider" });
  }
  const { sendUncheckedTransaction, signTransaction } = signer as Extras;
  const rpc = readerOf(provider);
  const isRemote = sendUncheckedTransaction !== undefined;
  const address = readAddress(await signer.getAddress(), "wallet.getAddress()");
  return {
    address,
    canBatch: isRemote,
    // Providers cache their first network; the user may have switched since.
    getChainId: async () => (rpc ? getChainId(rpc) : Number((await provider.getNetwork()).chainId)),
    rpc,
    // The signer's own function first waits to find the transaction.
    sendTransaction: async (transaction) =>
      isRemote && rpc !== undefined
        ? sendThroughWallet(rpc, address, transaction)
        : ((await signer.sendTransaction(toEthers(transaction))).hash as Hex),
    signMessage: async (message) =>
      (await signer.signMessage(typeof message === "string" ? message : hexToBytes(message.raw))) as Hex,
    signTransaction:
      isRemote || signTransaction === undefined
        ? undefined
        : async (transaction) => (await signTransaction.call(signer, toEthers(transaction))) as Hex,
    signTypedData: async (data) =>
      (await signer.signTypedData(data.domain, neededTypes(data), data.message)) as Hex,
    takeNonce: undefined,
  };
}

function toEthers({ fees, gas, ...call }: WalletTransaction & { nonce?: number }): EthersTransaction {
  return { ...call, ...fees, gasLimit: gas, type: "gasPrice" in fees ? 0 : 2 };
}

function readerOf(provider: EthersProvider & Extras): ChainReader | undefined {
  if (provider.send === undefined) return undefined;
  const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
    try {
      return await provider.send?.(method, params);
    } catch (error) {
      // The error of the wallet or node with its code. ethers wraps it in one whose code is a string.
      const { code, error: inner, info } = error as Record<string, unknown> & { info?: { error?: unknown } };
      throw typeof code === "string" ? (info?.error ?? inner ?? error) : error;
    }
  };
  return createClient({ transport: custom({ request }, { retryCount: 0 }) });
}

/**
 * The types that the primary type uses. ethers selects the unreferenced type as primary, so an unused type would change
 * the signature.
 */
function neededTypes({ primaryType, types }: WalletTypedData): WalletTypedData["types"] {
  const needed = new Set([primaryType]);
  for (const name of needed) {
    for (const { type } of types[name] ?? []) needed.add(type.replace(/\[.*/s, ""));
  }
  return Object.fromEntries(Object.entries(types).filter(([name]) => needed.has(name)));
}
