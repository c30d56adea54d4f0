import { createKeccak } from "hash-wasm";
import { type Hex, pad } from "viem";
import { lowerHex } from "../../../src/internal/lowerHex.ts";
import { orderMembers, orderTypes } from "../../../src/records/foldOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { encodeOrderCall, encodeOrderExtraData } from "../../../src/records/orderCall.ts";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { routerOf } from "../../router/routerCalls.ts";
import type { PricedIntent } from "../route/planRoute.ts";

/** Lifetime of an order in seconds, the same as in published orders. A quote can shorten the time for its fill. */
export const orderLifetimeSeconds = 7 * 24 * 60 * 60;

/**
 * Builds the protocol's order of a priced intent and its id. The order states the payment to the depository and the
 * output.
 */
export async function buildOrder(
  {
    amounts,
    read,
    route,
    routerVersion,
  }: Pick<PricedIntent<Place>, "amounts" | "read" | "route" | "routerVersion">,
  { expiresAt, now }: { readonly expiresAt: number; readonly now: number },
  context: Pick<Context, "accounts" | "chains" | "random32">,
): Promise<{ order: Order; orderId: Hex }> {
  const { origin, destination } = read;
  const deposited = lowerHex(route.origin.to.address);
  const refundDeadline = seconds(now) + orderLifetimeSeconds;
  const refundTo = isSvmChain(origin) ? pad(read.refundTo) : read.refundTo;
  const order: Order = {
    fees: [],
    inputs: [
      {
        payment: {
          amount: amounts.minimumDeposit,
          chainId: origin.definition.name,
          currency: deposited,
          weight: 1n,
        },
        refunds: [
          {
            chainId: origin.definition.name,
            currency: deposited,
            deadline: refundDeadline,
            extraData: encodeExtraData(origin, routerVersion),
            minimumAmount: 0n,
            recipient: refundTo,
          },
          // Published orders allow a refund on the destination too, in the currency that the solver holds there.
          {
            chainId: destination.definition.name,
            currency: lowerHex(route.destination.from.address),
            deadline: refundDeadline,
            extraData: encodeExtraData(destination, routerVersion),
            minimumAmount: 0n,
            recipient: isSvmChain(origin) === isSvmChain(destination) ? refundTo : read.recipient,
          },
        ],
      },
    ],
    output: {
      calls: read.txs.map((call) => encodeOrderCall({ call })),
      chainId: destination.definition.name,
      deadline: seconds(expiresAt),
      extraData: encodeExtraData(destination, routerVersion),
      payments: [
        {
          currency: lowerHex(read.currencyOut.address),
          expectedAmount: amounts.amountOut,
          minimumAmount: amounts.minimumOut,
          recipient:
            read.txs.length > 0 && isEvmChain(destination)
              ? lowerHex(routerOf(destination, routerVersion))
              : read.recipient,
        },
      ],
    },
    salt: BigInt(context.random32()),
    solver: lowerHex(context.accounts.solver.account.address),
    solverChainId: solverChain(context).definition.name,
    version: "v1",
  };
  return { order, orderId: await hashOrder(order) };
}

/** The chain on which the solver settles all orders, whatever their origin: the first EVM chain. */
function solverChain({ chains }: Pick<Context, "chains">): Chain {
  const [first] = chains.values();
  if (first === undefined) throw new Error("the emulator has no EVM chain");
  return first;
}

/** The router that fills on an EVM chain; empty for the exchange, where the solver's account pays. */
function encodeExtraData(place: Place, routerVersion: RouterVersion): Hex {
  if (!isEvmChain(place)) return "0x";
  return encodeOrderExtraData({ fillContract: lowerHex(routerOf(place, routerVersion)) });
}

let hashing: Promise<(order: Order) => Hex> | undefined;

/**
 * The `orderId` of an order, as the library computes it. Each takes fourteen rounds of Keccak-256, which WebAssembly runs ten
 * times as fast as JavaScript.
 */
async function hashOrder(order: Order): Promise<Hex> {
  hashing ??= compiledKeccak().then(orderHasher);
  return (await hashing)(order);
}

async function compiledKeccak(): Promise<Keccak256> {
  const hasher = await createKeccak(256);
  return (digits) => hasher.init().update(Buffer.from(digits, "hex")).digest("hex");
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Keccak-256 of bytes, both in hex digits without a prefix. */
type Keccak256 = (digits: string) => Word;

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
