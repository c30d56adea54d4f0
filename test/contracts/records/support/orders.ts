import fc from "fast-check";
import type { Order } from "../../../../src/records/Order.ts";
import { address, bytes, uint256 } from "../../../unit/records/support/arbitraries.ts";

const text = fc.string({ maxLength: 70, unit: "binary" });
const deadline = fc.oneof(fc.integer({ max: 2 ** 32 - 1, min: 0 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1));
const vmAddress = fc.oneof(address, bytes(32), bytes(0, 70));
// Around a word's edge as well, where a padding mistake would show.
const content = fc.oneof(bytes(0), bytes(31, 33), bytes(0, 300), bytes(1_000, 3_000));
const list = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number) =>
  fc.oneof(
    { arbitrary: fc.constant([]), weight: 1 },
    { arbitrary: fc.array(arbitrary, { maxLength }), weight: 4 },
  );

const refund = fc.record({
  chainId: text,
  currency: vmAddress,
  deadline,
  extraData: content,
  minimumAmount: uint256,
  recipient: vmAddress,
});

/** Any order: deep and empty lists, long and empty bytes, texts of any script. */
export const anyOrder: fc.Arbitrary<Order> = fc.record({
  fees: list(
    fc.record({
      amount: uint256,
      currency: vmAddress,
      currencyChainId: text,
      recipient: vmAddress,
      recipientChainId: text,
    }),
    8,
  ),
  inputs: list(
    fc.record({
      payment: fc.record({ amount: uint256, chainId: text, currency: vmAddress, weight: uint256 }),
      refunds: list(refund, 6),
    }),
    6,
  ),
  output: fc.record({
    calls: list(content, 8),
    chainId: text,
    deadline,
    extraData: content,
    payments: list(
      fc.record({
        currency: vmAddress,
        expectedAmount: uint256,
        minimumAmount: uint256,
        recipient: vmAddress,
      }),
      8,
    ),
  }),
  salt: uint256,
  solver: address,
  solverChainId: text,
  version: text,
});

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
