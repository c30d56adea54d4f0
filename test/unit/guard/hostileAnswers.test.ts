import { expect } from "chai";
import { type RequestScope, watchRequests } from "../../../src/guard/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { txHash } from "../client/support/samples.ts";
import { type Sample, tokenSample, wrapSample } from "./support/quotes.ts";
import { callOf, guarded, send } from "./support/wallet.ts";

/** The sample's answer, with other fields in its transactions. */
const altered = ({ quote }: Sample, fields: object) => ({
  ...quote,
  steps: quote.steps.map((step) => ({
    ...step,
    items: step.items.map((item) => ({ ...item, data: { ...(item.data as object), ...fields } })),
  })),
});
describe("guardProvider: bytes of an older quote in a newer answer that the guard cannot read", () => {
  for (const [name, fields] of Object.entries({
    "a gas that is no number": { gas: "much" },
    "a null value": { value: null },
    "another chain id": { chainId: 1 },
    "a chain id as text": { chainId: "0x7a69" },
  })) {
    it(`${name}, which the official client ignores: the older quote is refused`, async () => {
      const sample = await tokenSample(`unread ${name}`);
      const { guard, log, provider } = await guarded([sample]);
      await guard.add({ quote: altered(sample, fields) as never, request: sample.request });
      await rejectionOf(send(provider, callOf(sample)));
      expect(log).to.deep.equal([]);
    });
  }

  it("an answer to a request of another origin chain: the older quote is refused", async () => {
    const sample = wrapSample("other line");
    const { guard, log, provider } = await guarded([sample]);
    const request = { ...sample.request, originChainId: 31338, destinationChainId: 31338 };
    await guard.add({ quote: altered(sample, { chainId: undefined }) as never, request });
    await rejectionOf(send(provider, callOf(sample)));
    expect(log).to.deep.equal([]);
  });

  const forms: Readonly<Record<string, (quote: object) => Response>> = {
    "20,000 levels": (quote) => {
      const levels = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      return new Response(JSON.stringify({ ...quote, odd: 0 }).replace('"odd":0', `"odd":${levels}`));
    },
    "a million characters": (quote) => Response.json({ ...quote, odd: "x".repeat(1_000_000) }),
    "the status of an error": (quote) => Response.json(quote, { status: 500 }),
  };
  for (const [name, form] of Object.entries(forms)) {
    for (const change of [{ amount: "1" }, { destinationChainId: 31338, originChainId: 31338 }]) {
      it(`${name}, in answer to a newer request with another ${Object.keys(change)}: the older quote is refused`, async () => {
        const sample = wrapSample(`${name} ${Object.keys(change)}`);
        const { guard, log, provider } = await guarded([sample]);
        const scope: RequestScope = { fetch: async () => form(sample.quote) };
        watchRequests(guard, scope);
        const body = JSON.stringify({ ...sample.request, ...change });
        await scope.fetch?.("/quote", { body, method: "POST" });
        await rejectionOf(send(provider, callOf(sample)));
        expect(log).to.deep.equal([]);
      });
    }
  }

  it("an unproven answer after 256 proven quotes: stays known, and forbids its bytes", async () => {
    const samples = Array.from({ length: 256 }, (_, index) => wrapSample(`full ${index}`));
    const { guard, log, provider } = await guarded(samples);
    const last = samples.at(-1) as Sample;
    const unproven = { ...last.quote, details: undefined };
    await guard.add({ quote: unproven as never, request: last.request });
    await rejectionOf(send(provider, callOf(last)));
    expect(log).to.deep.equal([]);
  }).timeout(20_000);

  it("a newer request whose recipient differs in letter case alone, not of an EVM chain: closes the older quote", async () => {
    const sample = wrapSample("case");
    const { guard } = await guarded([]);
    const recipient = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
    for (const each of [recipient, recipient.toLowerCase()])
      await guard.add({ ...sample, request: { ...sample.request, recipient: each } });
    expect(guard.internal.book.quotes.map(({ isReplaced }) => isReplaced)).to.deep.equal([false, true]);
  });
});

describe("watchRequests, watchAxios: an older quote in answer to a request that the guard cannot learn", () => {
  const bodies: Readonly<Record<string, (request: object) => unknown>> = {
    "an ArrayBuffer": (request) => new TextEncoder().encode(JSON.stringify(request)).buffer,
    "a stream": (request) => new Blob([JSON.stringify(request)]).stream(),
    "a field of 20,000 levels": (request) =>
      JSON.stringify(request).replace("{", `{"odd":${"[".repeat(20_000)}${"]".repeat(20_000)},`),
    "a user that has no text": (request) => JSON.stringify({ ...request, user: { toString: 1 } }),
    "no trade type": (request) => JSON.stringify({ ...request, tradeType: undefined }),
  };
  for (const [name, write] of Object.entries(bodies)) {
    it(`a request for another amount, with ${name}: the older quote is refused`, async () => {
      const sample = wrapSample(`unlearned ${name}`);
      const { guard, log, provider } = await guarded([sample]);
      const scope: RequestScope = { fetch: async () => Response.json(sample.quote) };
      watchRequests(guard, scope);
      const body = write({ ...sample.request, amount: "1" }) as string;
      await scope.fetch?.("/quote/v2", { body, method: "POST" });
      await rejectionOf(send(provider, callOf(sample)));
      expect(log).to.deep.equal([]);
    });
  }

  it("steps in answer to a request of any method and path: the older quote is refused", async () => {
    const sample = wrapSample("any path");
    const { guard, log, provider } = await guarded([sample]);
    const scope: RequestScope = { fetch: async () => Response.json({ steps: sample.quote.steps }) };
    watchRequests(guard, scope);
    await scope.fetch?.("/authorize");
    await rejectionOf(send(provider, callOf(sample)));
    expect(log).to.deep.equal([]);
  });

  it("two requests at once, the first as a Request, the second as text: the second's quote is paid, the first's closed", async () => {
    const [first, second] = [wrapSample("asked first"), wrapSample("asked second")] as [Sample, Sample];
    const corrected = { ...second.request, refundTo: second.request.user };
    const { guard, log, provider } = await guarded([]);
    const scope: RequestScope = {
      fetch: async (_, init) =>
        Response.json(String(init?.body).includes("refundTo") ? second.quote : first.quote),
    };
    watchRequests(guard, scope);
    const [url, method] = ["http://127.0.0.1/quote/v2", "POST"];
    await Promise.all([
      scope.fetch?.(new Request(url, { body: JSON.stringify(first.request), method })),
      scope.fetch?.(url, { body: JSON.stringify(corrected), method }),
    ]);
    await rejectionOf(send(provider, callOf(first)));
    expect(await send(provider, callOf(second))).to.equal(txHash);
    expect(log).to.have.length(1);
  });
});
