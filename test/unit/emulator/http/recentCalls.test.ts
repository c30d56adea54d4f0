import { expect } from "chai";
import { Hono } from "hono";
import { openRecentCalls } from "../../../../emulator/http/body/recentCalls.ts";
import { testContext } from "../support/context.ts";

const idOf = (place: number) => `0x${place.toString(16).padStart(64, "0")}`;

/** An app that repeats each body, and its calls. */
function open() {
  const calls = openRecentCalls(testContext({ adminKey: "admin", store: undefined as never }));
  const app = new Hono();
  app.use(calls.keep);
  app.post("*", async (http) => {
    const body = await http.req.text();
    // The body of a quote names no request.
    if (!http.req.path.startsWith("/quote"))
      (http as { set(name: string, value: string): void }).set("body", body);
    return http.body(body);
  });
  return { calls, post: (path: string, body: string) => app.request(path, { body, method: "POST" }) };
}

describe("recent calls", () => {
  it("calls of more than 8 MB: the oldest are dropped", async () => {
    const { calls, post } = open();
    for (let place = 0; place < 200; place++)
      await post(`/execute?requestId=${idOf(1)}&n=${place}`, "x".repeat(30_000));
    const kept = calls.of(idOf(1));
    expect(JSON.stringify(kept).length * 2).to.be.within(8e6, 8 * 1_024 * 1_024);
    expect(kept.at(-1)?.path).to.match(/n=199$/);
    await post(`/execute?requestId=${idOf(2)}`, "x".repeat(30_000));
    expect(calls.of(idOf(1))[0]?.path).to.not.equal(kept[0]?.path);
  });

  it("a text that is too long: leaves its length", async () => {
    const { calls, post } = open();
    await post(`/execute?requestId=${idOf(1)}`, "x".repeat(40_000));
    expect(calls.of(idOf(1))[0]?.answer).to.equal("40000 characters, which are not kept");
  });

  it("a quote with the id of an earlier request: begins anew", async () => {
    const { calls, post } = open();
    for (const path of ["/quote", "/execute?", "/quote/v2"])
      await post(path, JSON.stringify({ steps: [{ requestId: idOf(1) }] }));
    expect(calls.of(idOf(1)).map(({ path }) => path)).to.deep.equal(["/quote/v2"]);
  });
});
