import { expect } from "chai";
import { serializeIntent } from "../../../../../emulator/requests/Intent.ts";
import { requestRecordV2 } from "../../../../../emulator/requests/record/requestRecordV2.ts";
import { requestRecordV3 } from "../../../../../emulator/requests/record/requestRecordV3.ts";
import { requestV2Schema } from "../../../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../../../src/schema/record/requestV3.ts";
import { requestStatuses } from "../../../../../src/schema/request/requestStatus.ts";
import { findUnknown } from "../../../../../src/schema/wire/findUnknown.ts";
import { contracts, recipient, user } from "../../support/fakeChains.ts";
import { intent, orderId, requestId } from "../../support/requests.ts";
import { filledParts, hash, quote, stranger, waitingParts } from "./support/recordParts.ts";

const { details, fees } = quote;

describe("requestRecordV2", () => {
  it("a filled request: has documented fields and values alone", () => {
    const record = requestRecordV2(filledParts(), stranger);
    expect(requestV2Schema.parse(record)).to.deep.equal(record);
    expect(findUnknown(requestV2Schema, record)).to.deep.equal([]);
  });

  // @spec record-v2/root record-v2/dates record-v2/deposit-address record-v2/superseded
  // @spec record-v2/partner-id record-v2/slippage record-v2/subsidized record-v2/other-fields
  it("the root: has accounts, ISO dates, no deposit address, and data about the quote", () => {
    const { data, protocol: _, ...root } = requestRecordV2(waitingParts({ partner_id: "p1" }), stranger);
    expect(root).to.deep.equal({
      createdAt: "2026-05-25T00:00:00.000Z",
      depositAddress: null,
      id: requestId,
      moonpayId: "p1",
      recipient,
      status: "waiting",
      updatedAt: "2026-05-26T00:00:00.000Z",
      user,
    });
    expect(data).to.include({
      failReason: "N/A",
      price: details.currencyOut.amount,
      refundFailReason: "N/A",
      slippageTolerance: "200",
      subsidizedRequest: false,
      supersededByRequestId: null,
      timeEstimate: details.timeEstimate,
      usesExternalLiquidity: true,
    });
    expect(data?.metadata).to.include({ rate: details.rate, recipient, sender: user });
  });

  // @spec record-v2/currencies
  it("currencies: are the quoted ones until a payment, then what was paid and delivered", () => {
    const { currencyIn, currencyOut } = details;
    const waiting = requestRecordV2(waitingParts(), stranger).data?.metadata;
    expect(waiting?.currencyIn).to.deep.equal({ ...currencyIn, amountUsdCurrent: currencyIn.amountUsd });
    expect(waiting?.currencyOut).to.deep.equal({ ...currencyOut, amountUsdCurrent: currencyOut.amountUsd });
    const filled = requestRecordV2(filledParts(), stranger).data?.metadata;
    expect(filled?.currencyIn).to.include({ amount: "1000000000000000000", amountUsd: "2500.000000" });
    expect(filled?.currencyOut).to.include({ amount: "990000000000000000", amountUsd: "2475.000000" });
  });

  // @spec record-v2/status state/listing
  it("a status: is the request's, and pending for a fill that was sent", () => {
    const shown = requestStatuses.map((status) => requestRecordV2(waitingParts({ status }), stranger).status);
    expect(shown).to.deep.equal(requestStatuses.map((each) => (each === "submitted" ? "pending" : each)));
  });

  // @spec record-v2/fees
  it("fees: are those of the quote in units and in dollars, under the older names", () => {
    const { data } = requestRecordV2(waitingParts(), stranger);
    const none = { fixed: "0", gateway: "0" };
    const { relayerGas, relayerService } = fees;
    expect(data?.fees).to.deep.equal({
      ...none,
      gas: relayerGas?.amount,
      price: relayerService?.amount,
    });
    expect(data?.feesUsd).to.deep.equal({
      ...none,
      gas: relayerGas?.amountUsd,
      price: relayerService?.amountUsd,
    });
  });

  // @spec record-v2/app-fees record-v2/currencies
  it("app fees: are quoted and paid, in units, in dollars of then and of now", () => {
    const { data } = requestRecordV2(filledParts(), stranger);
    const fee = {
      amount: "8250000",
      amountUsd: "8.250000",
      amountUsdCurrent: "8.250000",
      bps: "33",
      recipient,
    };
    expect([data?.appFees, data?.paidAppFees]).to.deep.equal([[fee], [fee]]);
    expect(data?.appFeeCurrencyObject?.symbol).to.equal("USDC");
  });

  // @spec record-v2/in-txs record-v2/out-txs record-v2/tx-type
  it("transactions: have hash, block, chain, cost, time in seconds, type and status", () => {
    const { inTxs, outTxs } = requestRecordV2(filledParts(), stranger).data ?? {};
    const mined = { block: 9, fee: "21000", hash, status: "success", timestamp: 5_000, type: "onchain" };
    expect(inTxs?.[0]).to.deep.include({ ...mined, chainId: 31337 });
    expect(inTxs?.[0]?.data).to.include({ data: "0x", from: recipient, value: "5" });
    expect(outTxs?.[0]).to.deep.include({ ...mined, chainId: 31338 });
    const { transactions, ...parts } = filledParts();
    const reverted = transactions.map((row) => ({ ...row, state: "reverted" as const }));
    const failed = requestRecordV2({ ...parts, transactions: reverted }, stranger).data?.outTxs?.[0];
    expect(failed?.status).to.equal("failure");
  });

  // @spec record-v2/failed-transaction record-v2/failed-call record-v2/reasons
  it("a failed fill: names its transaction, block and call, and its reasons", () => {
    const call = { data: "0x12", from: user, to: recipient, value: "1" };
    const failed = { failed_call: JSON.stringify(call), failed_tx_block: 9, failed_tx_hash: hash };
    const reasons = { fail_reason: "SLIPPAGE", refund_fail_reason: "AMOUNT_TOO_LOW_TO_REFUND" } as const;
    const { data } = requestRecordV2(waitingParts({ ...failed, ...reasons, status: "failure" }), stranger);
    expect(data).to.deep.include({
      failedCallData: call,
      failedTxBlockNumber: 9,
      failedTxHash: hash,
      failReason: "SLIPPAGE",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    });
  });

  // @spec record-v2/deposit-address record-v2/superseded
  it("a paid deposit address that was regenerated: names the payment, and the request that took over", () => {
    const address = `0x${"ad".repeat(20)}` as const;
    const depositAddress = { address, refundsSender: false, type: "strict" } as const;
    const parts = waitingParts({
      deposit_address: address,
      intent: serializeIntent({ ...intent, depositAddress }),
    });
    const shown = { address, depositAddressType: "strict" };
    const unpaid = requestRecordV2(parts, stranger);
    expect(unpaid.depositAddress).to.deep.equal({ ...shown, depositor: null, depositTxHash: null });
    const addressPayment = { sender: user, tx_hash: hash };
    const { data, ...root } = requestRecordV2({ ...parts, addressPayment, successor: "0x02" }, stranger);
    expect(root.depositAddress).to.deep.equal({ ...shown, depositor: user, depositTxHash: hash });
    expect(data?.supersededByRequestId).to.equal("0x02");
  });
});

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

  // @spec record-v3/failed-fields record-v3/oracle-price-form record-v3/sponsorship
  it("a waiting request: has null for what did not happen, and fees without a sign", () => {
    const { data } = requestRecordV3(waitingParts(), stranger);
    expect(data).to.include({
      failedCallData: null,
      failedTxBlockNumber: null,
      failedTxHash: null,
      feeSponsorship: null,
      quoteOraclePrice: null,
    });
    const { actual, quoted } = data?.fees ?? {};
    expect(actual).to.equal(null);
    expect(quoted?.execution).to.include({ amount: fees.relayerGas?.amount });
    expect(quoted?.execution?.usd).to.match(/^-/);
    expect(requestRecordV2(waitingParts(), stranger).moonpayId).to.equal(null);
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
