import { expect } from "chai";
import { getSignature, getStatus } from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { requestId } from "./support/samples.ts";

describe("getStatus", () => {
  it("refuses anything but 32 bytes before it becomes part of an address", async () => {
    const { calls, client } = fakeService([json({ status: "waiting" })]);
    for (const id of ["", "0x01", `${requestId}00`, "../admin", requestId.slice(2)]) {
      expect(await rejectionOf(getStatus(client, { requestId: id })), id).to.have.property(
        "parameter",
        "requestId",
      );
      expect(await rejectionOf(getSignature(client, { requestId: id })), id).to.have.property(
        "parameter",
        "requestId",
      );
    }
    expect(calls).to.deep.equal([]);
  });

  it("lets statuses and reasons that are not documented pass", async () => {
    const answer = { failReason: "MOON_PHASE", refundFailReason: null, status: "paused", updatedAt: 1 };
    const { client } = fakeService([json(answer)]);
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
  });
});
