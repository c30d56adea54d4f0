import { expect } from "chai";
import { zeroHash } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { idOf, quoteOf } from "../../helpers/requests/failureStage.ts";

describe("metadata of a request", () => {
  const fixture = useEmulator();

  async function add(requestId: string, moonPayId: unknown, more: object = {}) {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/requests/metadata`, {
      body: JSON.stringify({ additionalMetadata: { moonPayId }, requestId, ...more }),
      method: "POST",
    });
    return { body: (await answer.json()) as { message: string }, status: answer.status };
  }

  async function records(id: string) {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const headers = { "x-api-key": apiKeys[0]?.key ?? "" };
    const read = async (version: string) => {
      const answer = await fetch(`${apiUrl}/requests/${version}?id=${id}`, { headers });
      return ((await answer.json()) as { requests: Record<string, unknown>[] }).requests[0];
    };
    return { v2: await read("v2"), v3: await read("v3") };
  }

  // @spec record-v2/partner-id record-v3/partner-id version/v3-partner-id
  it("adds a partner's id, which both forms of the record carry from then on", async () => {
    const id = idOf(await quoteOf(fixture));
    const before = await records(id);
    expect(before.v2).to.not.have.property("moonpayId");
    expect(before.v3).to.have.nested.property("data.externalMetadata.moonpayId", null);
    const partnerId = "9dc342c3-538b-4731-aba7-13ed89acc7ae";
    expect((await add(id, partnerId, { referrer: "widget" })).status).to.equal(200);
    const after = await records(id);
    expect(after.v2).to.have.property("moonpayId", partnerId);
    expect(after.v3).to.have.nested.property("data.externalMetadata.moonpayId", partnerId);
  });

  it("accepts the same id twice, and rejects another one, so that an attacker changes nothing", async () => {
    const id = idOf(await quoteOf(fixture));
    expect((await add(id, "first")).status).to.equal(200);
    expect((await add(id, "first")).status).to.equal(200);
    const other = await add(id, "second");
    expect([other.status, other.body.message]).to.deep.equal([400, "The request has another id already"]);
    expect((await records(id)).v2).to.have.property("moonpayId", "first");
  });

  it("answers 404 for an unknown request, and 400 for malformed ids", async () => {
    expect((await add(zeroHash, "first")).status).to.equal(404);
    const id = idOf(await quoteOf(fixture));
    for (const wrong of ["", " ", "a\u0000b", "é", "x".repeat(257), 1, null]) {
      expect((await add(id, wrong)).status, JSON.stringify(wrong)).to.equal(400);
    }
    expect((await add("0x12", "first")).status).to.equal(400);
  });
});
