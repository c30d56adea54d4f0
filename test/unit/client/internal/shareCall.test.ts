import { expect } from "chai";
import { getChains, getQuote, getStatus } from "../../../../src/client/index.ts";
import { fakeService, json, rejectionOf, type SeenCall } from "../support/fakeService.ts";
import { bridgeQuote, intent, requestId, statusAnswer } from "../support/samples.ts";

const chains = { chains: [] };

describe("concurrent reads", () => {
  /** An answer that comes when it is released. */
  const slow = () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    return { answer: async () => (await promise).clone(), release: () => resolve(json(chains)) };
  };

  it("of one address share a request, and each caller gets its own copy of the answer", async () => {
    const { answer, release } = slow();
    const { calls, client } = fakeService([answer]);
    const work = [getChains(client), getChains(client), getChains(client)];
    release();
    const [first, second] = await Promise.all(work);
    expect(calls).to.have.length(1);
    expect(first).to.deep.equal(chains);
    expect(second).to.deep.equal(chains);
    expect(first === second).to.equal(false);
    await getChains(client);
    expect(calls).to.have.length(2);
  });

  it("of two addresses, quotes and submissions are not shared", async () => {
    const { calls, client } = fakeService([
      (call: SeenCall) => json(call.pathname === "/quote/v2" ? bridgeQuote() : statusAnswer("waiting")),
    ]);
    const reads = [requestId, requestId.replace("a", "b")].map((id) => getStatus(client, { requestId: id }));
    await Promise.all([...reads, getQuote(client, intent), getQuote(client, intent)]);
    expect(calls).to.have.length(4);
  });

  for (const [title, staying] of [
    ["continue when one caller of two aborts", 1],
    ["are aborted when their last caller aborts", 0],
  ] as const) {
    it(title, async () => {
      const signals: AbortSignal[] = [];
      const { answer, release } = slow();
      const { client } = fakeService([
        (_call, signal) => {
          signals.push(signal);
          return answer();
        },
      ]);
      const controller = new AbortController();
      const leaving = rejectionOf(getChains(client, { signal: controller.signal }));
      const others = Array.from({ length: staying }, () => getChains(client));
      controller.abort();
      expect(await leaving).to.have.property("code", "ABORTED");
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([staying === 0]);
      release();
      expect(await Promise.all(others)).to.deep.equal(others.map(() => chains));
    });
  }

  it("fail for all callers with the same error", async () => {
    const { calls, client } = fakeService([json({}, 500)]);
    const errors = await Promise.all([rejectionOf(getChains(client)), rejectionOf(getChains(client))]);
    expect(calls).to.have.length(1);
    expect(errors[0]).to.have.property("status", 500);
    expect(errors[1]).to.equal(errors[0]);
  });
});
