import { type Address, type Hex, isAddress, isHex } from "viem";
import { Refused } from "./Refused.ts";

type Fields = Readonly<Record<string, unknown>>;
/** Fields of a call that count, beside those that the wallet decides. */
export type CallFields = Fields & { readonly to: Address; readonly data: Hex; readonly value: bigint };

/**
 * Reads a call that the app asks for: `data` or `input`, numbers in any form.
 *
 * @throws Refused
 */
export function readCallFields(given: unknown): CallFields {
  if (typeof given !== "object" || given === null) throw new Refused("it is no call");
  const fields = given as Fields;
  const { data = fields["input"] ?? "0x", input = data, to, value } = fields;
  if (typeof to !== "string" || !isAddress(to, { strict: false })) throw new Refused("it has no recipient");
  if (!isHex(data) || !isHex(input) || data.toLowerCase() !== input.toLowerCase())
    throw new Refused("its calldata is not hexadecimal, or given twice");
  return { ...fields, data, to, value: readQuantity(value ?? 0n) };
}

/**
 * Reads a chain id.
 *
 * @throws Refused
 */
export function readChain(value: unknown): number {
  const chainId = Number(readQuantity(value));
  if (!Number.isSafeInteger(chainId) || chainId === 0) throw new Refused("it names no chain");
  return chainId;
}

/**
 * Reads an account.
 *
 * @throws Refused
 */
export function readAccount(value: unknown): Address {
  if (typeof value === "string" && isAddress(value, { strict: false })) return value;
  throw new Refused("it names no account");
}

/**
 * Whether the person refused: code 4001 of EIP-1193, or 5000 of WalletConnect. Any other error may come from a node that has
 * the transaction.
 */
export function isOwnRefusal(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return code === 4001 || code === 5000;
}

/** Codes of wallets that have no batches, and of EIP-5792 for a batch that was not begun: 5750 is a refused upgrade of the account. */
const unbegunBatch: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  -32601, 4200, 5700, 5710, 5740, 5750, 5760,
]);

/** Whether a wallet surely sent no call of a batch. */
export function isUnbegunBatch(method: string, error: unknown): boolean {
  return method === "wallet_sendCalls" && unbegunBatch.has((Object(error) as { code?: unknown }).code);
}

function readQuantity(value: unknown): bigint {
  const isPlain = typeof value === "bigint" || Number.isSafeInteger(value);
  const isText = typeof value === "string" && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value);
  if (!isPlain && !isText) throw new Refused("a number of it cannot be read");
  return BigInt(value as bigint | number | string);
}
