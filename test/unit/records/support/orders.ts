import { getBase58Codec } from "@solana/kit";
import fc from "fast-check";
import type { Hex } from "viem";
import type { Order } from "../../../../src/records/Order.ts";
import { address, bytes, bytes32, uint256 } from "./arbitraries.ts";

const text = fc.string({ maxLength: 70, unit: "binary" });
const deadline = fc.oneof(fc.integer({ max: 2 ** 32 - 1, min: 0 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1));
// Around a word's edge as well, where a padding mistake would show.
const content = fc.oneof(bytes(0), bytes(31, 33), bytes(0, 300), bytes(1_000, 3_000));
const list = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 6) =>
  fc.oneof(
    { arbitrary: fc.constant([]), weight: 1 },
    { arbitrary: fc.array(arbitrary, { maxLength }), weight: 4 },
  );

/** A chain of an order, with addresses in that chain's form. */
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
      extraData: content,
      minimumAmount: uint256,
      recipient: account,
    }),
  );
  const output = at(({ account, chainId, currency }) =>
    fc.record({
      calls: list(content, 8),
      chainId,
      deadline,
      extraData: content,
      payments: list(
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
    fees: list(fee),
    inputs: list(fc.record({ payment, refunds: list(refund) })),
    output,
    salt: uint256,
    solver: address,
    solverChainId: text,
    version: text,
  });
}

const vmAddress = fc.oneof(address, bytes32, bytes(0, 70));

/** Any order: deep and empty lists, long and empty bytes, texts of any script, addresses of any length. */
export const anyOrder = ordersOf(fc.constant({ account: vmAddress, chainId: text, currency: vmAddress }));

/** Orders between EVM chains, SVM chains and the perps exchange, with the protocol's names for them. */
export const realOrder = ordersOf(
  fc.constantFrom<Chain>(
    { account: address, chainId: fc.constantFrom("base", "arbitrum", "ethereum"), currency: address },
    { account: bytes32, chainId: fc.constant("solana"), currency: bytes32 },
    { account: address, chainId: fc.constant("hyperliquid"), currency: bytes(16, 30) },
  ),
);

/** An order that is empty wherever it can be. */
export const emptyOrder: Order = {
  fees: [],
  inputs: [],
  output: { calls: [], chainId: "", deadline: 0, extraData: "0x", payments: [] },
  salt: 0n,
  solver: `0x${"00".repeat(20)}`,
  solverChainId: "",
  version: "",
};

const base58 = getBase58Codec();

/** An address as its chain writes it, by a codec that shares no code with the library's. */
export function otherAddress(bytes: Hex, chainId: string): string {
  return chainId === "solana" ? base58.decode(Buffer.from(bytes.slice(2), "hex")) : bytes;
}
