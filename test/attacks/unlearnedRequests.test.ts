import axios from "axios";
import { expect } from "chai";
import { type RequestScope, watchAxios, watchRequests } from "../../src/guard/index.ts";
import { rejectionOf } from "../unit/client/support/fakeService.ts";
import { txHash } from "../unit/client/support/samples.ts";
import { tokenSample, wrapSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, send } from "../unit/guard/support/wallet.ts";

describe("attack: a newer request that the guard does not learn, answered with an older quote", () => {
  const bodies: Readonly<Record<string, (request: object) => unknown>> = {
    "as an ArrayBuffer": (request) => new TextEncoder().encode(JSON.stringify(request)).buffer,
    "with a field of 20,000 levels, by a partner of the app": (request) =>
      JSON.stringify({ ...request, odd: 0 }).replace(
        '"odd":0',
        `"odd":${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      ),
    "with a user that has no text, by a partner of the app": (request) =>
      JSON.stringify({ ...request, user: { toString: 1 } }),
    "without a trade type": (request) => JSON.stringify({ ...request, tradeType: undefined }),
  };
  for (const [name, write] of Object.entries(bodies)) {
    it(`a request for another amount ${name}: the older quote is refused`, async () => {
      const sample = wrapSample(`unlearned ${name}`);
      const { guard, log, provider } = await guarded([sample]);
      const scope: RequestScope = { fetch: async () => Response.json(sample.quote) };
      watchRequests(guard, scope);
      const body = write({ ...sample.request, amount: "1" }) as string;
      await scope.fetch?.("/quote/v2", { body, method: "POST" });
      await rejectionOf(send(provider, callOf(sample))).catch(() => {});
      expect(log).to.deep.equal([]);
    });
  }

  for (const [baseURL, url] of [
    ["http://127.0.0.1", "quote/v2"],
    ["http://127.0.0.1/quote/v2", ""],
  ] as const) {
    const start = (answers: unknown[]) =>
      axios.create({
        adapter: async (config) =>
          ({
            config,
            data: JSON.stringify(answers.shift()),
            headers: {},
            status: 200,
            statusText: "",
          }) as never,
        baseURL,
      });

    it(`axios posts to "${url}" below ${baseURL}: the older quote is refused`, async () => {
      const sample = wrapSample(`relative ${url}`);
      const { guard, log, provider } = await guarded([sample]);
      const instance = start([sample.quote]);
      watchAxios(instance as never, guard);
      await instance.post(url, { ...sample.request, amount: "1" });
      await rejectionOf(send(provider, callOf(sample))).catch(() => {});
      expect(log).to.deep.equal([]);
    });

    it(`axios posts to "${url}" below ${baseURL}: an honest quote is paid`, async () => {
      const sample = await tokenSample(`honest ${url}`);
      const { guard, provider } = await guarded([]);
      const instance = start([sample.quote]);
      watchAxios(instance as never, guard);
      await instance.post(url, sample.request);
      expect(await send(provider, callOf(sample)).catch(String)).to.equal(txHash);
    });
  }
});
