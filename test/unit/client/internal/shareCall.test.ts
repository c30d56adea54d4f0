import { expect } from "chai";
import { getChains, getQuote, getStatus } from "../../../../src/client/index.ts";
import { fakeService, json, rejectionOf, type SeenCall, silence } from "../support/fakeService.ts";
import { bridgeQuote, intent, requestId, statusAnswer } from "../support/samples.ts";

const chains = { chains: [] };

describe("concurrent reads", () => {
  const slow = () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = async () => {
      await gate;
      return json({ chains: [] });
    };
    return { answer, release: () => release() };
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
    const other = requestId.replace("a", "b");
    await Promise.all([
      getStatus(client, { requestId }),
      getStatus(client, { requestId: other }),
      getQuote(client, intent),
      getQuote(client, intent),
    ]);
    expect(calls).to.have.length(4);
  });

  it("continue when one caller aborts, and are aborted with the last", async () => {
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
    const staying = getChains(client);
    controller.abort();
    expect(await leaving).to.have.property("code", "ABORTED");
    expect(signals[0]?.aborted).to.equal(false);
    release();
    expect(await staying).to.deep.equal(chains);

    const alone = fakeService([
      (_call, signal) => {
        signals.push(signal);
        return silence();
      },
    ]);
    const last = new AbortController();
    const work = rejectionOf(getChains(alone.client, { signal: last.signal }));
    last.abort();
    await work;
    expect(signals[1]?.aborted).to.equal(true);
  });

  it("fail for all callers with the same error", async () => {
    const { calls, client } = fakeService([json({}, 500)]);
    const errors = await Promise.all([rejectionOf(getChains(client)), rejectionOf(getChains(client))]);
    expect(calls).to.have.length(1);
    expect(errors[0]).to.have.property("status", 500);
    expect(errors[1]).to.equal(errors[0]);
  });
});
