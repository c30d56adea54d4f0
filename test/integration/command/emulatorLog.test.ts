import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Activity } from "../../../emulator/index.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";

const anyPorts = ["--port", "0", "--chain-ports", "0,0"];

describe("the log of the emulator command", () => {
  let folder: string;
  let receiver: Server;
  const running: SpawnedEmulator[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "waybill-log-"));
    receiver = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    receiver.close();
    rmSync(folder, { force: true, recursive: true });
  });
  afterEach(async () => {
    for (const { child, exited } of running.splice(0)) {
      child.kill("SIGKILL");
      await exited;
    }
  });

  /** Starts an emulator and waits for its file. */
  async function start(name: string, flags: readonly string[]) {
    const file = join(folder, `${name}.json`);
    const emulator = spawnEmulator([...anyPorts, "--out", file, ...flags]);
    running.push(emulator);
    return { emulator, info: await readOut(file, emulator) };
  }

  async function stop({ child, exited, output }: SpawnedEmulator): Promise<string> {
    child.kill("SIGINT");
    expect(await exited).to.equal(0);
    expect(output().stderr).to.equal("");
    return output().stdout;
  }

  it("in a pipe: prints a JSON line for its start, and one for each quote, deposit, fill, refund, webhook and fault", async () => {
    const { emulator, info } = await start("pipe", ["--log-level", "debug"]);
    const admin = async (path: string, method: string, body: object) => {
      const headers = { "content-type": "application/json", "x-admin-key": info.adminKey };
      const answer = await fetch(`${info.apiUrl}/admin${path}`, {
        body: JSON.stringify(body),
        headers,
        method,
      });
      expect(answer.ok, await answer.clone().text()).to.equal(true);
      return answer.json() as Promise<{ requestId: string }>;
    };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await admin(`/keys/${info.apiKeys[0]?.id}/webhook`, "PUT", { url });
    const filled = await admin("/scenarios/success/bridge/run", "POST", {});
    const refunded = await admin("/scenarios/refund/slippage/run", "POST", {});
    const faulty = await admin("/scenarios/refund/blocked-wallet/run", "POST", {});

    const printed = await stop(emulator);
    const [ready, ...lines] = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Activity & { kind: string });
    expect(ready).to.include({ apiUrl: info.apiUrl, kind: "ready", solver: info.solver });
    const of = (id: string, kind: string) =>
      lines.filter((line) => line.kind === kind && line.requestId === id);
    expect(of(filled.requestId, "quote")[0]).to.deep.include({ status: "waiting", trigger: "quoted" });
    expect(of(filled.requestId, "deposit")[0]).to.deep.include({
      level: "info",
      trigger: "deposit-accepted",
    });
    const fill = of(filled.requestId, "fill").at(-1);
    expect(fill).to.deep.include({ status: "success", trigger: "fill-succeeded" });
    expect(fill).to.have.nested.property("received.chain", "beta");
    expect(fill)
      .to.have.property("txHash")
      .that.matches(/^0x[0-9a-f]{64}$/);
    expect(of(refunded.requestId, "failure")[0]).to.deep.include({ reason: "SLIPPAGE" });
    expect(of(refunded.requestId, "refund").at(-1)).to.deep.include({ trigger: "refund-succeeded" });
    expect(of(faulty.requestId, "fault")[0]).to.deep.include({ action: "fill-fails" });
    expect(of(filled.requestId, "webhook").at(-1)).to.deep.include({ attempt: 1, statusCode: 200 });
    for (const secret of [info.adminKey, info.apiKeys[0]?.key ?? "-"]) expect(printed).to.not.include(secret);
  });

  it("with --log-format text: prints accounts and addresses, then one line of text each, after the scenarios ran", async () => {
    const { emulator, info } = await start("text", ["--log-format", "text", "--scenario", "success/bridge"]);
    const printed = await stop(emulator);
    const [banner = "", log = ""] = printed.split("Ready. Stop with Ctrl-C.\n");
    const [chain] = info.chains;
    for (const { address, privateKey } of chain?.accounts ?? []) {
      expect(banner).to.include(`${address}  ${privateKey}`);
    }
    for (const text of [chain?.rpcUrl, chain?.contracts.depository, chain?.wrappedNative, info.apiUrl]) {
      expect(banner).to.include(text);
    }
    const lines = log
      .trim()
      .split("\n")
      .map((line) => line.slice(13));
    expect(lines[0]).to.match(
      /^quote {3}0x[0-9a-f]{4}…[0-9a-f]{4} [\d.]+ ETH on alpha → [\d.]+ ETH on beta$/,
    );
    expect(lines[1]).to.match(/^deposit 0x.{9} [\d.]+ ETH on alpha {2}tx 0x[0-9a-f]{4}….{4} {2}\+\d+ ms$/);
    expect(lines[2]).to.match(/^fill {4}0x.{9} [\d.]+ ETH on beta {2}tx 0x[0-9a-f]{4}….{4} {2}\+\d+ ms$/);
    expect(printed).to.not.include("\u001b");
  });

  it("with --log-level warn: leaves out what succeeded; with --quiet: prints nothing", async () => {
    const scenario = ["--scenario", "success/bridge"];
    const warned = await start("warn", ["--log-level", "warn", ...scenario]);
    expect((await stop(warned.emulator)).trim().split("\n")).to.have.length(1);
    const silent = await start("quiet", ["--quiet", ...scenario]);
    expect(await stop(silent.emulator)).to.equal("");
  });

  it("an unknown scenario: exits with 2 and names similar ones", async () => {
    const { code, err, out } = await runWaybill(["emulator", ...anyPorts, "--scenario", "refund/slipage"]);
    expect({ code, out }).to.deep.equal({ code: 2, out: "" });
    expect(err).to.match(/^error: .*refund\/slippage.*\n$/);
  });
});
