import { type Hex, stringToHex } from "viem";
import { readAddress } from "../../../src/internal/readAddress.ts";
import { readHex } from "../../../src/internal/readHex.ts";
import { readText, readUint32 } from "../../../src/internal/readParts.ts";
import { readUint256, wireOrderHint } from "../../../src/internal/readUint256.ts";
import { foldOrder, type OrderFold, orderMembers, orderTypes } from "../../../src/records/foldOrder.ts";
import type { Order } from "../../../src/records/Order.ts";

/** Keccak-256 of bytes, both in hex digits without a prefix. */
export type Keccak256 = (digits: string) => Word;

/** 32 bytes as 64 hex digits, without a prefix. */
type Word = string;

/**
 * Maximum length of a value with a cached hash, in digits: 64 bytes. Chains, currencies, contracts and empty values are
 * shorter.
 */
const longestKept = 2 * 64;
const mostKept = 1_024;

/**
 * Creates a function that computes an `orderId` as `hashOrder` does: the EIP-712 `hashStruct` without a domain. It
 * throws `InvalidParameterError` for an invalid member. Faster than the library's general encoder, which resolves the
 * types for each order: an emulator hashes one for each quote.
 */
export function orderHasher(keccak256: Keccak256): (order: Order) => Hex {
  const types = new Map<string, Word>();
  const values = new Map<string, Word>();
  const hashType = (type: string): Word => {
    const hash = types.get(type) ?? keccak256(digitsOf(encodeOrderType(type)));
    types.set(type, hash);
    return hash;
  };
  /** Caches hashes of values. Most values are chains, currencies and contracts, which repeat across orders. */
  const hashValue = (digits: string): Word => {
    const known = values.get(digits);
    if (known !== undefined) return known;
    const hash = keccak256(digits);
    if (digits.length > longestKept) return hash;
    // Clearing the cache is cheaper than evicting by use, and frequent values return soon.
    if (values.size >= mostKept) values.clear();
    values.set(digits, hash);
    return hash;
  };
  const fold: OrderFold<Word> = {
    leaf: (type, value, { parameter }) => {
      switch (type) {
        case "string":
          return hashValue(digitsOf(readText(value, parameter)));
        case "bytes":
          return hashValue(readHex(value, parameter).slice(2));
        case "address":
          return readAddress(value, parameter).slice(2).padStart(64, "0");
        case "uint32":
          return wordOf(readUint32(value, parameter));
        default:
          return wordOf(readUint256(value, parameter, wireOrderHint));
      }
    },
    list: (hashes) => (hashes.length === 0 ? hashValue("") : keccak256(hashes.join(""))),
    struct: (type, members) => keccak256(hashType(type) + members.map(([, word]) => word).join("")),
  };
  return (order) => `0x${foldOrder(order, "order", fold)}`;
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

function digitsOf(text: string): string {
  return stringToHex(text).slice(2);
}

function wordOf(value: bigint | number): Word {
  return value.toString(16).padStart(64, "0");
}
