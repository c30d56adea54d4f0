import { expect } from "chai";
import { encodeRecord } from "../../../src/records/encodeRecord.ts";
import { recordFromResponse } from "../../../src/records/SignatureRecord.ts";
import { signatureRecordSchema } from "../../../src/schema/record/signatureRecord.ts";
import { amountEdges, maxUint256 } from "./support/arbitraries.ts";
import { expectInvalid } from "./support/typedFailure.ts";
import { publishedRecord } from "./support/vectors.ts";

const { requestData, requestId } = publishedRecord;

describe("recordFromResponse", () => {
  // @spec signature/request-data
  it("adds the id that was asked for to the fields that were signed", () => {
    expect(recordFromResponse({ requestData, requestId })).to.deep.equal({
      destinationChainId: 7777777,
      destinationUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
      originAmount: 700000000000000000n,
      originChainId: 1,
      originCurrency: "0x0000000000000000000000000000000000000000",
      originUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
      requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
    });
  });

  it("leaves out what the service returns and does not sign", () => {
    const response = signatureRecordSchema.parse({
      requestData: { ...requestData, originTransferDestination: requestData.originUser },
      signature: publishedRecord.signature,
    });
    const record = recordFromResponse({ requestData: response.requestData, requestId });
    expect(record).to.deep.equal(recordFromResponse({ requestData, requestId }));
  });

  it("keeps amounts exact at every size", () => {
    for (const amount of amountEdges) {
      const read = recordFromResponse({
        requestData: { ...requestData, originAmount: amount.toString() },
        requestId,
      });
      expect(read.originAmount).to.equal(amount);
    }
  });

  it("refuses amounts that are not decimal strings", () => {
    const amounts = [
      "",
      " ",
      "-1",
      "+1",
      "1.0",
      "1e18",
      "0x10",
      "1_000",
      "1 ",
      " 1",
      "1\n",
      "١",
      "NaN",
      "Infinity",
    ];
    for (const originAmount of amounts) {
      const read = () => recordFromResponse({ requestData: { ...requestData, originAmount }, requestId });
      expectInvalid(read, "requestData.originAmount", originAmount);
    }
  });

  it("gives nothing that could be hashed for an amount beyond a uint256", () => {
    const originAmount = (maxUint256 + 1n).toString();
    const hash = () =>
      encodeRecord({
        record: recordFromResponse({ requestData: { ...requestData, originAmount }, requestId }),
      });
    expect(hash).to.throw("is not a uint256");
  });
});
