import { expect } from "chai";
import { forceOutcome } from "../../../../emulator/requests/forceOutcome.ts";
import type { PaymentOutcome } from "../../../../emulator/requests/transitions.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { addRequest, emptyStore, readAll, readRequest, requestId } from "../support/requests.ts";

describe("forceOutcome", () => {
  let store: Store;
  beforeEach(async () => {
    store = await emptyStore();
  });
  afterEach(() => store.destroy());

  async function force(status: RequestStatus, outcome: PaymentOutcome): Promise<void> {
    await addRequest(store, { status });
    const change = { delivered: 98n, details: "Paid out as it was deposited", txHash: "0xf1" };
    await store
      .transaction()
      .execute((transaction) => forceOutcome(transaction, requestId, outcome, change, 5_000));
  }
  const request = () => readRequest(store);
  const events = async () =>
    (await readAll(store, "events", "seq")).map(({ data, trigger }) => ({ trigger, ...JSON.parse(data) }));
  const last = { details: "Paid out as it was deposited", txHash: "0xf1" };

  it("refund, then a fill: undoes the refund, and only the last event carries the change", async () => {
    await force("refund", "success");
    expect(await events()).to.deep.equal([
      { trigger: "refund-reorged", txHash: "0xf1" },
      { failReason: null, trigger: "fill-submitted", txHash: "0xf1" },
      { trigger: "fill-succeeded", ...last },
    ]);
    expect(await request()).to.include({ delivered: "98", fail_reason: null, status: "success" });
  });

  it("success, then a refund: undoes the fill, which failed with TRANSACTION_REVERTED", async () => {
    await force("success", "refund");
    expect(await events()).to.deep.equal([
      { trigger: "fill-reorged", txHash: "0xf1" },
      { failReason: "TRANSACTION_REVERTED", trigger: "fill-failed", txHash: "0xf1" },
      { trigger: "refund-succeeded", ...last },
    ]);
    expect(await request()).to.include({ fail_reason: "TRANSACTION_REVERTED", status: "refund" });
  });

  it("failure, then a fill under way: takes the failure and its reason back", async () => {
    await force("failure", "submitted");
    expect(await events()).to.deep.equal([
      { trigger: "refund-begun", txHash: "0xf1" },
      { failReason: null, trigger: "fill-submitted", ...last },
    ]);
    expect(await request()).to.include({ fail_reason: null, status: "submitted" });
  });

  it("the outcome reached already: writes nothing", async () => {
    await force("refund", "refund");
    expect(await events()).to.deep.equal([]);
    expect((await request()).details).to.equal(null);
  });

  it("a request that was not paid: throws, and writes nothing", async () => {
    const error = await failureOf(force("waiting", "success"));
    expect(String(error)).to.include("cannot become success: it is waiting");
    expect(await events()).to.deep.equal([]);
  });
});
