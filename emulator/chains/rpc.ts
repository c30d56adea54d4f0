import { type Address, type Hex, hexToBigInt, numberToHex, zeroAddress } from "viem";
import * as z from "zod";
import { bytes32Schema, hexSchema } from "../../src/schema/wire/hex.ts";

/** Calls a JSON-RPC method of a node and returns its result. */
export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** A JSON-RPC quantity: hexadecimal without leading zeros, so the number of digits varies. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "not a number in hexadecimal")
  .transform((value) => hexToBigInt(value as Hex));

/** Calls a contract and returns the 32-byte words of its answer as numbers. */
export async function readWords(
  rpc: Rpc,
  to: Address,
  data: Hex,
  block: string = "latest",
): Promise<readonly bigint[]> {
  const answer = hexSchema.parse(await rpc("eth_call", [{ data, to }, block]));
  const words = answer.slice(2).match(/.{64}/g) ?? [];
  return words.map((word) => BigInt(`0x${word}`));
}

/** An address as an ABI-encoded word, without the prefix. */
export function addressWord(address: Address): string {
  return address.slice(2).toLowerCase().padStart(64, "0");
}

/** The newest known block of a chain. */
export type ChainHead = {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei; zero on a chain without a base fee. */
  readonly baseFeePerGas: bigint;
};

/** The fields of a block that the emulator reads. */
export const headSchema = z
  .object({
    baseFeePerGas: quantitySchema.nullish(),
    hash: bytes32Schema,
    number: quantitySchema,
    parentHash: bytes32Schema,
    timestamp: quantitySchema,
  })
  .transform(({ baseFeePerGas, ...rest }): ChainHead => ({ ...rest, baseFeePerGas: baseFeePerGas ?? 0n }));

/** The newest block. */
export async function latestHead(rpc: Rpc): Promise<ChainHead> {
  return headSchema.parse(await rpc("eth_getBlockByNumber", ["latest", false]));
}

const receiptSchema = z.object({ blockNumber: quantitySchema, status: quantitySchema }).nullable();

/** Whether a transaction succeeded; `undefined` until it is mined. */
export async function wasSuccessful(rpc: Rpc, hash: Hex): Promise<boolean | undefined> {
  const receipt = receiptSchema.parse(await rpc("eth_getTransactionReceipt", [hash]));
  return receipt === null ? undefined : receipt.status === 1n;
}

/** Nonce of the next transaction of an account, after its pending ones. */
export async function pendingNonce(rpc: Rpc, address: Hex): Promise<number> {
  return Number(quantitySchema.parse(await rpc("eth_getTransactionCount", [address, "pending"])));
}

/** Applies the time limit to the body as well: viem's own limit covers the headers alone. */
export const fetchWhole: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  return new Response(await response.arrayBuffer(), response);
};

/** A chain, as far as its node is asked. */
type Node = { readonly rpc: Rpc };

/** Selectors of ERC-20's `balanceOf(address)` and `allowance(address,address)`. */
const balanceSelector = "0x70a08231";
const allowanceSelector = "0xdd62ed3e";

/** Balance of an account in a currency, in smallest units, now or after a block. */
export async function balanceOf(
  { rpc }: Node,
  currency: Address,
  account: Address,
  block?: bigint,
): Promise<bigint> {
  const tag = block === undefined ? "latest" : numberToHex(block);
  if (currency === zeroAddress) return quantitySchema.parse(await rpc("eth_getBalance", [account, tag]));
  const [balance = 0n] = await readWords(rpc, currency, `${balanceSelector}${addressWord(account)}`, tag);
  return balance;
}

/** Allowance that the owner of a token gave to a spender, in smallest units. */
export async function allowanceOf(
  { rpc }: Node,
  token: Address,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  const data = `${allowanceSelector}${addressWord(owner)}${addressWord(spender)}` as const;
  const [allowance = 0n] = await readWords(rpc, token, data);
  return allowance;
}

/** Whether an address has code. */
export async function hasCode({ rpc }: Node, account: Address): Promise<boolean> {
  return (await rpc("eth_getCode", [account, "latest"])) !== "0x";
}
