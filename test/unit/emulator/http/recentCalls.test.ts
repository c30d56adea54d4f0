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
  it("calls of more than 8 MB: the requests that were named least recently are dropped", async () => {
    const { calls, post } = open();
    const text = "x".repeat(30_000);
    const named = (place: number, more = "") => post(`/execute?requestId=${idOf(place)}${more}`, text);
    for (let place = 0; place < 60; place++) await named(place);
    await named(0, "&again");
    for (let place = 60; place < 80; place++) await named(place);
    expect(calls.of(idOf(79))).to.have.length(1);
    expect(calls.of(idOf(0))).to.have.length(2);
    expect(calls.of(idOf(1))).to.deep.equal([]);
    const size = Array.from({ length: 80 }, (_, place) => JSON.stringify(calls.of(idOf(place))).length);
    expect(2 * size.reduce((sum, each) => sum + each, 0)).to.be.below(8.5 * 1_024 * 1_024);
  });

  it("many calls of one request: stay within the bound, too", async () => {
    const { calls, post } = open();
    for (let place = 0; place < 200; place++)
      await post(`/execute?requestId=${idOf(1)}&n=${place}`, "x".repeat(30_000));
    expect(JSON.stringify(calls.of(idOf(1))).length * 2).to.be.below(8.5 * 1_024 * 1_024);
    expect(calls.of(idOf(1)).at(-1)?.path).to.match(/n=199$/);
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
