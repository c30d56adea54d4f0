import type { Hex } from "viem";
import { orderMembers, orderTypes } from "../../../src/records/foldOrder.ts";
import type { Order } from "../../../src/records/Order.ts";

/** Keccak-256 of bytes, both in hex digits without a prefix. */
export type Keccak256 = (digits: string) => Word;

/** 32 bytes as 64 hex digits, without a prefix. */
type Word = string;

/** Encodes a value of an EIP-712 type as the word that its struct hashes. */
type Encoder = (value: never) => Word;

/** Maximum length of a value with a cached hash, in digits: the longest struct of an order has seven words and its type. */
const longestKept = 8 * 64;
const mostKept = 4_096;

/**
 * Creates a function that computes an `orderId` as `hashOrder` does: the EIP-712 `hashStruct` without a domain. It takes the
 * emulator's own orders, whose members need no check, and resolves the types once instead of for each order: an emulator
 * hashes one for each quote.
 */
export function orderHasher(keccak256: Keccak256): (order: Order) => Hex {
  const known = new Map<string, Word>();
  /** Caches hashes, because most parts repeat across orders: chains, currencies, contracts, payers and their refunds. */
  const hashOf = (value: string, digits: () => string): Word => {
    const kept = known.get(value);
    if (kept !== undefined) return kept;
    const hash = keccak256(digits());
    if (value.length > longestKept) return hash;
    // Clearing the cache is cheaper than evicting by use, and frequent values return soon.
    if (known.size >= mostKept) known.clear();
    known.set(value, hash);
    return hash;
  };
  const hashWords = (words: string): Word => hashOf(words, () => words);
  const leaves: Readonly<Record<string, Encoder>> = {
    address: (value: Hex) => value.slice(2).toLowerCase().padStart(64, "0"),
    // The keys of bytes, texts and words differ: texts may read like either.
    bytes: (value: Hex) => hashOf(value, () => value.slice(2)),
    string: (value: string) => hashOf(`"${value}`, () => Buffer.from(value).toString("hex")),
    uint256: wordOf,
    uint32: wordOf,
  };
  const encoderOf = (type: string): Encoder => {
    if (type.endsWith("[]")) {
      const encode = encoderOf(type.slice(0, -2));
      return (items: readonly never[]) => hashWords(items.map(encode).join(""));
    }
    const leaf = leaves[type];
    if (leaf !== undefined) return leaf;
    const typeHash = keccak256(Buffer.from(encodeOrderType(type)).toString("hex"));
    const members = (orderMembers[type] ?? []).map((member) => ({
      encode: encoderOf(member.type),
      name: member.name,
    }));
    return (struct: Readonly<Record<string, never>>) => {
      let words = typeHash;
      for (const { encode, name } of members) words += encode(struct[name] as never);
      return hashWords(words);
    };
  };
  const encode = encoderOf("Order") as (order: Order) => Word;
  return (order) => `0x${encode(order)}`;
}

/** EIP-712 type string of a struct and its member structs. */
function encodeOrderType(struct: string): string {
  const others = new Set<string>();
  const add = (name: string): void => {
    for (const { type } of orderMembers[name] ?? []) {
      const inner = type.replace("[]", "");
      if (!(inner in orderTypes)) continue;
      others.add(inner);
      add(inner);
    }
  };
  add(struct);
  return [struct, ...[...others].sort()].map((name) => `${name}(${orderTypes[name]})`).join("");
}

function wordOf(value: bigint | number): Word {
  return value.toString(16).padStart(64, "0");
}
