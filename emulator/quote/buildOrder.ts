import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import type { Order } from "../../src/records/Order.ts";
import type { OrderData } from "../../src/schema/order.ts";
import type { Context } from "../Context.ts";
import { addressWord } from "../chains/rpc.ts";
import type { IntentCall } from "../store/Intent.ts";
import { orderIdOf } from "./orderIdOf.ts";
import type { PricedIntent } from "./priceIntent.ts";
import { routerOf } from "./routerCalls.ts";

/** How long an order can be refunded, and filled unless its quote says less: what published orders have. */
export const orderLifetimeSeconds = 7 * 24 * 60 * 60;

/** Three one-member tuples, which is how orders carry a call. */
const callParameters = parseAbiParameters(["(address to)", "(bytes data)", "(uint256 value)"]);

/**
 * Builds the protocol's order for a priced intent, and its id: what reaches the depository, and what must come of it.
 *
 * @param times The present and the last moment at which it may be filled, in unix milliseconds.
 */
export function buildOrder(
  { amounts, read, route, routerVersion }: Pick<PricedIntent, "amounts" | "read" | "route" | "routerVersion">,
  { expiresAt, now }: { readonly expiresAt: number; readonly now: number },
  context: Pick<Context, "accounts" | "random32">,
): { order: Order; orderId: Hex } {
  const { origin, destination } = read;
  const deposited = lower(route.origin.to.address);
  const router = lower(routerOf(destination, routerVersion));
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
            deadline: seconds(now) + orderLifetimeSeconds,
            extraData: `0x${addressWord(routerOf(origin, routerVersion))}`,
            minimumAmount: 0n,
            recipient: read.refundTo,
          },
        ],
      },
    ],
    output: {
      calls: read.txs.map(encodeOrderCall),
      chainId: destination.definition.name,
      deadline: seconds(expiresAt),
      extraData: `0x${addressWord(router)}`,
      payments: [
        {
          currency: lower(read.currencyOut.address),
          expectedAmount: amounts.amountOut,
          minimumAmount: amounts.minimumOut,
          recipient: read.txs.length === 0 ? read.recipient : router,
        },
      ],
    },
    salt: BigInt(context.random32()),
    solver: lower(context.accounts.solver.account.address),
    solverChainId: origin.definition.name,
    version: "v1",
  };
  return { order, orderId: orderIdOf(order) };
}

/** An order as the wire carries it: amounts become decimal strings, the salt becomes hex. */
export function orderToWire(order: Order): OrderData {
  const { fees, inputs, output, salt } = order;
  return {
    ...order,
    fees: fees.map((fee) => ({ ...fee, amount: fee.amount.toString() })),
    inputs: inputs.map(({ payment, refunds }) => ({
      payment: {
        ...payment,
        amount: payment.amount.toString(),
        weight: payment.weight.toString(),
      },
      refunds: refunds.map((refund) => ({ ...refund, minimumAmount: refund.minimumAmount.toString() })),
    })),
    output: {
      ...output,
      calls: [...output.calls],
      payments: output.payments.map((payment) => ({
        ...payment,
        expectedAmount: payment.expectedAmount.toString(),
        minimumAmount: payment.minimumAmount.toString(),
      })),
    },
    salt: `0x${salt.toString(16).padStart(64, "0")}`,
  };
}

function encodeOrderCall({ data, to, value }: IntentCall): Hex {
  return encodeAbiParameters(callParameters, [{ to }, { data }, { value }]);
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
