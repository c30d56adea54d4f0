import { expect } from "chai";
import { serializeIntent } from "../../../../emulator/requests/Intent.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { webhookPayload } from "../../../../emulator/webhooks/webhookPayload.ts";
import { verifyWebhook } from "../../../../src/webhooks/verifyWebhook.ts";
import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { addRequest, intent, requestId, requestRow } from "../support/requests.ts";
import { pause, until } from "../support/waiting.ts";
import type { Answer } from "./support/receiver.ts";
import { useBench, type WebhookBench } from "./support/webhookBench.ts";

/** Answers each request, by its place, with a status. */
const answering =
  (statusOf: (received: Parameters<Answer>[1]) => number): Answer =>
  (response, received) =>
    void response.writeHead(statusOf(received)).end();

forEachDialect("startWebhooks", (kind) => {
  const { bench, clock, hooked, receiver } = useBench(kind);
  const newest = async (here: WebhookBench) => (await here.deliveries())[0];
  const untilNewest = (here: WebhookBench, state: string) =>
    until(async () => (await newest(here))?.state === state);

  // @spec auth/tied webhook/own-requests webhook/event webhook/timestamp webhook/status webhook/hashes
  // @spec webhook/updated-at webhook/chains webhook/deposit-address webhook/request-id webhook/referrer
  // @spec webhook/details webhook/fail-reason webhook/refund-fail-reason webhook/every-status
  // @spec webhook/signature-headers webhook/hmac
  it("requests of two keys and of none: posts each status of the hooked key's, signed, in the documented shape", async () => {
    const { here, there } = await hooked();
    const requestId = await here.request({ row: { referrer: "a-shop" } });
    const foreign = await here.request({ keyId: here.keys[1]?.id ?? null });
    const keyless = await here.request({ keyId: null });
    for (const id of [foreign, keyless, requestId]) {
      for (const status of ["depositing", "pending", "submitted", "success"] as const) {
        clock.advance(10);
        await here.reach(id, status);
      }
    }
    await until(() => there.received.length >= 5);
    await pause();
    expect(there.statuses()).to.deep.equal(["waiting", "depositing", "pending", "submitted", "success"]);
    for (const { body, event, headers } of there.received) {
      expect(event.data).to.have.all.keys(
        ...["status", "inTxHashes", "txHashes", "updatedAt", "originChainId", "destinationChainId"],
        ...["depositAddress", "requestId", "referrer", "details", "failReason", "refundFailReason"],
      );
      expect(event.data).to.include({
        depositAddress: null,
        destinationChainId: 31338,
        details: null,
        failReason: "N/A",
        originChainId: 31337,
        referrer: "a-shop",
        refundFailReason: "N/A",
        requestId,
      });
      expect(headers["content-type"]).to.equal("application/json");
      const secrets = [here.keys[0]?.key ?? ""];
      const verified = await verifyWebhook(body, headers, { now: clock.now, secrets });
      expect(verified.event).to.deep.equal(event);
      expect(event.timestamp).to.equal(event.data.updatedAt);
    }
  });

  // @spec webhook/fail-reason webhook/refund-fail-reason webhook/details webhook/status
  it("a failed request: posts its reasons with failure and refund, and N/A with earlier statuses", async () => {
    const { here, there } = await hooked();
    const [known, unknown] = [await here.request(), await here.request()];
    for (const id of [known, unknown]) await here.reach(id, "pending");
    await here.store
      .updateTable("requests")
      .set({ details: "Nope()", fail_reason: "EXECUTION_REVERTED", refund_fail_reason: "UNKNOWN" })
      .where("id", "=", known)
      .execute();
    await here.reach(known, "failure");
    await here.reach(unknown, "refund");
    await until(() => there.received.length === 6);
    const posted = (id: string) =>
      there.received
        .filter(({ event }) => event.data.requestId === id)
        .map(({ event: { data } }) => [data.status, data.failReason, data.refundFailReason, data.details]);
    expect(posted(known)).to.deep.equal([
      ["waiting", "N/A", "N/A", null],
      ["pending", "N/A", "N/A", null],
      ["failure", "EXECUTION_REVERTED", "UNKNOWN", "Nope()"],
    ]);
    expect(posted(unknown).at(-1)).to.deep.equal(["refund", "UNKNOWN", "N/A", null]);
  });

  // @spec webhook/enabled
  it("events before an endpoint is set, and while it is disabled: are not posted", async () => {
    const here = await bench();
    const there = await receiver();
    const old = await here.request();
    const keyId = await here.hook(there.url);
    await here.webhooks.set(keyId, { isEnabled: false, url: there.url });
    await here.reach(old, "pending");
    await here.request();
    await pause();
    expect(there.received).to.deep.equal([]);
    await here.hook(there.url);
    await here.reach(old, "submitted");
    await until(() => there.received.length > 0);
    await pause();
    expect(there.statuses()).to.deep.equal(["submitted"]);
  });

  // @spec webhook/one-per-key limit/webhooks-per-key
  it("a second endpoint of a key: takes the place of the first", async () => {
    const { here, keyId, there } = await hooked();
    const second = await receiver();
    await here.hook(second.url);
    expect(await here.webhooks.get(keyId)).to.include({ url: second.url });
    await here.request();
    await until(() => second.received.length === 1);
    await pause();
    expect(there.received).to.deep.equal([]);
  });

  // @spec webhook/custom-headers
  it("custom headers are posted; a removed endpoint gets nothing more, and its deliveries are cancelled", async () => {
    const { here, keyId, there } = await hooked(answering(() => 500));
    await here.webhooks.set(keyId, {
      headers: { Authorization: "Bearer abc", "x-shop": "7" },
      url: there.url,
    });
    const id = await here.request();
    await until(() => there.received.length === 1);
    expect(there.received[0]?.headers).to.include({ authorization: "Bearer abc", "x-shop": "7" });
    expect(await here.webhooks.remove(keyId)).to.equal(true);
    expect(await here.webhooks.remove(keyId)).to.equal(false);
    await here.reach(id, "pending");
    clock.advance(60_000);
    await pause();
    expect(there.received).to.have.length(1);
    expect((await here.deliveries()).map(({ state }) => state)).to.deep.equal(["cancelled"]);
    expect(await here.webhooks.resend(keyId, (await newest(here))?.id ?? 0)).to.equal(undefined);
  });

  describe("a refused delivery", () => {
    // @spec webhook/retries webhook/signature-headers
    it("is retried after a second with the same bytes and a new timestamp, and each attempt is recorded", async () => {
      const { here, there } = await hooked((response, { index }) => {
        response.writeHead(index === 0 ? 500 : 200).end(index === 0 ? "x".repeat(100_000) : "thanks");
      });
      await here.request();
      await until(() => there.received.length === 1);
      for (const ms of [0, 999]) {
        clock.advance(ms);
        await pause();
        expect(there.received).to.have.length(1);
      }
      clock.advance(1);
      await untilNewest(here, "delivered");
      const [first, second] = there.received;
      expect(first?.body).to.equal(second?.body);
      const secondsOf = (received = first) => Number(received?.headers["x-signature-timestamp"]);
      expect(secondsOf(second)).to.equal(secondsOf(first) + 1);
      const delivery = await newest(here);
      expect(
        delivery?.attempts.map(({ answer, at, error, statusCode }) => [statusCode, error, answer, at]),
      ).to.deep.equal([
        [500, null, "x".repeat(2_048), clock.now() - 1_000],
        [200, null, "thanks", clock.now()],
      ]);
      expect(delivery?.nextAttemptAt).to.equal(null);
    });

    // @spec webhook/retries limit/webhook-retries
    it("is retried ten times with doubling pauses, then failed, and later statuses are posted", async () => {
      const { here, there } = await hooked(
        answering(({ event }) => (event.data.status === "waiting" ? 503 : 200)),
      );
      await here.reach(await here.request(), "pending");
      const oldest = async () => (await here.deliveries()).at(-1);
      for (let retry = 0; retry < 10; retry++) {
        await until(async () => (await oldest())?.attempts.length === retry + 1);
        const waits = ((await oldest())?.nextAttemptAt ?? 0) - clock.now();
        expect(waits).to.equal(1_000 * 2 ** retry);
        clock.advance(waits);
      }
      await until(() => there.statuses().includes("pending"));
      expect(there.statuses()).to.deep.equal([...Array.from({ length: 11 }, () => "waiting"), "pending"]);
      await untilNewest(here, "delivered");
      const [, first] = await here.deliveries();
      expect([first?.state, first?.attempts.length]).to.deep.equal(["failed", 11]);
      clock.advance(24 * 60 * 60 * 1_000);
      await pause();
      expect(there.received).to.have.length(12);
    });
  });

  describe("order", () => {
    it("a request whose first status is refused: its later statuses wait, those of other requests do not", async () => {
      let isRefused = false;
      const { here, there } = await hooked(
        answering(({ event: { data } }) => {
          if (isRefused || data.requestId !== stuck || data.status !== "waiting") return 200;
          isRefused = true;
          return 500;
        }),
      );
      const stuck = await here.request();
      const free = await here.request();
      for (const id of [stuck, free]) await here.reach(id, "pending", "success");
      await until(() => there.statuses(free).length === 3);
      await pause();
      expect(there.statuses(stuck)).to.deep.equal(["waiting"]);
      clock.advance(1_000);
      await until(() => there.statuses(stuck).length === 4);
      expect(there.statuses(stuck)).to.deep.equal(["waiting", "waiting", "pending", "success"]);
      expect(there.statuses(free)).to.deep.equal(["waiting", "pending", "success"]);
    });

    it("an endpoint that never answers: does not delay another key's endpoint", async () => {
      const { here, there: slow } = await hooked(() => {}, { limits: { stopGraceMs: 0 } });
      const fast = await receiver();
      await here.hook(fast.url, 1);
      for (let count = 0; count < 30; count++) await here.request();
      await until(() => slow.received.length === 16);
      await here.reach(await here.request({ keyId: here.keys[1]?.id ?? "" }), "success");
      await until(() => fast.received.length === 2);
      expect(slow.received).to.have.length(16);
    });
  });
});

