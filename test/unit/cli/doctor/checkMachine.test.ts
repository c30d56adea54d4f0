import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { checkCompiler, checkNode, checkPort } from "../../../../cli/doctor/checkMachine.ts";
import { skewOf } from "../../../../cli/doctor/runDoctor.ts";

describe("checkMachine", () => {
  for (const [version, level] of [
    ["20.1.0", "fail"],
    ["22.15.0", "fail"],
    ["22.16.0", "warn"],
    ["22.18.0", "ok"],
    ["24.9.0", "ok"],
  ] as const) {
    it(`Node ${version}: ${level}`, () => {
      expect(checkNode(version).level).to.equal(level);
    });
  }

  it("a folder with Hardhat, with Foundry, and without either: ok, ok and a warning", () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-doctor-"));
    try {
      expect(checkCompiler(process.cwd()).level).to.equal("ok");
      expect(checkCompiler(folder).level).to.equal("warn");
      writeFileSync(join(folder, "foundry.toml"), "");
      expect(checkCompiler(folder).level).to.equal("ok");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("a port in use: a warning, and ok once it is free", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await checkPort(port)).to.include({ level: "warn", message: "in use" });
    server.close();
    await once(server, "close");
    expect(await checkPort(port)).to.include({ level: "ok" });
  });

  it("a clock that differs: ok up to half a minute, then a warning, and a failure above five minutes", () => {
    expect([29, -29, 30, -300, 301, -301].map((seconds) => skewOf(seconds).level)).to.deep.equal([
      "ok",
      "ok",
      "warn",
      "warn",
      "fail",
      "fail",
    ]);
    expect(skewOf(-40).message).to.equal("40 s behind the service");
  });
});
