import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { verifyWebhook } from "../../../src/webhooks/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type RanCommand, runWaybill } from "../../helpers/processes/runWaybill.ts";

type Got = { readonly body: Buffer; readonly headers: Readonly<Record<string, unknown>> };
type Listening = { readonly ended: Promise<RanCommand>; readonly url: string; stop(): Promise<RanCommand> };

describe("waybill webhook", () => {
  const fixture = useEmulator();
  let folder: string;
  let emulatorFile: string;
  let server: Server;
  let target = "";
  let got: Got[] = [];
  let status = 200;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "waybill-webhook-"));
    emulatorFile = join(folder, "emulator.json");
    writeFileSync(emulatorFile, JSON.stringify(fixture.emulator.info));
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      got.push({ body: Buffer.concat(chunks), headers: request.headers });
      response.writeHead(status).end("handled");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?tenant=7`;
  });
  beforeEach(() => {
    got = [];
    status = 200;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { force: true, recursive: true });
  });

  const keyId = () => fixture.emulator.info.apiKeys[0]?.id ?? "";
  const key = () => fixture.emulator.info.apiKeys[0]?.key ?? "";
  const webhookUrl = async () => (await fixture.emulator.webhooks.get(keyId()))?.url;
  const run = (...args: readonly string[]) => runWaybill(["webhook", ...args, "--emulator", emulatorFile]);
  async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    for (let left = 400; left > 0; left--) {
      if (await isTrue()) return;
      await setTimeout(25);
    }
    throw new Error("it did not happen within 10 s");
  }
  /** Whether the end of the newest request was delivered, after which its line is printed. */
  const isDelivered = async () => {
    const { deliveries } = await fixture.emulator.webhooks.deliveries(keyId(), { kind: "event" });
    return deliveries[0]?.status === "success" && deliveries.every(({ state }) => state === "delivered");
  };
  /** Starts a listener, and waits until it is registered. */
  async function listen(...args: readonly string[]): Promise<Listening> {
    let kill: (signal: NodeJS.Signals) => void = () => undefined;
    const before = await webhookUrl();
    const ended = runWaybill(["webhook", "listen", "--emulator", emulatorFile, ...args], {
      env: { XDG_STATE_HOME: folder },
      onStart: (each) => {
        kill = each;
      },
    });
    const isListener = async () => {
      const url = await webhookUrl();
      return url !== before && url?.includes("listener") === true;
    };
    await Promise.race([until(isListener), ended]);
    const stop = () => {
      kill("SIGINT");
      return ended;
    };
    return { ended, stop, url: (await webhookUrl()) ?? "" };
  }

  it("listen and trigger: forwards the exact bytes and headers, prints each answer, and unregisters at the end", async () => {
    const listener = await listen("--forward-to", target);
    const triggered = await run("trigger", "status/success");
    expect(triggered.code, triggered.err).to.equal(0);
    expect(triggered.out).to.match(/^status\/success {2}0x\S+ {2}.*→ success\n$/);
    await until(isDelivered);
    const { code, out } = await listener.stop();
    expect(code).to.equal(0);
    for (const { body, headers } of got) {
      const { event } = await verifyWebhook(body, headers as Record<string, string>, { secrets: [key()] });
      expect(event.event).to.equal("request.status.updated");
      expect(headers["host"]).to.equal(new URL(target).host);
      expect(headers["user-agent"]).to.equal("waybill-emulator");
    }
    const [heading, ...lines] = out.trim().split("\n");
    expect(heading).to.equal(
      `Listening at ${listener.url}, forwarded to ${target.replace(/7$/, "…")}. Ctrl-C ends it.`,
    );
    expect(lines).to.have.length(got.length);
    for (const line of lines) expect(line).to.match(/^[\d:.]{12} {2}\w+ +0x\S+ {2}→ 200 in \d+ ms$/);
    expect(await webhookUrl()).to.equal(undefined);
  }).timeout(60_000);

  it("a target that fails: the service gets its status, and repeats the delivery", async () => {
    status = 500;
    const listener = await listen("--forward-to", target, "--json");
    await fixture.emulator.webhooks.test(keyId());
    await until(() => got.length === 1);
    status = 200;
    await until(() => got.length === 2);
    const { out } = await listener.stop();
    const lines = out
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line) as { forwarded: { statusCode: number } });
    expect(lines.map(({ forwarded }) => forwarded.statusCode)).to.deep.equal([500, 200]);
    const { deliveries } = await fixture.emulator.webhooks.deliveries(keyId(), { kind: "test" });
    expect(deliveries[0]?.attempts.map(({ statusCode }) => statusCode)).to.deep.equal([500, 200]);
    expect(deliveries[0]?.attempts[0]?.answer).to.equal("handled");
  }).timeout(60_000);

  it("no target, and one that is not there: the events are shown, the service gets 200 and 502", async () => {
    const shown = await listen();
    await fixture.emulator.webhooks.test(keyId());
    const attempts = async () =>
      (await fixture.emulator.webhooks.deliveries(keyId(), { kind: "test", limit: 1 })).deliveries[0]
        ?.attempts ?? [];
    await until(async () => (await attempts())[0]?.statusCode === 200);
    expect((await shown.stop()).out).to.match(/success {4}0x\S+\n$/);
    const broken = await listen("--forward-to", "http://127.0.0.1:1/");
    await fixture.emulator.webhooks.test(keyId());
    await until(async () => (await attempts())[0]?.statusCode === 502);
    expect((await broken.stop()).out).to.include("no answer: ECONNREFUSED");
  }).timeout(60_000);

  it("posts without a valid signature, or to another path: are refused and not forwarded", async () => {
    const listener = await listen("--forward-to", target);
    const post = (url: string) => fetch(url, { body: "{}", method: "POST" });
    expect((await post(new URL("/", listener.url).href)).status).to.equal(404);
    expect((await fetch(listener.url)).status).to.equal(404);
    expect((await post(listener.url)).status).to.equal(401);
    const { out } = await listener.stop();
    expect(out.split("\n").slice(1)).to.deep.equal([
      "refused  a webhook that does not verify: missing_header",
      "",
    ]);
    expect(got).to.deep.equal([]);
  }).timeout(60_000);

  it("a key with a webhook: is left alone without --replace, and put back with it", async () => {
    const own = { headers: { "x-mine": "1" }, isEnabled: false, url: "http://127.0.0.1:9/mine" };
    await fixture.emulator.webhooks.set(keyId(), own);
    const refused = await run("listen");
    expect(refused).to.include({ code: 2, out: "" });
    expect(refused.err).to.include("--replace");
    expect(await webhookUrl()).to.equal(own.url);
    const listener = await listen("--replace");
    expect(listener.url).to.not.equal(own.url);
    expect((await listener.stop()).code).to.equal(0);
    expect(await fixture.emulator.webhooks.get(keyId())).to.deep.include(own);
    await fixture.emulator.webhooks.remove(keyId());
  }).timeout(60_000);

  it("resend by request id and by delivery: repeats the same bytes in the order of the statuses", async () => {
    const listener = await listen("--forward-to", target);
    const result = await fixture.emulator.scenarios.run("status/success");
    if (result.kind !== "request") throw new Error("the scenario made no request");
    await until(isDelivered);
    const first = got.map(({ body }) => body.toString());
    const resent = await run("resend", result.requestId);
    expect(resent.code, resent.err).to.equal(0);
    await until(() => got.length >= 2 * first.length);
    expect(got.slice(first.length).map(({ body }) => body.toString())).to.have.members(first);
    const { deliveries } = await fixture.emulator.webhooks.deliveries(keyId(), { kind: "event", limit: 1 });
    const one = await run("resend", String(deliveries[0]?.id), "--json");
    expect(JSON.parse(one.out)).to.include({ kind: "resend", resendOf: deliveries[0]?.id });
    await listener.stop();
    expect((await run("resend", `0x${"00".repeat(32)}`)).code).to.equal(1);
    expect((await run("trigger", "refund/nothing")).code).to.equal(1);
  }).timeout(60_000);
});
