import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { hashOrder } from "../../src/records/hashOrder.ts";
import type { Order } from "../../src/records/Order.ts";
import type { OrderData } from "../../src/schema/order.ts";
import type { Context } from "../Context.ts";
import type { IntentCall } from "../store/Intent.ts";
import type { Amounts } from "./computeAmounts.ts";
import type { ReadIntent } from "./readIntent.ts";

/** How long an order can be filled and refunded: what published orders have. */
const orderLifetimeSeconds = 7 * 24 * 60 * 60;

/** Three one-member tuples, which is how orders carry a call. */
const callParameters = parseAbiParameters(["(address to)", "(bytes data)", "(uint256 value)"]);

/** Builds the protocol's order for a priced intent, and its id. */
export function buildOrder(
  read: ReadIntent,
  amounts: Amounts,
  context: Pick<Context, "accounts" | "now" | "random32">,
): { order: Order; orderId: Hex } {
  const { origin, destination } = read;
  const deadline = Math.floor(context.now() / 1000) + orderLifetimeSeconds;
  const fillContract = (router: Hex) => encodeAbiParameters(parseAbiParameters("address"), [router]);
  const order: Order = {
    fees: [],
    inputs: [
      {
        payment: {
          amount: amounts.amountIn,
          chainId: origin.definition.name,
          currency: lower(read.currencyIn.address),
          weight: 1n,
        },
        refunds: [
          {
            chainId: origin.definition.name,
            currency: lower(read.currencyIn.address),
            deadline,
            extraData: fillContract(origin.contracts.v3.erc20Router),
            minimumAmount: 0n,
            recipient: read.refundTo,
          },
        ],
      },
    ],
    output: {
      calls: read.txs.map(encodeOrderCall),
      chainId: destination.definition.name,
      deadline,
      extraData: fillContract(destination.contracts.v3.erc20Router),
      payments: [
        {
          currency: lower(read.currencyOut.address),
          expectedAmount: amounts.amountOut,
          minimumAmount: amounts.minimumOut,
          recipient: read.txs.length === 0 ? read.recipient : lower(destination.contracts.v3.erc20Router),
        },
      ],
    },
    salt: BigInt(context.random32()),
    solver: lower(context.accounts.solver.account.address),
    solverChainId: origin.definition.name,
    version: "v1",
  };
  return { order, orderId: hashOrder({ order }) };
}

/** An order as the wire carries it: amounts become decimal strings, the salt becomes hex. */
export function orderToWire(order: Order): OrderData {
  const json = JSON.stringify(
    { ...order, salt: `0x${order.salt.toString(16).padStart(64, "0")}` },
    (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value),
  );
  return JSON.parse(json) as OrderData;
}

function encodeOrderCall({ data, to, value }: IntentCall): Hex {
  return encodeAbiParameters(callParameters, [{ to }, { data }, { value }]);
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
