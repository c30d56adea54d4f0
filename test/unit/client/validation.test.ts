import { expect } from "chai";
import { getStatus, submitSignature, type UnknownReport } from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { requestId, statusAnswer } from "./support/samples.ts";

describe("undocumented fields and values of an answer", () => {
  const answer = { ...statusAnswer("paused"), failReason: "MOON_PHASE", moon: "full" };

  it("are reported to onUnknown and returned by default", async () => {
    const reports: UnknownReport[] = [];
    const { client } = fakeService([json(answer)], { onUnknown: (report) => reports.push(report) });
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
    expect(
      reports.map(({ endpoint, kind, path, value }) => [endpoint, kind, path, value]),
    ).to.have.deep.members([
      ["GET /intents/status/v3", "value", "failReason", "MOON_PHASE"],
      ["GET /intents/status/v3", "value", "status", "paused"],
      ["GET /intents/status/v3", "field", "moon", undefined],
    ]);
  });

  it("are an error in strict mode, without the value and without a second attempt", async () => {
    const { calls, client } = fakeService([json(answer)], { validation: "strict" });
    const error = await rejectionOf(getStatus(client, { requestId }));
    expect(error).to.include({ code: "RESPONSE_INVALID", reason: "a value that is not documented" });
    expect(String(error)).to.not.include("paused");
    expect(calls).to.have.length(1);
  });

  it("do not fail an accepted submission, even in strict mode", async () => {
    const { client } = fakeService([json({ brandNew: 1, message: "Success" })], { validation: "strict" });
    const submission = { body: {}, endpoint: "/authorize", signature: "0x11" } as const;
    expect(await submitSignature(client, submission)).to.deep.equal({ brandNew: 1, message: "Success" });
  });

  it("are not looked for when validation is off", async () => {
    const { client } = fakeService([json(answer)], {
      onUnknown: () => expect.fail("looked"),
      validation: "off",
    });
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
  });

  it("do not excuse an invalid documented field, in any mode", async () => {
    for (const validation of ["off", "strict", "warn"] as const) {
      const { client } = fakeService([json({ status: 7 })], { validation });
      expect(await rejectionOf(getStatus(client, { requestId }))).to.have.property("path", "status");
    }
    expect(() => fakeService([], { validation: "lax" as never })).to.throw("`validation` is invalid");
  });
});
