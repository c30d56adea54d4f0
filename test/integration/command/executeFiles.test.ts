import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

const native = "0x0000000000000000000000000000000000000000";

describe("waybill execute and hostile files", () => {
  const fixture = useEmulator();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-files-"));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  /** A run's file, changed as text; resumed for three seconds. */
  async function resumeOf(change: (file: string, requestId: string) => string) {
    const [payer] = fixture.alpha.info.accounts;
    const request = {
      amount: "10000000000000000",
      destinationChainId: 31_338,
      destinationCurrency: native,
      originChainId: 31_337,
      originCurrency: native,
      tradeType: "EXACT_INPUT",
      user: payer?.address ?? native,
    } as const;
    const quote = await getQuote(fixture.client, request);
    const requestId = String(quote.steps.at(-1)?.requestId);
    const items = [{ itemIndex: 0, status: "complete", stepIndex: 0 }];
    const saved = {
      account: payer?.address,
      bounds: { bounds: "none" },
      nonce: 0,
      quote,
      request,
      state: { appendedSteps: [], items, requestId, version: 1 },
      url: fixture.emulator.info.apiUrl,
      version: 2,
    };
    const file = join(folder, `${requestId.slice(0, 10)}.json`);
    const emulator = join(folder, "emulator.json");
    writeFileSync(file, change(JSON.stringify(saved), requestId));
    writeFileSync(emulator, JSON.stringify({ ...fixture.emulator.info, wsUrl: undefined }));
    const args = ["execute", "--resume", file, "--yes", "--emulator", emulator, "--for", "3"];
    return runWaybill(args, { cwd: folder });
  }

  it("a file whose quote names no request: one line, and no error of the language", async () => {
    const { code, err } = await resumeOf((text, requestId) =>
      text.replaceAll(`"requestId":"${requestId}",`, (all, at) => (at > text.indexOf('"state"') ? all : "")),
    );
    expect(code).to.not.equal(0);
    expect(err).to.not.match(/TypeError|undefined \(reading|is a defect|unexpected/i);
  }).timeout(60_000);

  it("a file whose state is nested 20,000 levels deep: one line, and no error of the language", async () => {
    const levels = 20_000;
    const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const sign = `{"domain":{},"primaryType":"A","signatureKind":"eip712","types":{},"value":${deep}}`;
    const post = '{"body":{},"endpoint":"/authorize","method":"POST"}';
    const item = `{"data":{"post":${post},"sign":${sign}},"status":"incomplete"}`;
    const step = `{"action":"","description":"","id":"a","items":[${item}],"kind":"signature"}`;
    const { code, err } = await resumeOf((text) =>
      text.replace('"appendedSteps":[]', `"appendedSteps":[${step}]`),
    );
    expect(code).to.not.equal(0);
    expect(err).to.not.match(/RangeError|call stack|is a defect|unexpected/i);
  }).timeout(60_000);
});
