import { createClient, custom, type Hex, hexToBytes, type WalletClient } from "viem";
import { toAccount } from "viem/accounts";
import { readAddress } from "../internal/readAddress.ts";
import { assertFunction, assertValid, readObject } from "../internal/readParts.ts";
import type { ChainReader, EthersSigner, TypedFields, Wallet } from "./Wallet.ts";

/**
 * Converts the caller's wallet to a viem client with an account. A signer of ethers without a JSON-RPC provider is connected
 * to the node of `reader`.
 */
export async function readWallet(
  given: EthersSigner | WalletClient,
  reader: ChainReader | undefined,
): Promise<Wallet> {
  readObject(given, "wallet");
  if ("getAddress" in given) return fromEthers(given, reader);
  const { account, transport } = given;
  assertValid(account !== undefined, "wallet", "it has no account");
  const sendsOnce = account.type === "local" || transport.type !== "fallback";
  assertValid(sendsOnce, "wallet", "a fallback transport could send twice");
  return given as Wallet;
}

/** The library signs and sends: functions of ethers would fill in fields, and wait for what they sent. */
async function fromEthers(signer: EthersSigner, reader: ChainReader | undefined): Promise<Wallet> {
  for (const name of ["getAddress", "signMessage", "signTransaction", "signTypedData"] as const) {
    assertFunction(`wallet.${name}`, signer[name]);
  }
  const { provider } = signer;
  assertValid(typeof provider === "object" && provider !== null, "wallet", "it has no provider");
  const node = nodeOf(provider as object) ?? reader;
  const silent = "neither it nor the wallet's provider speaks JSON-RPC";
  assertValid(node !== undefined, "publicClient", silent);
  const named = await Promise.resolve(signer.getAddress()).catch(String);
  const address = readAddress(named, "wallet.getAddress()");
  const local = toAccount({
    address,
    signMessage: async ({ message }) => {
      const isText = typeof message === "string";
      return (await signer.signMessage(isText ? message : hexToBytes(message.raw as Hex))) as Hex;
    },
    signTransaction: async ({ gas: gasLimit, type, ...call }) =>
      (await signer.signTransaction({ ...call, gasLimit, type: type === "legacy" ? 0 : 2 })) as Hex,
    signTypedData: async ({ domain, message, primaryType, types }) => {
      const needed = neededTypes(primaryType, types as TypedFields);
      return (await signer.signTypedData(domain ?? {}, needed, message as never)) as Hex;
    },
  });
  // Signers whose key is elsewhere have this function: their wallet signs and sends.
  const account = "sendUncheckedTransaction" in signer ? address : local;
  return createClient({ account, transport: custom(node as never, { retryCount: 0 }) });
}

/** A JSON-RPC provider of ethers as one of EIP-1193. */
function nodeOf(provider: { send?: (method: string, params: unknown) => Promise<unknown> }) {
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
  return { request };
}

/**
 * The types that the primary type uses. ethers selects the unreferenced type as primary, so an unused type would change
 * the signature.
 */
function neededTypes(primaryType: string, types: TypedFields, needed: TypedFields = {}): TypedFields {
  const fields = types[primaryType];
  if (fields === undefined || Object.hasOwn(needed, primaryType)) return needed;
  needed[primaryType] = fields;
  for (const { type } of fields) neededTypes(type.replace(/\[.*/s, ""), types, needed);
  return needed;
}
