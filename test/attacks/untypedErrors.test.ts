import { expect } from "chai";
import { createQuoteGuard } from "../../src/guard/index.ts";
import { BaseError, proveQuote } from "../../src/prove/index.ts";
import { policy, wrapSample } from "../unit/guard/support/quotes.ts";

const errorOf = (asked: () => Promise<unknown>) =>
  Promise.resolve()
    .then(asked)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe("attack: a request of the app's partner", () => {
  it("with calls in 20,000 levels: is refused by a typed error", async () => {
    const { quote, request } = wrapSample("deep calls");
    const text = `${'{"request":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
    const asked = { ...request, txs: [JSON.parse(text)] };
    const error = await errorOf(() => proveQuote({ policy, quote, request: asked as never }));
    expect(error, String(error)).to.be.instanceOf(BaseError);
  });

  for (const [name, change] of Object.entries({
    "a field of 20,000 levels": { odd: JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) },
    "a user without text": { user: { toString: 1 } },
  })) {
    it(`with ${name}: guard.add gives a verdict, or a typed error`, async () => {
      const { quote, request } = wrapSample(name);
      const guard = createQuoteGuard({ policy });
      const error = await errorOf(() => guard.add({ quote, request: { ...request, ...change } as never }));
      expect(error === undefined || error instanceof BaseError, String(error)).to.equal(true);
    });
  }
});
