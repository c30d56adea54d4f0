import type { Hex } from "viem";
import { orderMembers, orderTypes } from "../../../src/records/foldOrder.ts";
import type { Order } from "../../../src/records/Order.ts";

/** Keccak-256 of bytes, both in hex digits without a prefix. */
export type Keccak256 = (digits: string) => Word;

/** 32 bytes as 64 hex digits, without a prefix. */
type Word = string;

/** Encodes a value of an EIP-712 type as the word that its struct hashes. */
type Encoder = (value: never) => Word;

/**
 * Maximum length of a value with a cached hash: 64 bytes in hex digits. Chains, currencies, contracts and empty values are
 * shorter.
 */
const longestKept = 2 * 64;
const mostKept = 1_024;

/**
 * Creates a function that computes an `orderId` as `hashOrder` does: the EIP-712 `hashStruct` without a domain. It takes the
 * emulator's own orders, whose members need no check, and resolves the types once instead of for each order: an emulator
 * hashes one for each quote.
 */
export function orderHasher(keccak256: Keccak256): (order: Order) => Hex {
  const known = new Map<string, Word>();
  /** Caches hashes of texts and bytes by both, because a text may read like bytes. Most repeat across orders. */
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
  const leaves: Readonly<Record<string, Encoder>> = {
    address: (value: Hex) => value.slice(2).toLowerCase().padStart(64, "0"),
    bytes: (value: Hex) => hashOf(value, () => value.slice(2)),
    string: (value: string) => hashOf(`"${value}`, () => Buffer.from(value).toString("hex")),
    uint256: wordOf,
    uint32: wordOf,
  };
  const encoderOf = (type: string): Encoder => {
    if (type.endsWith("[]")) {
      const encode = encoderOf(type.slice(0, -2));
      return (items: readonly never[]) => keccak256(items.map(encode).join(""));
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
      return keccak256(words);
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
