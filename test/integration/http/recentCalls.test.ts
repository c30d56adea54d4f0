import { expect } from "chai";
import { getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { idOf, quoteOf } from "../../helpers/requests/failureStage.ts";

type Call = { readonly [Field in "answer" | "body" | "method" | "path"]: string } & {
  readonly count: number;
  readonly status: number;
};

describe("recent calls of a request", () => {
  const fixture = useEmulator();

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const { adminKey, apiKeys } = fixture.emulator.info;
    const headers = { "x-admin-key": adminKey, "x-api-key": apiKeys[0]?.key ?? "" };
    return fetch(`${fixture.emulator.info.apiUrl}${path}`, { headers, ...init });
  }

  async function callsOf(requestId: string): Promise<readonly Call[]> {
    const answer = await send(`/admin/requests/${requestId}/calls`);
    return ((await answer.json()) as { readonly calls: readonly Call[] }).calls;
  }

  it("a quote, polls and a fault: are kept with bodies and answers, equal polls as one", async () => {
    const quote = await quoteOf(fixture);
    const requestId = idOf(quote);
    for (let polls = 0; polls < 3; polls++) await getStatus(fixture.client, { requestId });
    await quoteOf(fixture);
    await send("/admin/faults", {
      body: JSON.stringify({ failReason: "SLIPPAGE", kind: "fill-fails", requestId }),
      method: "POST",
    });
    await send("/execute", { body: JSON.stringify({ requestId }), method: "POST" });
    const calls = await callsOf(requestId);
    expect(calls.map(({ count, method, path, status }) => [method, path, status, count])).to.deep.equal([
      ["POST", "/quote/v2", 200, 1],
      ["GET", `/intents/status/v3?requestId=${requestId}`, 200, 3],
      ["POST", "/admin/faults", 200, 1],
      ["POST", "/execute", 400, 1],
    ]);
    expect(JSON.parse(calls[0]?.body ?? "")).to.include({ originChainId: fixture.alpha.info.id });
    expect(JSON.parse(calls[0]?.answer ?? "").steps).to.deep.equal(quote.steps);
    expect(calls[2]?.body).to.include("SLIPPAGE");
    await fixture.emulator.control.faults.clear();
  });

  it("keys in headers, a query or a body: are in no kept call", async () => {
    const { adminKey, apiKeys } = fixture.emulator.info;
    const key = apiKeys[0]?.key ?? "";
    const requestId = idOf(await quoteOf(fixture));
    const secrets = [adminKey, key, "a-bearer-token"];
    const headers = { authorization: "Bearer a-bearer-token", "x-admin-key": adminKey, "x-api-key": key };
    await send(`/intents/status/v3?requestId=${requestId}&key=${adminKey}`, { headers });
    const body = JSON.stringify({ key, note: adminKey, requestId });
    await send("/execute", { body, headers, method: "POST" });
    const url = `http://127.0.0.1/?requestId=${requestId}`;
    const endpoint = JSON.stringify({ headers: { authorization: "a-bearer-token" }, url });
    await send(`/admin/keys/${apiKeys[0]?.id}/webhook`, { body: endpoint, method: "PUT" });
    const kept = await callsOf(requestId);
    expect(kept).to.have.length(3);
    for (const secret of secrets) expect(JSON.stringify(kept)).to.not.include(secret);
    await fixture.emulator.webhooks.remove(apiKeys[0]?.id ?? "");
  });

  it("reads by the console: are not kept", async () => {
    const requestId = idOf(await quoteOf(fixture));
    await send(`/admin/requests/${requestId}`);
    await send(`/requests/${requestId}/signature`, { headers: { "sec-fetch-site": "same-origin" } });
    expect(await callsOf(requestId)).to.have.length(1);
  });
});
