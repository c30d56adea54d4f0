import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

type Line = { level: string; message: string; remedy?: string; subject: string };

describe("waybill doctor", () => {
  const fixture = useEmulator();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-doctor-"));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  const save = (name: string, more: object = {}): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ ...fixture.emulator.info, ...more }));
    return file;
  };
  const linesOf = (out: string): readonly Line[] =>
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);

  it("an emulator: no failure, its nodes answer, and every answer is as documented", async () => {
    const { code, err, out } = await runWaybill(["doctor", "--json", "--emulator", save("emulator.json")]);
    expect({ code, err }, out).to.deep.equal({ code: 0, err: "" });
    const lines = linesOf(out);
    const asked = lines.filter(({ subject }) => /^(GET|POST) /.test(subject));
    expect(asked.map(({ level, subject }) => `${level} ${subject}`)).to.deep.equal([
      "ok GET /chains",
      "ok POST /currencies/v2",
      "ok GET /currencies/token/price/v2",
      "ok GET /config/v2",
      "ok POST /price",
      "ok POST /quote/v2",
      "ok GET /intents/status/v3",
      "ok GET /requests/v3",
    ]);
    for (const id of [31_337, 31_338]) {
      expect(lines.filter(({ subject }) => subject === `node of chain ${id}`)[0]).to.include({ level: "ok" });
      expect(lines.filter(({ subject }) => subject === `chain ${id}`)[0]).to.include({ level: "ok" });
    }
  }).timeout(60_000);

  it("a service that drifted: names each place with a remedy, and exits with 1", async () => {
    const proxy = await startAlteringProxy({
      alter: (answer, path) => {
        if (path.startsWith("/chains")) return { ...(answer as object), moon: 1 };
        if (path.startsWith("/price")) return { ...(answer as object), details: 7 };
        return path.startsWith("/intents") ? { ...(answer as object), status: "paused" } : answer;
      },
      target: fixture.emulator.info.apiUrl,
    });
    try {
      const file = save("drifted.json", { apiUrl: proxy.url });
      const { code, out } = await runWaybill(["doctor", "--emulator", file]);
      expect(code).to.equal(1);
      expect(out).to.match(/^warn {2}GET \/chains: undocumented field `moon` {2}→ .+$/m);
      expect(out).to.match(/^fail {2}POST \/price: `details` is not as documented: .+ {2}→ .+$/m);
      expect(out).to.match(/^warn {2}GET \/intents\/status\/v3: undocumented value "paused" of `status`/m);
    } finally {
      proxy.stop();
    }
  }).timeout(60_000);

  it("wrong settings, an open key file and a node of another chain: fail or warn in one line each, without the key", async () => {
    const config = join(folder, "waybill.config.mjs");
    const key = join(folder, "private.key");
    writeFileSync(key, fixture.alpha.info.accounts[0]?.privateKey ?? "");
    chmodSync(key, 0o644);
    const fields = {
      apiKey: { env: "WAYBILL_NO_SUCH" },
      chains: { 7: { rpcUrl: fixture.alpha.info.rpcUrl } },
      privateKey: { file: "private.key" },
      url: fixture.emulator.info.apiUrl,
    };
    writeFileSync(config, `export default ${JSON.stringify({ ...fields, apiKey: undefined })};`);
    const { code, out } = await runWaybill(["doctor", "--config", config]);
    expect(code).to.equal(1);
    expect(out).to.include("ok    privateKey: of 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    expect(out).to.include("warn  privateKey: other users can read private.key  → chmod 600");
    expect(out).to.match(/^fail {2}node of chain 7: 127\.0\.0\.1:\d+ is of chain 31337/m);
    expect(out).to.include("warn  trust: no trusted source");
    expect(out).to.not.include("ac0974bec39a");
    writeFileSync(config, "export default { urll: 1 };");
    const broken = await runWaybill(["doctor", "--config", config]);
    expect(broken.code).to.equal(1);
    expect(broken.out).to.match(/^fail {2}configuration: .*urll.*$/m);
  }).timeout(60_000);

  it("an unreachable service: a failure with a remedy, and exit code 1", async () => {
    const { code, err, out } = await runWaybill(["doctor", "--url", "http://127.0.0.1:1"]);
    expect({ code, err }).to.deep.equal({ code: 1, err: "" });
    expect(out).to.match(/^fail {2}GET \/chains: .+ {2}→ is http:\/\/127\.0\.0\.1:1 the right service/m);
  }).timeout(60_000);
});
