import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { verifyWebhook } from "../../../src/webhooks/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type RanCommand, runWaybill } from "../../helpers/processes/runWaybill.ts";
import { useCommandFolder } from "../../helpers/processes/useCommandFolder.ts";

/** A running `waybill webhook listen`. */
type WebhookListener = {
  readonly url: string;
  /** Sends a signal, and waits for the end. @default SIGINT */
  stop(signal?: NodeJS.Signals): Promise<RanCommand>;
};

/** Starts a listener, and waits until it has printed its URL, after its registration. */
async function startWebhookListener(args: readonly string[]): Promise<WebhookListener> {
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  const listening = Promise.withResolvers<string>();
  const ended = runWaybill(["webhook", "listen", ...args], {
    onOutput: (text) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/waybill-webhook-listener\/[0-9a-f]{32}/.exec(text) ?? [];
      if (url !== undefined) listening.resolve(url);
    },
    onStart: (each) => {
      kill = each;
    },
  });
  const failed = ended.then(({ code, err }) => {
    throw new Error(`the listener ended with ${code}: ${err}`);
  });
  // After the start, the end is no failure.
  failed.catch(() => undefined);
  const stop = (signal: NodeJS.Signals = "SIGINT") => {
    kill(signal);
    return ended;
  };
  return { stop, url: await Promise.race([listening.promise, failed]) };
}

type Got = { readonly body: Buffer; readonly headers: Readonly<Record<string, unknown>> };

describe("waybill webhook", () => {
  const fixture = useEmulator();
  const { emulatorFile } = useCommandFolder(fixture);
  let server: Server;
  let target = "";
  let got: Got[] = [];
  let status = 200;
  before(async () => {
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
  const listen = (...args: readonly string[]) => startWebhookListener(["--emulator", emulatorFile, ...args]);

  it("listen and trigger: forwards the exact bytes with their signature, prints each answer, and unregisters at the end", async () => {
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
    }
    const [heading, secret, ...lines] = out.trim().split("\n");
    expect(heading).to.equal(
      `Listening at ${listener.url}, forwarded to ${target.replace(/7$/, "…")}. Ctrl-C ends it.`,
    );
    expect(secret).to.equal(`The secret of the signatures is the API key: ${key()}`);
    expect(lines).to.have.length(got.length);
    for (const line of lines) expect(line).to.match(/^[\d:.]{12} {2}\w+ +0x\S+ {2}→ 200 in \d+ ms$/);
    expect(await webhookUrl()).to.equal(undefined);
  }).timeout(60_000);

  it("posts without a valid signature, or to another path: are refused and not forwarded", async () => {
    const listener = await listen("--forward-to", target);
    const post = (url: string) => fetch(url, { body: "{}", method: "POST" });
    expect((await post(new URL("/", listener.url).href)).status).to.equal(404);
    expect((await fetch(listener.url)).status).to.equal(404);
    expect((await post(listener.url)).status).to.equal(401);
    const { out } = await listener.stop();
    expect(out.split("\n").slice(2)).to.deep.equal([
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

  it("a killed listener: the emulator never posts the replaced webhook's headers, and the next listener needs no --replace", async () => {
    const headers = { authorization: "Bearer t0ken" };
    await fixture.emulator.webhooks.set(keyId(), { headers, url: "http://127.0.0.1:9/mine?k=v" });
    const killed = await listen("--replace");
    expect((await killed.stop("SIGKILL")).code).to.equal("SIGKILL");
    expect(await fixture.emulator.webhooks.get(keyId())).to.deep.include({
      headers: {},
      isEnabled: true,
      url: killed.url,
    });
    const last = await listen();
    expect((await last.stop()).code).to.equal(0);
    expect(await webhookUrl()).to.equal(undefined);
  }).timeout(60_000);
});
