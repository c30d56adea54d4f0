import { expect } from "chai";
import { zeroAddress } from "viem";
import { serializeIntent } from "../../../../../emulator/requests/Intent.ts";
import { requestRecordV3 } from "../../../../../emulator/requests/record/requestRecordV3.ts";
import { requestSchema } from "../../../../../src/schema/record/requestV3.ts";
import { requestStatuses } from "../../../../../src/schema/request/requestStatus.ts";
import { findUnknown } from "../../../../../src/schema/wire/findUnknown.ts";
import { contracts, recipient, user } from "../../support/fakeChains.ts";
import { idOf, intent, orderId, requestId } from "../../support/requests.ts";
import { filledParts, hash, quote, stranger, waitingParts } from "./support/recordParts.ts";

describe("requestRecordV3", () => {
  // @spec version/v3-fees version/v3-impact version/v3-app-fees version/v3-sponsorship version/v3-metadata
  // @spec version/v3-currencies version/v3-superseded version/v3-tx-hash
  it("a filled request: has documented fields and values alone", () => {
    const record = requestRecordV3(filledParts(), stranger);
    expect(requestSchema.parse(record)).to.deep.equal(record);
    expect(findUnknown(requestSchema, record)).to.deep.equal([]);
  });

  // @spec record-v3/root record-v3/refund-to record-v3/superseded record-v3/features
  it("the root: has accounts, ISO dates, features, and null where there is nothing", () => {
    const { data: _, protocol: __, ...root } = requestRecordV3(waitingParts(), stranger);
    expect(root).to.deep.equal({
      createdAt: "2026-05-25T00:00:00.000Z",
      depositAddress: null,
      features: ["app_fees"],
      id: requestId,
      recipient,
      refundTo: user,
      requestType: "Bridge",
      sender: user,
      status: "waiting",
      supersededByRequestId: null,
      updatedAt: "2026-05-26T00:00:00.000Z",
      user,
    });
  });

  // @spec record-v3/root record-v3/refund-to record-v3/superseded record-v3/features record-v3/request-type
  it("the root of a superseded call: has its own sender, accounts, type and features, and its successor", () => {
    const accounts = {
      recipient: `0x${"11".repeat(20)}`,
      sender: `0x${"22".repeat(20)}`,
      user: `0x${"33".repeat(20)}`,
    } as const;
    const refundTo = `0x${"44".repeat(20)}`;
    const request = { ...accounts, id: idOf(8), refund_to: refundTo, request_type: "Call" } as const;
    const features = ["gasless_execution", "gas_top_up"];
    const parts = { ...waitingParts(request), features, successor: idOf(9) };
    expect(requestRecordV3(parts, stranger)).to.deep.include({
      ...accounts,
      features,
      id: idOf(8),
      refundTo,
      requestType: "Call",
      supersededByRequestId: idOf(9),
    });
    expect(requestRecordV3(waitingParts({ refund_to: zeroAddress }), stranger).refundTo).to.equal(null);
  });

  // @spec version/v3-statuses state/listing
  it("a status: is the request's, `depositing` and `submitted` included", () => {
    const shown = requestStatuses.map((status) => requestRecordV3(waitingParts({ status }), stranger).status);
    expect(shown).to.deep.equal(requestStatuses).and.include.members(["depositing", "submitted"]);
  });

  // @spec record-v3/platform-fee record-v3/estimates record-v3/route record-v3/route-fallback record-v3/router
  it("a waiting request: has the quote's terms and route, of which the actual one is the quoted", () => {
    const { details } = quote;
    const { data } = requestRecordV3(waitingParts(), stranger);
    expect(data).to.include({
      platformFee: null,
      slippageTolerance: "200",
      timeEstimate: details.timeEstimate,
      usesExternalLiquidity: true,
    });
    const { actual, quoted } = data?.route ?? {};
    expect(quoted).to.deep.equal(details.route);
    expect(actual).to.deep.equal({
      destination: { ...details.route?.destination, inputCurrency: details.currencyOut },
      origin: details.route?.origin,
      rate: details.rate,
    });
    expect(actual?.destination?.outputCurrency).to.deep.equal(details.currencyOut);
    expect([actual?.origin?.router, actual?.destination?.router]).to.deep.equal(["relay", "relay"]);
  });

  // @spec record-v3/estimates record-v3/router record-v3/fast-fill
  it("a quote with other terms and routers: the record has those", () => {
    const { details } = quote;
    const { destination, origin } = details.route ?? {};
    const route = {
      destination: destination && { ...destination, router: "second" },
      origin: origin && { ...origin, router: "first" },
    };
    const slippageTolerance = { ...details.slippageTolerance, total: "50" };
    const terms = { ...quote, details: { ...details, route, slippageTolerance, timeEstimate: 77 } };
    const own = { intent: serializeIntent({ ...intent, useExternalLiquidity: false }) };
    const parts = { ...waitingParts(own), quote: terms };
    const { data } = requestRecordV3(parts, stranger);
    expect(data).to.include({
      slippageTolerance: "50",
      timeEstimate: 77,
      triggeredByFastFill: false,
      usesExternalLiquidity: false,
    });
    const { actual, quoted } = data?.route ?? {};
    for (const shown of [actual, quoted]) {
      expect([shown?.origin?.router, shown?.destination?.router]).to.deep.equal(["first", "second"]);
    }
    const fast = requestRecordV3({ ...parts, features: ["fast_fill"] }, stranger);
    expect(fast.data?.triggeredByFastFill).to.equal(true);
  });

  // @spec record-v3/protocol record-v3/deposit record-v3/settlement
  it("a filled request: names order, solver, deposit and fill", () => {
    const { protocol } = requestRecordV3(filledParts(), stranger);
    expect(protocol).to.deep.equal({
      deposit: {
        origin: {
          amount: "1000000000000000000",
          chainId: 31337,
          currency: "0x0000000000000000000000000000000000000000",
          depositor: user.toLowerCase(),
          depository: contracts.depository,
          onchainId: orderId,
          transactionId: hash,
        },
      },
      hubType: "onchain",
      isWithdrawable: false,
      orderId,
      settlement: { destination: { fills: [{ chainId: 31338, transactionId: hash }], refunds: [] } },
      solver: {
        address: "0xf70da97812cb96acdf810712aa562db8dfa3dbef",
        chainId: 31338,
        protocolChainId: "beta",
      },
    });
  });

  // @spec record-v3/failed-fields
  it("a failed fill: names its transaction, block and call, and its reasons", () => {
    const call = { data: "0x12", from: user, to: recipient, value: "1" };
    const failed = { failed_call: JSON.stringify(call), failed_tx_block: 9, failed_tx_hash: hash };
    const reasons = { fail_reason: "SLIPPAGE", refund_fail_reason: "AMOUNT_TOO_LOW_TO_REFUND" } as const;
    const { data } = requestRecordV3(waitingParts({ ...failed, ...reasons, status: "failure" }), stranger);
    expect(data).to.deep.include({
      failedCallData: call,
      failedTxBlockNumber: 9,
      failedTxHash: hash,
      failReason: "SLIPPAGE",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    });
  });
});
