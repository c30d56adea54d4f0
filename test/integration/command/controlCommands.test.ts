import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

describe("commands that control an emulator", () => {
  const fixture = useEmulator();
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-control-"));
    file = join(folder, "emulator.json");
    writeFileSync(file, JSON.stringify(fixture.emulator.info));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));
  const run = (...args: readonly string[]) => runWaybill([...args, "--emulator", file]);

  it("fault add, list and clear: the emulator has the fault with its fields, and then none", async () => {
    const added = await run("fault", "add", "fill-fails", "failReason=SLIPPAGE", "count=2");
    expect(added).to.include({ code: 0, err: "" });
    const [fault] = fixture.emulator.control.faults.list();
    expect(fault?.spec).to.include({ count: 2, failReason: "SLIPPAGE", kind: "fill-fails" });
    expect(added.out).to.equal(
      `${fault?.id}  fill-fails  failReason=SLIPPAGE  count=2  probability=1  fired 0\n`,
    );
    expect(JSON.parse((await run("fault", "list", "--json")).out).faults).to.have.length(1);
    expect(await run("fault", "clear", fault?.id ?? "")).to.include({ code: 0 });
    expect(await run("fault", "list")).to.include({ code: 0, out: "No fault can fire.\n" });
  });

  it("fault add with a field that the emulator refuses: exits with 1 and its sentence", async () => {
    const { code, err, out } = await run("fault", "add", "fill-fails", "failReason=BAD_LUCK");
    expect({ code, out }).to.deep.equal({ code: 1, out: "" });
    expect(err).to.match(/^error: POST .*\/admin\/faults answered 400 \(INVALID_REQUEST\)\. .+\n$/);
  });

  it("clock: advances, freezes and resumes the clock, and refuses a time before it", async () => {
    const before = fixture.emulator.control.clock.read().now;
    const { code, out } = await run("clock", "--advance", "3600", "--freeze", "--json");
    expect(code).to.equal(0);
    expect(JSON.parse(out)).to.deep.equal(fixture.emulator.control.clock.read());
    expect(JSON.parse(out).now - before).to.be.greaterThan(3_599_999);
    expect((await run("clock", "--resume")).out).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}running\n$/);
    expect(await run("clock", "--set", "2001-01-01")).to.include({ code: 1, out: "" });
  });
});
