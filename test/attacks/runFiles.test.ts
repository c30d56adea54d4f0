import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Address, Hex } from "viem";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { getQuote } from "../../src/client/index.ts";
import type { EvmTransactionData } from "../../src/schema/quote/step.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { runWaybill } from "../helpers/processes/runWaybill.ts";

describe("attack: run files of waybill execute", () => {
  const fixture = useEmulator();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-run-files-"));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));
  const resume = (file: string) => {
    const emulator = join(folder, "emulator.json");
    writeFileSync(emulator, JSON.stringify({ ...fixture.emulator.info, wsUrl: undefined }));
    return runWaybill(["execute", "--resume", file, "--yes", "--emulator", emulator, "--for", "3"], {
      cwd: folder,
    });
  };
  async function fileOf(symbol: "ETH" | "USDC", name: string, state: (id: string) => unknown) {
    const payer = fixture.alpha.info.accounts[3] as { address: Address; privateKey: Hex };
    const request = {
      amount: "10000000",
      destinationChainId: 31_338,
      destinationCurrency: fixture.beta.currency(symbol),
      originChainId: 31_337,
      originCurrency: fixture.alpha.currency(symbol),
      tradeType: "EXACT_INPUT",
      user: payer.address,
    } as const;
    const quote = await getQuote(fixture.client, request);
    const id = String(quote.steps.at(-1)?.requestId);
    const file = join(folder, `${name}.json`);
    const save = (nonce: number) =>
      writeFileSync(
        file,
        JSON.stringify({
          account: payer.address,
          bounds: { bounds: "none" },
          nonce,
          quote,
          request,
          state: state(id),
          url: fixture.emulator.info.apiUrl,
          version: 2,
        }),
      );
    return { file, payer, quote, save };
  }

  /** As "a run file with a nonce beyond the account's next one: nothing is signed under it", `executeAttacks.test.ts`. */
  it("a run file that lists one approval four times: nothing is signed under a later nonce", async () => {
    const entry = { itemIndex: 0, status: "complete", stepIndex: 0, txHash: `0x${"77".repeat(32)}` };
    const items = [entry, entry, entry, entry];
    const { file, payer, quote, save } = await fileOf("USDC", "gap", (requestId) => ({
      appendedSteps: [],
      items,
      requestId,
      version: 1,
    }));
    // The account approved the spender before, as after an earlier swap.
    const approval = quote.steps[0]?.items[0]?.data as EvmTransactionData;
    const wallet = createWalletClient({
      account: privateKeyToAccount(payer.privateKey),
      transport: http(fixture.alpha.info.rpcUrl),
    });
    const hash = await wallet.sendTransaction({ chain: null, data: approval.data as Hex, to: approval.to });
    await fixture.alpha.reader.waitForTransactionReceipt({ hash });
    const count = await fixture.alpha.reader.getTransactionCount({ address: payer.address });
    save(count);
    const { code, err, out } = await resume(file);
    const saved = JSON.parse(readFileSync(file, "utf8")).state.items.at(-1);
    console.log(
      { code, count, signedWith: saved.nonce, status: saved.status },
      err.split("\n")[0],
      out.split("\n").slice(0, 3),
    );
    expect(saved).to.not.have.property("raw");
  }).timeout(60_000);

  it("a run file whose state has no list of items: one line, and no error of the language", async () => {
    const { file, save } = await fileOf("USDC", "items", (requestId) => ({
      appendedSteps: [],
      items: 5,
      requestId,
      version: 1,
    }));
    save(0);
    const { code, err } = await resume(file);
    console.log(code, err.slice(0, 300));
    expect(err).to.not.match(/TypeError|is not a function|is a defect|unexpected/i);
  }).timeout(60_000);

  it("a run file whose state names a request with lines and colours: forges no line", async () => {
    const items = [0, 1].map((stepIndex) => ({ itemIndex: 0, status: "complete", stepIndex }));
    const { file, save } = await fileOf("USDC", "lines", () => ({
      appendedSteps: [],
      items,
      requestId: "0x01.\n\u001b[32mpaid\u001b[39m  request 0xforged  0xfeed",
      version: 1,
    }));
    save(0);
    const emulator = join(folder, "emulator.json");
    writeFileSync(emulator, JSON.stringify({ ...fixture.emulator.info, wsUrl: undefined }));
    const { code, err, out } = await runWaybill(
      ["execute", "--resume", file, "--dry-run", "--emulator", emulator],
      { cwd: folder },
    );
    console.log(code, JSON.stringify(err), JSON.stringify(out));
    expect(err).to.not.match(/^\P{L}*(?:\d+m)?paid/mu);
    expect(err).to.not.include("\u001b[32m");
  }).timeout(60_000);
});
