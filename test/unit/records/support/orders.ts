import { getBase58Codec } from "@solana/kit";
import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import type { Hex } from "viem";
import type { Order } from "../../../../src/records/Order.ts";
import { address, bytes, bytes32, uint256 } from "./arbitraries.ts";

/** `type name` pairs of the protocol's EIP-712 structs. */
const members: Readonly<Record<string, string>> = {
  Fee: "string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount",
  Input: "InputPayment payment,InputRefund[] refunds",
  InputPayment: "string chainId,bytes currency,uint256 amount,uint256 weight",
  InputRefund:
    "string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData",
  Order:
    "string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees",
  Output: "string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData",
  OutputPayment: "bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount",
};

const types = Object.fromEntries(
  Object.entries(members).map(([struct, list]) => [
    struct,
    list.split(",").map((member) => {
      const [type = "", name = ""] = member.split(" ");
      return { name, type };
    }),
  ]),
);

/** The id of an order by an encoder that shares no code with the library's. */
export function otherHashOrder(order: Order): string {
  return TypedDataEncoder.hashStruct("Order", types, order);
}

const text = fc.string({ maxLength: 40, unit: "binary" });
const deadline = fc.oneof(fc.integer({ max: 2 ** 32 - 1, min: 0 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1));
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 4 });

/** Where an order's money is: a chain, and addresses as that chain has them. */
type Chain = { chainId: fc.Arbitrary<string>; account: fc.Arbitrary<Hex>; currency: fc.Arbitrary<Hex> };

function ordersOf(chain: fc.Arbitrary<Chain>): fc.Arbitrary<Order> {
  const at = <T>(make: (chain: Chain) => fc.Arbitrary<T>) => chain.chain(make);
  const payment = at(({ chainId, currency }) =>
    fc.record({ amount: uint256, chainId, currency, weight: uint256 }),
  );
  const refund = at(({ account, chainId, currency }) =>
    fc.record({
      chainId,
      currency,
      deadline,
      extraData: bytes(0, 300),
      minimumAmount: uint256,
      recipient: account,
    }),
  );
  const output = at(({ account, chainId, currency }) =>
    fc.record({
      calls: few(bytes(0, 500)),
      chainId,
      deadline,
      extraData: bytes(0, 300),
      payments: few(
        fc.record({ currency, expectedAmount: uint256, minimumAmount: uint256, recipient: account }),
      ),
    }),
  );
  const fee = fc
    .tuple(
      at(({ account, chainId }) => fc.record({ recipient: account, recipientChainId: chainId })),
      at(({ chainId, currency }) => fc.record({ currency, currencyChainId: chainId })),
      uint256,
    )
    .map(([recipient, currency, amount]) => ({ ...recipient, ...currency, amount }));
  return fc.record({
    fees: few(fee),
    inputs: few(fc.record({ payment, refunds: few(refund) })),
    output,
    salt: uint256,
    solver: address,
    solverChainId: text,
    version: text,
  });
}

const vmAddress = fc.oneof(address, bytes32, bytes(0, 70));

/** Any order there can be, of chains with any addresses. */
export const anyOrder = ordersOf(fc.constant({ account: vmAddress, chainId: text, currency: vmAddress }));

/** Orders between EVM chains, SVM chains and the perps exchange, with the protocol's names for them. */
export const realOrder = ordersOf(
  fc.constantFrom<Chain>(
    { account: address, chainId: fc.constantFrom("base", "arbitrum", "ethereum"), currency: address },
    { account: bytes32, chainId: fc.constant("solana"), currency: bytes32 },
    { account: address, chainId: fc.constant("hyperliquid"), currency: bytes(16, 30) },
  ),
);

const base58 = getBase58Codec();

/** An address as its chain writes it, by a codec that shares no code with the library's. */
export function otherAddress(bytes: Hex, chainId: string): string {
  return chainId === "solana" ? base58.decode(Buffer.from(bytes.slice(2), "hex")) : bytes;
}
