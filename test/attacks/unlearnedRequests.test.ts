import { expect } from "chai";
import { type RequestScope, watchRequests } from "../../src/guard/index.ts";
import { rejectionOf } from "../unit/client/support/fakeService.ts";
import { wrapSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, send } from "../unit/guard/support/wallet.ts";

describe("attack: a newer request that the guard cannot read, answered with an older quote", () => {
  const bodies: Readonly<Record<string, (request: object) => unknown>> = {
    "with a field of 20,000 levels": (request) =>
      JSON.stringify({ ...request, odd: 0 }).replace('"odd":0', `"odd":${"[".repeat(20_000)}${"]".repeat(20_000)}`),
    "with a user that has no text": (request) => JSON.stringify({ ...request, user: { toString: 1 } }),
    "as an ArrayBuffer": (request) => new TextEncoder().encode(JSON.stringify(request)).buffer,
    "without a trade type": (request) => JSON.stringify({ ...request, tradeType: undefined }),
    "as plain text": (request) => JSON.stringify(request),
  };
  for (const [name, write] of Object.entries(bodies)) {
    it(`a request for another amount, ${name}: the older quote is refused`, async () => {
      const sample = wrapSample(`unlearned ${name}`);
      const { guard, log, provider } = await guarded([sample]);
      const scope: RequestScope = { fetch: async () => Response.json(sample.quote) };
      watchRequests(guard, scope);
      const body = write({ ...sample.request, amount: "1" }) as string;
      await scope.fetch?.("/quote/v2", { body, method: "POST" });
      const error = await rejectionOf(send(provider, callOf(sample))).catch((e) => e);
      console.log(String(error).slice(0, 200));
      expect(log).to.deep.equal([]);
    });
  }
});
