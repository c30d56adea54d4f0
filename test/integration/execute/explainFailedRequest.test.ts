import { expect } from "chai";
import type { Hex } from "viem";
import { explainFailure } from "../../../src/calls/explainFailure.ts";
import type { GetFailedRequests } from "../../../src/calls/readFailure.ts";
import { createClient } from "../../../src/client/createClient.ts";
import { getRequests } from "../../../src/client/getRequests.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  quoteRevokedAllowance,
  refunded,
  revertFill,
} from "../../helpers/requests/failureStage.ts";

const nobody = `0x${"ab".repeat(32)}`;

describe("explainFailure of a request", () => {
  let read: GetFailedRequests;
  const fixture = useEmulator();
  before(async () => {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const client = createClient({ apiKey: apiKeys[0]?.key, baseUrl: apiUrl });
    read = (query) => getRequests(client, query);
  });

  async function failedRequest() {
    const { quote, txs } = await quoteRevokedAllowance(fixture);
    await deposit(fixture, orderIdOf(quote));
    await refunded(fixture, quote);
    return { requestId: idOf(quote), txs };
  }

  it("reads the request's record, simulates its call, and names the failed entry of `txs`", async () => {
    const { requestId, txs } = await failedRequest();
    const explained = await explainFailure(fixture.beta.reader, { getRequests: read, requestId, txs });
    expect(explained).to.include({
      failedTxHash: undefined,
      failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
      reproduced: true,
      txIndex: 0,
    });
    expect(explained.revert?.name).to.equal("ERC20InsufficientAllowance");
    expect(explained.fix).to.match(/^Approve the contract/);
    const upper = `0x${requestId.slice(2).toUpperCase()}`;
    const again = await explainFailure(fixture.beta.reader, { getRequests: read, requestId: upper, txs });
    expect(again).to.deep.equal(explained);
  });

  it("names the transaction that was mined and reverted, and simulates it on the state before its block", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    await revertFill(fixture, quote);
    const { failedTxHash } = await refunded(fixture, quote);
    const requestId = idOf(quote);
    const explained = await explainFailure(fixture.beta.reader, { getRequests: read, requestId });
    expect(explained).to.include({ failedTxHash, failReason: "TRANSACTION_REVERTED", reproduced: true });
    await setCode(fixture.beta, recipient, "0x");
  });

  it("simulates the transaction of `failedTxHash` when the record has no call", async () => {
    const quote = await quoteOf(fixture);
    await revertFill(fixture, quote);
    const { failedTxHash } = await refunded(fixture, quote);
    const requestId = idOf(quote);
    const withCall = await explainFailure(fixture.beta.reader, { getRequests: read, requestId });
    const without: GetFailedRequests = async (query) => {
      const { requests } = await read(query);
      const bare = { failedCallData: null, failedTxBlockNumber: null };
      return { requests: requests.map((request) => ({ ...request, data: { ...request.data, ...bare } })) };
    };
    const explained = await explainFailure(fixture.beta.reader, { getRequests: without, requestId });
    expect(explained).to.deep.equal(withCall);
    expect(
      await explainFailure(fixture.beta.reader, { failedTxHash, failReason: "TRANSACTION_REVERTED" }),
    ).to.deep.equal(explained);
  });

  it("a request without a failure: reports that no call was simulated", async () => {
    const quote = await quoteOf(fixture);
    const explained = await explainFailure(fixture.beta.reader, {
      getRequests: read,
      requestId: idOf(quote),
    });
    expect(explained).to.include({
      failReason: undefined,
      reproduced: false,
      text: "It was not made again.",
    });
  });

  it("names an invalid id, reader or record, and rethrows the reader's error", async () => {
    const requestId = nobody;
    const cases: [parameters: object, parameter: string][] = [
      [{ getRequests: read, requestId }, "requestId"],
      [{ getRequests: read, requestId: "0x1" }, "requestId"],
      [{ getRequests: read, requestId: 7 }, "requestId"],
      [{ requestId }, "getRequests"],
      [{ getRequests: "GET", requestId }, "getRequests"],
      [{ getRequests: async () => undefined, requestId }, "getRequests"],
      [{ getRequests: async () => ({ requests: {} }), requestId }, "getRequests"],
      [{ getRequests: async () => ({ requests: [null] }), requestId }, "getRequests[0]"],
      [{ getRequests: async () => ({ requests: [{ data: 1, id: requestId }] }), requestId }, "getRequests"],
      [recordOf({ failReason: 1 }), "failReason"],
      [recordOf({ failedTxBlockNumber: -1 }), "failedTxBlockNumber"],
      [
        recordOf({ failedCallData: { data: "0x", from: "0x1", to: nobody.slice(0, 42) } }),
        "failedCallData.from",
      ],
    ];
    for (const [parameters, parameter] of cases) {
      const error = await failureOf(explainFailure(fixture.beta.reader, parameters));
      expect(error, parameter).to.include({ code: "INVALID_PARAMETER", parameter });
    }
    const keyless = createClient({ baseUrl: fixture.emulator.info.apiUrl });
    const refused = explainFailure(fixture.beta.reader, {
      getRequests: (query) => getRequests(keyless, query),
      requestId,
    });
    expect(await failureOf(refused)).to.include({ code: "HTTP_ERROR", status: 401 });
  });

  it("reports a transaction that the chain does not have", async () => {
    const error = await failureOf(explainFailure(fixture.beta.reader, { failedTxHash: nobody as Hex }));
    expect(error).to.include({ code: "CHAIN_READ_FAILED" });
  });
});

/** A reader whose one record holds `data`. */
function recordOf(data: object) {
  return { getRequests: async () => ({ requests: [{ data, id: nobody }] }), requestId: nobody };
}
