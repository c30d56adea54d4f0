import { expect } from "chai";
import { getSignature, HttpError } from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { native, requestId, token, user } from "./support/samples.ts";

describe("getSignature", () => {
  const record = {
    requestData: {
      destinationChainId: 7777777,
      destinationUser: user,
      originAmount: "700000000000000000",
      originChainId: 1,
      originCurrency: native,
      originTransferDestination: token,
      originUser: user,
    },
    signature: `0x${"4c".repeat(65)}`,
  };

  it("reads the signed record of a request", async () => {
    const { calls, client } = fakeService([json(record)]);
    expect(await getSignature(client, { requestId })).to.deep.equal(record);
    expect(calls[0]?.pathname).to.equal(`/requests/${requestId}/signature`);
  });

  it("reports an unknown request with the status and the code of the service", async () => {
    const { client } = fakeService([json({ code: "REQUEST_NOT_FOUND", message: "Request not found" }, 400)]);
    const error = await rejectionOf(getSignature(client, { requestId }));
    expect(error).to.be.instanceOf(HttpError);
    expect(error).to.include({ details: "Request not found", errorCode: "REQUEST_NOT_FOUND", status: 400 });
  });

  it("refuses a signature that cannot be one", async () => {
    for (const signature of ["", "0x", `0x${"4c".repeat(64)}4`, `0x${"4c".repeat(66)}`, 7]) {
      const { client } = fakeService([json({ ...record, signature })]);
      expect(await rejectionOf(getSignature(client, { requestId }))).to.have.property("path", "signature");
    }
  });
});
