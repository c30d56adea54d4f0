import { expect } from "chai";
import { verifyWebhook } from "../../../../src/webhooks/verifyWebhook.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { pause, startReceiver, until } from "./support/receiver.ts";
import { useBench } from "./support/useBench.ts";

forEachStore("webhooks", (kind) => {
  const { bench, clock, hook, receiver } = useBench(kind);

  describe("post", () => {
    it("every status of a key's requests, signed, in the documented shape, and those of no other", async () => {
      const here = await bench();
      const there = await receiver();
      await hook(here, there.url);
      const requestId = await here.request({ row: { referrer: "a-shop" } });
      const foreign = await here.request({ keyId: here.keys[1]?.id ?? null });
      const nobodys = await here.request({ keyId: null });
      for (const id of [foreign, nobodys, requestId]) {
        for (const status of ["depositing", "pending", "submitted", "success"] as const) {
          clock.advance(10);
          await here.reach(id, status);
        }
      }
      await until(() => there.received.length >= 5);
      await pause();
      expect(there.statuses()).to.deep.equal(["waiting", "depositing", "pending", "submitted", "success"]);
      for (const { body, event, headers } of there.received) {
        expect(Object.keys(event.data).sort()).to.deep.equal(
          [
            ...["status", "inTxHashes", "txHashes", "updatedAt", "originChainId", "destinationChainId"],
            ...["depositAddress", "requestId", "referrer", "details", "failReason", "refundFailReason"],
          ].sort(),
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
        const verified = await verifyWebhook(body, headers, {
          now: clock.now,
          secrets: [here.keys[0]?.key ?? ""],
        });
        expect(verified.event).to.deep.equal(event);
        expect(event.timestamp).to.equal(event.data.updatedAt);
      }
    });

    it("why a request failed, and N/A before it did", async () => {
      const here = await bench();
      const there = await receiver();
      await hook(here, there.url);
      const known = await here.request();
      const unknown = await here.request();
      for (const id of [known, unknown]) await here.reach(id, "pending");
      await here.store
        .updateTable("requests")
        .set({ details: "Nope()", fail_reason: "EXECUTION_REVERTED", refund_fail_reason: "UNKNOWN" })
        .where("id", "=", known)
        .execute();
      await here.reach(known, "failure");
      await here.reach(unknown, "refund");
      await until(() => there.received.length === 6);
      const told = (id: string) =>
        there.received
          .filter(({ event }) => event.data.requestId === id)
          .map(({ event: { data } }) => [data.status, data.failReason, data.refundFailReason, data.details]);
      expect(told(known)).to.deep.equal([
        ["waiting", "N/A", "N/A", null],
        ["pending", "N/A", "N/A", null],
        ["failure", "EXECUTION_REVERTED", "UNKNOWN", "Nope()"],
      ]);
      expect(told(unknown).at(-1)).to.deep.equal(["refund", "UNKNOWN", "N/A", null]);
    });

    it("a status once, also where an event did not change it", async () => {
      const here = await bench();
      const there = await receiver();
      await hook(here, there.url);
      const id = await here.request();
      for (const status of ["pending", "pending", "refund"] as const) await here.reach(id, status);
      await until(() => there.received.length >= 3);
      await pause();
      expect(there.statuses()).to.deep.equal(["waiting", "pending", "refund"]);
    });

    it("nothing of what was before the endpoint, or happened while it was off", async () => {
      const here = await bench();
      const there = await receiver();
      const old = await here.request();
      const keyId = await hook(here, there.url);
      await here.webhooks.set(keyId, { isEnabled: false, url: there.url });
      await here.reach(old, "pending");
      await here.request();
      await pause();
      expect(there.received).to.deep.equal([]);
      await hook(here, there.url);
      await here.reach(old, "submitted");
      await until(() => there.received.length > 0);
      await pause();
      expect(there.statuses()).to.deep.equal(["submitted"]);
    });

    it("custom headers, and nothing once the endpoint is removed", async () => {
      const here = await bench();
      const there = await receiver((response) => void response.writeHead(500).end());
      const keyId = here.keys[0]?.id ?? "";
      const headers = { Authorization: "Bearer abc", "x-shop": "7" };
      await here.webhooks.set(keyId, { headers, url: there.url });
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
      expect(await here.webhooks.resend(keyId, (await here.deliveries())[0]?.id ?? 0)).to.equal(undefined);
    });
  });

  describe("try again", () => {
    it("what a receiver refused, the same bytes under a new time, and log each attempt", async () => {
      const here = await bench();
      const there = await receiver((response, { index }) => {
        response.writeHead(index === 0 ? 500 : 200).end(index === 0 ? "x".repeat(100_000) : "thanks");
      });
      await hook(here, there.url);
      await here.request();
      await until(() => there.received.length === 1);
      await pause();
      expect(there.received).to.have.length(1);
      clock.advance(999);
      await pause();
      expect(there.received).to.have.length(1);
      clock.advance(1);
      await until(async () => (await here.deliveries())[0]?.state === "delivered");
      const [first, second] = there.received;
      expect(first?.body).to.equal(second?.body);
      expect(Number(second?.headers["x-signature-timestamp"])).to.equal(
        Number(first?.headers["x-signature-timestamp"]) + 1,
      );
      const [delivery] = await here.deliveries();
      expect(delivery?.attempts.map(({ error, statusCode }) => [statusCode, error])).to.deep.equal([
        [500, null],
        [200, null],
      ]);
      expect(delivery?.attempts[0]?.answer).to.equal("x".repeat(2_048));
      expect(delivery?.attempts[1]?.answer).to.equal("thanks");
      expect(delivery?.attempts.map(({ at }) => at)).to.deep.equal([clock.now() - 1_000, clock.now()]);
      expect(delivery?.nextAttemptAt).to.equal(null);
    });

    it("ten times at growing distances, then give up and go on with what comes after", async () => {
      const here = await bench();
      const there = await receiver((response, { event }) => {
        response.writeHead(event.data.status === "waiting" ? 503 : 200).end();
      });
      await hook(here, there.url);
      const id = await here.request();
      await here.reach(id, "pending");
      for (let retry = 0; retry < 10; retry++) {
        await until(async () => (await here.deliveries()).at(-1)?.attempts.length === retry + 1);
        const waits = ((await here.deliveries()).at(-1)?.nextAttemptAt ?? 0) - clock.now();
        expect(waits).to.equal(1_000 * 2 ** retry);
        clock.advance(waits);
      }
      await until(() => there.statuses().includes("pending"));
      expect(there.statuses()).to.deep.equal([...Array.from({ length: 11 }, () => "waiting"), "pending"]);
      await until(async () => (await here.deliveries())[0]?.state === "delivered");
      const [, first] = await here.deliveries();
      expect([first?.state, first?.attempts.length]).to.deep.equal(["failed", 11]);
      clock.advance(24 * 60 * 60 * 1_000);
      await pause();
      expect(there.received).to.have.length(12);
    });

    it("a receiver that is not there, one that says nothing and one that redirects", async () => {
      const here = await bench({ limits: { timeoutMs: 200 } });
      const gone = await startReceiver();
      await gone.stop();
      const elsewhere = await receiver();
      const silent = await receiver(() => {});
      const redirecting = await receiver(
        (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
      );
      const outcomes = [];
      for (const { url } of [gone, silent, redirecting]) {
        const keyId = await hook(here, url);
        const delivery = await here.webhooks.test(keyId);
        await until(async () => (await here.deliveries())[0]?.attempts.length === 1);
        const attempt = (await here.deliveries())[0]?.attempts[0];
        outcomes.push([attempt?.statusCode, attempt?.error]);
        expect(delivery?.kind).to.equal("test");
      }
      expect(outcomes).to.deep.equal([
        [null, "ECONNREFUSED"],
        [null, "no answer within 200 ms"],
        [307, null],
      ]);
      expect(elsewhere.received).to.deep.equal([]);
    });

    it("what was posted already when asked to, and what waits at once", async () => {
      const here = await bench();
      const there = await receiver((response, { index }) => {
        response.writeHead(index === 1 ? 500 : 200).end();
      });
      const keyId = await hook(here, there.url);
      const id = await here.request();
      await until(async () => (await here.deliveries())[0]?.state === "delivered");
      const [original] = await here.deliveries();
      const again = await here.webhooks.resend(keyId, original?.id ?? 0);
      expect([again?.kind, again?.resendOf, again?.requestId]).to.deep.equal(["resend", original?.id, id]);
      await until(async () => (await here.deliveries())[0]?.attempts.length === 1);
      // The clock stands still: nothing but the request for it brings the retry forward.
      const same = await here.webhooks.resend(keyId, again?.id ?? 0);
      expect(same?.id).to.equal(again?.id);
      await until(async () => (await here.deliveries())[0]?.state === "delivered");
      expect(new Set(there.received.map(({ body }) => body)).size).to.equal(1);
      expect(there.received).to.have.length(3);
      expect(await here.webhooks.resend(here.keys[1]?.id ?? "", original?.id ?? 0)).to.equal(undefined);
      expect(await here.webhooks.resend(keyId, 999_999)).to.equal(undefined);
    });
  });

  describe("keep the order", () => {
    it("of a request while its first status is refused, and hold up no other request", async () => {
      const here = await bench();
      const refused = new Set<string>();
      const there = await receiver((response, { event }) => {
        const id = event.data.requestId;
        const isFirst = !refused.has(id) && event.data.status === "waiting" && id === stuck;
        refused.add(id);
        response.writeHead(isFirst ? 500 : 200).end();
      });
      await hook(here, there.url);
      const stuck = await here.request();
      const free = await here.request();
      for (const id of [stuck, free]) {
        for (const status of ["pending", "success"] as const) await here.reach(id, status);
      }
      await until(() => there.statuses(free).length === 3);
      await pause();
      expect(there.statuses(stuck)).to.deep.equal(["waiting"]);
      clock.advance(1_000);
      await until(() => there.statuses(stuck).length === 4);
      expect(there.statuses(stuck)).to.deep.equal(["waiting", "waiting", "pending", "success"]);
      expect(there.statuses(free)).to.deep.equal(["waiting", "pending", "success"]);
    });

    it("of each of many requests, many at a time", async () => {
      const here = await bench();
      let open = 0;
      let most = 0;
      const there = await receiver(async (response) => {
        most = Math.max(most, ++open);
        await pause(Math.random() * 10);
        open--;
        response.writeHead(200).end();
      });
      await hook(here, there.url);
      const ids = await Promise.all(Array.from({ length: 20 }, () => here.request()));
      for (const status of ["pending", "submitted", "success"] as const) {
        for (const id of ids) await here.reach(id, status);
      }
      await until(() => there.received.length >= 80);
      for (const id of ids) {
        expect(there.statuses(id)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
      }
      expect(there.received).to.have.length(80);
      expect(most).to.be.greaterThan(1).and.at.most(16);
    });

    it("and one key's endpoint that never answers does not hold up another's", async () => {
      const here = await bench({ limits: { stopGraceMs: 0 } });
      const slow = await receiver(() => {});
      const fast = await receiver();
      await hook(here, slow.url, 0);
      await hook(here, fast.url, 1);
      for (let count = 0; count < 30; count++) await here.request();
      await until(() => slow.received.length === 16);
      const id = await here.request({ keyId: here.keys[1]?.id ?? "" });
      await here.reach(id, "success");
      await until(() => fast.received.length === 2);
      expect(slow.received).to.have.length(16);
    });
  });

  it("list by what is asked for, page by page, while there are new ones", async () => {
    const here = await bench();
    const there = await receiver();
    const keyId = await hook(here, there.url);
    const ids = [await here.request(), await here.request()];
    for (const id of ids) await here.reach(id, "success");
    await until(() => there.received.length === 4);
    await until(async () => (await here.deliveries()).every(({ state }) => state === "delivered"));
    const first = await here.webhooks.deliveries(keyId, { limit: 3 });
    await here.webhooks.test(keyId, "refund");
    const { continuation = "" } = first;
    const second = await here.webhooks.deliveries(keyId, { continuation, limit: 3 });
    expect([...first.deliveries, ...second.deliveries].map(({ status }) => status)).to.deep.equal([
      "success",
      "success",
      "waiting",
      "waiting",
    ]);
    expect(second.continuation).to.equal(undefined);
    const only = async (filter: Parameters<typeof here.webhooks.deliveries>[1]) =>
      (await here.webhooks.deliveries(keyId, filter)).deliveries.map(({ status }) => status);
    expect(
      await only({ requestId: ids[0]?.toUpperCase().replace("0X", "0x"), status: "success" }),
    ).to.deep.equal(["success"]);
    expect(await only({ kind: "test" })).to.deep.equal(["refund"]);
    await until(async () => (await only({ state: "delivered" })).length === 5);
    expect(await only({ state: "failed" })).to.deep.equal([]);
    expect(await here.deliveries(here.keys[1]?.id)).to.deep.equal([]);
    const failure = await failureOf(here.webhooks.deliveries(keyId, { continuation: "nonsense" }));
    expect(String(failure)).to.match(/WebhookRefusedError/);
  });

  it("stop when their key is revoked", async () => {
    const here = await bench();
    const there = await receiver();
    await hook(here, there.url);
    await here.store.updateTable("api_keys").set({ revoked_at: 1 }).execute();
    await here.request();
    await pause();
    expect(there.received).to.deep.equal([]);
    const failure = await failureOf(here.webhooks.set("nobody", { url: there.url }));
    expect(String(failure)).to.match(/No active API key has this id/);
  });
});
