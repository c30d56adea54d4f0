import { expect } from "chai";
import type { Eip712Sign } from "../../src/schema/quote/step.ts";
import { permitSample } from "../unit/guard/support/quotes.ts";
import { guarded } from "../unit/guard/support/wallet.ts";

describe("attack: typed data without braces", () => {
  it("an answer of 0.3 MB whose structs are texts, learned without a click: takes less than a second", async () => {
    const { quote, request } = await permitSample("slow struct names");
    const sign = ((quote.steps[0]?.items[0]?.data ?? {}) as { sign: Eip712Sign }).sign;
    // A text has a `length`, so that viem hashes it as this struct. The name of its type is hashed for each.
    const name = "B".repeat(Number(process.env["SIZE"] ?? 145_000));
    Object.assign(sign, {
      primaryType: "A",
      types: {
        A: [{ name: "b", type: `${name}[]` }],
        [name]: [{ name: "length", type: "uint256" }],
      },
      value: { b: Array.from({ length: 250 }, () => "x") },
    });
    console.log(JSON.stringify(quote).length);
    const start = performance.now();
    const { guard } = await guarded([]);
    const verdict = await guard.add({ quote, request });
    console.log(verdict.reason, performance.now() - start, process.memoryUsage().rss / 1e6);
    expect(performance.now() - start).to.be.lessThan(1_000);
  }).timeout(300_000);
});
