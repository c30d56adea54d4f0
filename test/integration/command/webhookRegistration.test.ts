import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { type EmulatorFixture, startFixture } from "../../helpers/emulatorFixture.ts";
import { startWebhookListener } from "../../helpers/processes/webhookListener.ts";

describe("registration of waybill webhook listen", function () {
  this.timeout(60_000);
  const own = {
    headers: { authorization: "Bearer t0ken" },
    isEnabled: false,
    url: "http://127.0.0.1:9/mine?k=v",
  };
  let fixture: EmulatorFixture;
  let folder: string;
  let emulatorFile: string;
  before(async () => {
    fixture = await startFixture({ seed: "7" });
    folder = mkdtempSync(join(tmpdir(), "waybill-registration-"));
    emulatorFile = join(folder, "emulator.json");
    writeFileSync(emulatorFile, JSON.stringify(fixture.emulator.info));
  });
  after(async () => {
    await fixture.stop();
    rmSync(folder, { force: true, recursive: true });
  });

  const keyId = () => fixture.emulator.info.apiKeys[0]?.id ?? "";
  const webhook = () => fixture.emulator.webhooks.get(keyId());
  const start = (...args: readonly string[]) => startWebhookListener(["--emulator", emulatorFile, ...args]);
  async function until(isTrue: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 20_000; !(await isTrue()); await setTimeout(50))
      if (Date.now() > end) throw new Error("it did not happen within 20 s");
  }

  it("a killed listener: the emulator never posts the replaced webhook's headers, and the next listener needs no --replace", async () => {
    await fixture.emulator.webhooks.set(keyId(), own);
    const killed = await start("--replace");
    expect((await killed.stop("SIGKILL")).code).to.equal("SIGKILL");
    expect(await webhook()).to.deep.include({ headers: {}, isEnabled: true, url: killed.url });
    const last = await start();
    expect((await last.stop()).code).to.equal(0);
    expect(await webhook()).to.equal(undefined);
  });

  it("a webhook that a user sets while a listener runs: stays, and the listener tells that it was replaced", async () => {
    const listener = await start();
    await fixture.emulator.webhooks.set(keyId(), { url: own.url });
    await setTimeout(2_500);
    const { code, err } = await listener.stop();
    expect(code, err).to.equal(0);
    expect(err).to.include("http://127.0.0.1:9/mine?k=… replaced this listener");
    expect(await webhook()).to.deep.include({ url: own.url });
    await fixture.emulator.webhooks.remove(keyId());
  });

  it("--key-id of another key than the first: its webhooks verify", async () => {
    const created = await fixture.emulator.control.keys.create({ name: "second" });
    const file = join(folder, "two.json");
    const { info } = fixture.emulator;
    writeFileSync(file, JSON.stringify({ ...info, apiKeys: [...info.apiKeys, created] }));
    const listener = await startWebhookListener(["--emulator", file, "--key-id", created.id, "--json"]);
    await fixture.emulator.webhooks.test(created.id);
    await until(async () => /"type":"(event|refused)"/.test(listener.out()));
    expect((await listener.stop()).out)
      .to.include('"type":"event"')
      .and.not.include("refused");
  });

  it("an emulator that restarts without its database: the listener waits, registers again and goes on", async () => {
    const listener = await start("--json");
    const { port } = new URL(fixture.emulator.info.apiUrl);
    await fixture.stop();
    await setTimeout(2_500);
    fixture = await startFixture({ port: Number(port), seed: "7" });
    await until(async () => (await webhook())?.url === listener.url);
    await fixture.emulator.webhooks.test(keyId());
    await until(async () => listener.out().includes('"type":"event"'));
    expect((await listener.stop()).code).to.equal(0);
    expect(await webhook()).to.equal(undefined);
  });

  it("another emulator at the same address: ends the listener with exit code 4", async () => {
    const listener = await start();
    const { port } = new URL(fixture.emulator.info.apiUrl);
    await fixture.stop();
    fixture = await startFixture({ port: Number(port), seed: "8" });
    expect(await listener.ended).to.include({ code: 4 });
  });
});
