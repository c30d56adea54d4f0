import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

describe("waybill status", () => {
  const fixture = useEmulator();

  async function requestOf(scenario: string): Promise<string> {
    const result = await fixture.emulator.scenarios.run(scenario);
    if (result.kind !== "request") throw new Error("the scenario made no request");
    return result.requestId;
  }
  const status = (id: string, ...flags: readonly string[]) =>
    runWaybill(["status", id, "--url", fixture.emulator.info.apiUrl, ...flags]);

  it("a filled request: shows status, chains and transactions without colours", async () => {
    const id = await requestOf("status/success");
    const { code, err, out } = await status(id);
    expect({ code, err }).to.deep.equal({ code: 0, err: "" });
    expect(out).to.match(
      /^request {2}0x[0-9a-f]{64}\nstatus {3}success\nchains {3}31337 → 31338\npaid by {2}0x/,
    );
  });

  it("a filled request with --json: prints the answer and the id as one document", async () => {
    const id = await requestOf("status/success");
    const { out } = await status(id, "--json");
    expect(JSON.parse(out)).to.include({ requestId: id, status: "success" });
  });

  it("a refunded request with --watch: prints the change and exits with 1", async () => {
    const { code, err, out } = await status(await requestOf("refund/slippage"), "--watch");
    expect({ code, err }).to.deep.equal({ code: 1, err: "" });
    expect(out).to.match(/^[\d:.]+ {2}refund +SLIPPAGE {2}0x[0-9a-f]{64}\n$/);
  });

  it("a request that is filled while it is watched: prints JSON lines and exits with 0", async () => {
    const id = await requestOf("status/pending");
    const watched = status(id, "--watch", "--json");
    await fixture.emulator.control.faults.clear();
    const { code, out } = await watched;
    const changes = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { requestId: string; status: string });
    expect(code).to.equal(0);
    expect(changes.at(-1)).to.include({ requestId: id, status: "success" });
  });

  it("a request that stays, with --for: exits with 3 and names the last status", async () => {
    const { code, err } = await status(await requestOf("status/waiting"), "--watch", "--for", "0.5");
    expect(code).to.equal(3);
    expect(err).to.match(/^error: Timed out after 500 ms .*waiting.*\n$/);
  });

  it("an unknown request: exits with 1 and the service's code, with and without --watch", async () => {
    for (const flags of [[], ["--watch"]]) {
      const { code, err, out } = await status(`0x${"00".repeat(32)}`, ...flags);
      expect({ code, out }).to.deep.equal({ code: 1, out: "" });
      expect(err).to.include("REQUEST_NOT_FOUND");
    }
  });
});
