import { expect } from "chai";
import { type RequestScope, watchRequests } from "../../src/guard/index.ts";
import { txHash } from "../unit/client/support/samples.ts";
import { type Sample, wrapSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, send } from "../unit/guard/support/wallet.ts";

describe("attack: two requests at once, the first as a Request, the second as text", () => {
  it("the quote of the second is paid, and that of the first is closed", async () => {
    const [first, second] = [wrapSample("asked first"), wrapSample("asked second")] as [Sample, Sample];
    // The person corrected the refund's account.
    const corrected = { ...second.request, refundTo: second.request.user };
    const { guard, log, provider } = await guarded([]);
    const scope: RequestScope = {
      fetch: async (_, init) =>
        Response.json(JSON.parse(String(init?.body)).refundTo === undefined ? first.quote : second.quote),
    };
    watchRequests(guard, scope);
    const [url, method] = ["http://127.0.0.1/quote/v2", "POST"];
    await Promise.all([
      scope.fetch?.(new Request(url, { body: JSON.stringify(first.request), method })),
      scope.fetch?.(url, { body: JSON.stringify(corrected), method }),
    ]);
    const older = await send(provider, callOf(first)).catch(String);
    const newer = await send(provider, callOf(second)).catch(String);
    expect([log.length, newer], String(older)).to.deep.equal([1, txHash]);
    expect(older).to.include("asked for another quote");
  });
});