const address = `0x${"ad".repeat(20)}` as const;

const sender = `0x${"5e".repeat(20)}`;

const txHash = `0x${"77".repeat(32)}`;

forEachDialect("webhookPayload", ({ open }) => {
  const depositAddress = { address, refundsSender: false, type: "strict" } as const;
  const row = { deposit_address: address, intent: serializeIntent({ ...intent, depositAddress }) };
  const eventWith = (status: "depositing" | "waiting") => ({
    at: 1,
    data: "{}",
    request_id: requestId,
    seq: 1,
    status,
    trigger: "quoted",
  });
  let store: Store;
  before(async () => {
    store = (await open()).store;
    await addRequest(store, row);
    await store
      .insertInto("deposit_addresses")
      .values({
        address,
        chain_id: 31337,
        created_at: 1,
        quote_request: "{}",
        request_id: requestId,
        type: "strict",
      })
      .execute();
    await store
      .insertInto("address_payments")
      .values({
        address,
        amount: "100",
        at: 1,
        chain_id: 31337,
        currency: intent.origin.currency,
        id: `31337:${txHash}:value`,
        request_id: requestId,
        sender,
        state: "assigned",
        tx_hash: txHash,
      })
      .execute();
  });

  // @spec webhook/deposit-address-form
  it("a paid deposit address: names address, type, payer and the payment's transaction", async () => {
    const { data } = await webhookPayload(store, requestRow(row), eventWith("depositing"));
    expect(data.depositAddress).to.deep.equal({
      address,
      depositAddressType: "strict",
      depositor: sender,
      depositTxHash: txHash,
    });
  });
});
