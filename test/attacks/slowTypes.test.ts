import { expect } from "chai";
import type { Eip712Sign } from "../../src/schema/quote/step.ts";
import { permitSample } from "../unit/guard/support/quotes.ts";
import { guarded } from "../unit/guard/support/wallet.ts";

/** An answer with other typed data, and how long the guard takes to learn it, in milliseconds. */
async function learn(sign: object) {
  const { quote, request } = await permitSample("slow");
  Object.assign(((quote.steps[0]?.items[0]?.data ?? {}) as { sign: Eip712Sign }).sign, sign);
  const { guard } = await guarded([]);
  const size = JSON.stringify(quote).length;
  const { user: before } = process.cpuUsage();
  const { isProven } = await guard.add({ quote, request });
  expect(isProven).to.equal(false);
  return { size, time: (process.cpuUsage().user - before) / 1_000 };
}

describe("attack: typed data that is learned without a click", () => {
  it("structs that are texts, so that the message has no braces: 0.3 MB take less than a second", async () => {
    // A text has a `length`, so that viem hashes it as this struct: the long name of its type each time.
    const name = "B".repeat(145_000);
    const { size, time } = await learn({
      primaryType: "A",
      types: { A: [{ name: "b", type: `${name}[]` }], [name]: [{ name: "length", type: "uint256" }] },
      // Lists of lists would make it 15 times as many.
      value: { b: Array.from({ length: 250 }, () => "x") },
    });
    expect(time, `${size} characters`).to.be.lessThan(1_000);
  }).timeout(300_000);

  it("structs that the guard counts and allows: less than 0.1 MB take less than 100 ms", async () => {
    const name = "B".repeat(18_000);
    const { size, time } = await learn({
      primaryType: "A",
      types: { A: [{ name: "b", type: `${name}[]` }], [name]: [{ name: "c", type: "uint256" }] },
      value: { b: Array.from({ length: 50 }, () => ({ c: 1 })) },
    });
    expect(time, `${size} characters`).to.be.lessThan(100);
  }).timeout(300_000);
});
