import { createKeccak } from "hash-wasm";
import { type Hex, pad } from "viem";
import { lowerHex } from "../../../src/internal/lowerHex.ts";
import type { Order } from "../../../src/records/Order.ts";
import { encodeOrderCall, encodeOrderExtraData } from "../../../src/records/orderCall.ts";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { routerOf } from "../../router/routerCalls.ts";
import type { PricedIntent } from "../route/planRoute.ts";
import { type Keccak256, orderHasher } from "./orderHasher.ts";

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
            extraData: extraDataOf(origin, routerVersion),
            minimumAmount: 0n,
            recipient: refundTo,
          },
          // Published orders allow a refund on the destination too, in the currency that the solver holds there.
          {
            chainId: destination.definition.name,
            currency: lowerHex(route.destination.from.address),
            deadline: refundDeadline,
            extraData: extraDataOf(destination, routerVersion),
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
      extraData: extraDataOf(destination, routerVersion),
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
function extraDataOf(place: Place, routerVersion: RouterVersion): Hex {
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
