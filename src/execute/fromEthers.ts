import { createClient, custom, type Hex, hexToBytes } from "viem";
import { getChainId } from "viem/actions";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertFunction } from "../internal/assertFunction.ts";
import { readAddress } from "../internal/readAddress.ts";
import type {
  ChainReader,
  EthersProvider,
  EthersSigner,
  EthersTransaction,
  Wallet,
  WalletTypedData,
} from "./Wallet.ts";

type Send = (method: string, params: unknown) => Promise<unknown>;

/** Optional methods of signers and providers. */
type Extras = {
  /** JSON-RPC providers. */
  send?: Send;
  /** Wallet signers: returns the hash at once, unlike `sendTransaction`, which first waits to find the transaction. */
  sendUncheckedTransaction?: (transaction: EthersTransaction) => Promise<string>;
};

/**
 * Adapts an ethers 6 signer to {@link Wallet}.
 *
 * @throws InvalidParameterError for a value without a provider, or that is no signer.
 *
 * @example
 * await fromEthers(new Wallet(privateKey, new JsonRpcProvider("http://127.0.0.1:8545")));
 */
export async function fromEthers(signer: EthersSigner): Promise<Wallet> {
  const { provider } = signer;
  for (const name of ["getAddress", "sendTransaction", "signMessage", "signTypedData"] as const) {
    assertFunction(`wallet.${name}`, signer[name]);
  }
  if (typeof provider !== "object" || provider === null) {
    throw new InvalidParameterError({ parameter: "wallet", reason: "it has no provider" });
  }
  const { sendUncheckedTransaction } = signer as Extras;
  const rpc = readerOf(provider);
  return {
    address: readAddress(await signer.getAddress(), "wallet.getAddress()"),
    canBatch: sendUncheckedTransaction !== undefined,
    // Providers cache their first network; the user may have switched since.
    getChainId: async () => (rpc ? getChainId(rpc) : Number((await provider.getNetwork()).chainId)),
    rpc,
    sendTransaction: async ({ gas = null, ...call }) => {
      const transaction = { ...call, gasLimit: gas };
      const hash = sendUncheckedTransaction
        ? await sendUncheckedTransaction.call(signer, transaction)
        : (await signer.sendTransaction(transaction)).hash;
      return hash as Hex;
    },
    signMessage: async (message) =>
      (await signer.signMessage(typeof message === "string" ? message : hexToBytes(message.raw))) as Hex,
    signTypedData: async (data) =>
      (await signer.signTypedData(data.domain, neededTypes(data), data.message)) as Hex,
  };
}

function readerOf(provider: EthersProvider & Extras): ChainReader | undefined {
  if (provider.send === undefined) return undefined;
  const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
    try {
      return await provider.send?.(method, params);
    } catch (error) {
      throw answerIn(error);
    }
  };
  return createClient({ transport: custom({ request }, { retryCount: 0 }) });
}

/** The error of the wallet or node with its code, which ethers wraps. */
function answerIn(error: unknown): unknown {
  const { error: inner, info } = error as { error?: unknown; info?: { error?: unknown } };
  return info?.error ?? inner ?? error;
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
