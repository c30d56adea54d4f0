import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, type Hex, parseEther, parseTransaction } from "viem";
import { getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { type RunOptions, runWaybill } from "../../helpers/processes/runWaybill.ts";

type Account = { readonly address: Address; readonly privateKey: Hex };
type Kill = (signal: NodeJS.Signals) => void;

/** Answer of a node to one call. */
type Answer = { error?: unknown; result?: unknown };

describe("waybill execute under attack", () => {
  const fixture = useEmulator();
  const proxies: AlteringProxy[] = [];
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-attacks-"));
  });
  after(() => {
    for (const proxy of proxies) proxy.stop();
    rmSync(folder, { force: true, recursive: true });
  });

  const accountOf = (index: number): Account => fixture.alpha.info.accounts[index] as Account;
  const nonceOf = ({ address }: Account) => fixture.alpha.reader.getTransactionCount({ address });
  const cwdOf = (name: string): string => {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    return cwd;
  };
  const savedIn = (cwd: string): string =>
    join(cwd, readdirSync(cwd).find((each) => each.endsWith(".json")) ?? "none");
  async function proxyOf(parameters: Parameters<typeof startAlteringProxy>[0]): Promise<AlteringProxy> {
    const proxy = await startAlteringProxy(parameters);
    proxies.push(proxy);
    return proxy;
  }
  /** The emulator's file, with a service that has not seen a payment yet. */
  async function laggingService(): Promise<string> {
    const proxy = await proxyOf({
      alter: (answer, path) => (path.startsWith("/intents/status") ? { status: "waiting" } : answer),
      target: fixture.emulator.info.apiUrl,
    });
    return fileOf(proxy.url);
  }
  function fileOf(apiUrl: string): string {
    const file = join(mkdtempSync(join(folder, "emulator-")), "emulator.json");
    writeFileSync(file, JSON.stringify({ ...fixture.emulator.info, apiUrl, wsUrl: undefined }));
    return file;
  }
  const amounts = { ETH: ["0.01", "0.009"], USDC: ["10", "9"] } as const;
  const flagsOf = (currency: "ETH" | "USDC"): readonly string[] => {
    const [amount, least] = amounts[currency];
    const currencies = ["--from", `31337:${currency}`, "--to", `31338:${currency}`];
    return [...currencies, "--amount", amount, "--min-output", least, "--yes"];
  };
  const run = (
    { address }: Account,
    cwd: string,
    args: readonly string[],
    options: RunOptions & { readonly emulator?: string } = {},
  ) => {
    const { emulator = fileOf(fixture.emulator.info.apiUrl), ...others } = options;
    return runWaybill(["execute", ...args, "--user", address, "--emulator", emulator], { cwd, ...others });
  };
  const resume = (cwd: string, file: string, emulator = fileOf(fixture.emulator.info.apiUrl)) =>
    runWaybill(["execute", "--resume", file, "--yes", "--emulator", emulator], { cwd });

  const dear = `0x${parseEther("0.001").toString(16)}`;
  const lies: readonly (readonly [name: string, alter: (answer: Answer, body: string) => Answer])[] = [
    [
      "a priority fee of a thousandth of a token",
      (answer, body) => (body.includes("eth_maxPriorityFeePerGas") ? { ...answer, result: dear } : answer),
    ],
    [
      "a base fee of a thousandth of a token",
      (answer, body) =>
        body.includes("eth_getBlockByNumber") && answer.result
          ? { ...answer, result: { ...answer.result, baseFeePerGas: dear } }
          : answer,
    ],
    [
      "a gas limit of a billion",
      (answer, body) => (body.includes("eth_estimateGas") ? { ...answer, result: "0x3b9aca00" } : answer),
    ],
  ];
  for (const [i, [name, alter]] of lies.entries()) {
    it(`a node that names ${name}: is refused, and nothing is signed`, async () => {
      const payer = accountOf(0);
      const cwd = cwdOf(`fee-${i}`);
      const nonce = await nonceOf(payer);
      const proxy = await proxyOf({
        alter: (answer, _, body) => alter(answer as Answer, body),
        target: fixture.alpha.info.rpcUrl,
      });
      const { code, err } = await run(payer, cwd, [...flagsOf("ETH"), "--rpc-url", `31337=${proxy.url}`]);
      expect(code, err).to.equal(1);
      expect(await nonceOf(payer)).to.equal(nonce);
      expect(readFileSync(savedIn(cwd), "utf8")).to.not.include('"raw"');
    }).timeout(60_000);
  }

  it("P1: a node that names another chain once it is asked for the transaction: the proven chain is signed", async () => {
    const payer = accountOf(0);
    const nonce = await nonceOf(payer);
    let isLying = false;
    const sent: Hex[] = [];
    const proxy = await proxyOf({
      alter: (answer, _, body) =>
        isLying && body.includes("eth_chainId") ? { ...(answer as Answer), result: "0x1" } : answer,
      before: (body) => {
        isLying ||= body.includes("eth_estimateGas");
        if (body.includes("eth_sendRawTransaction")) sent.push(JSON.parse(body).params[0]);
        return true;
      },
      target: fixture.alpha.info.rpcUrl,
    });
    const args = [...flagsOf("ETH"), "--rpc-url", `31337=${proxy.url}`];
    const { code, err } = await run(payer, cwdOf("chain"), args);
    expect(code, err).to.equal(0);
    expect(sent.map((raw) => parseTransaction(raw).chainId)).to.deep.equal([31_337]);
    expect(await nonceOf(payer)).to.equal(nonce + 1);
  }).timeout(60_000);

  it("P5: a node that takes the deposit and answers that funds are missing: it is followed and paid once", async () => {
    const payer = accountOf(1);
    const nonce = await nonceOf(payer);
    const error = { code: -32_000, message: "insufficient funds for gas * price + value" };
    const proxy = await proxyOf({
      alter: (answer, _, body) =>
        body.includes("eth_sendRawTransaction")
          ? { error, id: (answer as { id: number }).id, jsonrpc: "2.0" }
          : answer,
      target: fixture.alpha.info.rpcUrl,
    });
    const args = [...flagsOf("ETH"), "--rpc-url", `31337=${proxy.url}`];
    const { code, err } = await run(payer, cwdOf("accepts"), args);
    expect(code, err).to.equal(0);
    expect(await nonceOf(payer)).to.equal(nonce + 1);
  }).timeout(60_000);

  it("P5: a node that takes nothing: --resume at another node sends the signed bytes, and pays once", async () => {
    const payer = accountOf(2);
    const cwd = cwdOf("deaf");
    const nonce = await nonceOf(payer);
    const sent: string[] = [];
    const proxy = await proxyOf({
      before: (body) => {
        if (!body.includes("eth_sendRawTransaction")) return true;
        sent.push(JSON.parse(body).params[0]);
        return false;
      },
      target: fixture.alpha.info.rpcUrl,
    });
    const args = [...flagsOf("ETH"), "--rpc-url", `31337=${proxy.url}`, "--for", "3"];
    const lost = await run(payer, cwd, args);
    expect(lost.code, lost.out).to.equal(1);
    expect(lost.err).to.include("its outcome is not known").and.include("--resume");
    expect(await nonceOf(payer)).to.equal(nonce);
    const file = savedIn(cwd);
    const { state } = JSON.parse(readFileSync(file, "utf8"));
    expect(state.items[0]).to.include({ nonce, raw: sent[0], status: "signed" });
    expect(readFileSync(file, "utf8")).to.not.include(payer.privateKey.slice(2));
    const resumed = await resume(cwd, file);
    expect(resumed.code, resumed.err).to.equal(0);
    expect(new Set(sent)).to.have.length(1);
    const mined = await fixture.alpha.reader.getTransaction({ hash: state.items[0].txHash });
    expect(mined).to.include({ nonce });
    expect(await nonceOf(payer)).to.equal(nonce + 1);
  }).timeout(60_000);

  it("a copy of a run file between approval and deposit: once one is paid, the other is refused", async () => {
    const payer = accountOf(4);
    const cwd = cwdOf("copy");
    const nonce = await nonceOf(payer);
    let kill: Kill = () => undefined;
    const proxy = await proxyOf({
      before: (body) => {
        if (body.includes("eth_sendRawTransaction")) kill("SIGINT");
        return true;
      },
      target: fixture.alpha.info.rpcUrl,
    });
    const stopped = await run(payer, cwd, [...flagsOf("USDC"), "--rpc-url", `31337=${proxy.url}`], {
      onStart: (each) => {
        kill = each;
      },
    });
    expect(stopped.code, stopped.err).to.equal(130);
    const copy = join(cwdOf("copied"), "copy.json");
    copyFileSync(savedIn(cwd), copy);
    expect((await resume(cwd, savedIn(cwd))).code).to.equal(0);
    expect(await nonceOf(payer)).to.equal(nonce + 2);
    const second = await resume(folder, copy);
    expect(second.code, second.out).to.equal(1);
    expect(second.err).to.include("it was paid before");
    const late = join(cwdOf("late"), "late.json");
    const emulator = await laggingService();
    const { apiUrl } = JSON.parse(readFileSync(emulator, "utf8"));
    writeFileSync(late, readFileSync(copy, "utf8").replaceAll(fixture.emulator.info.apiUrl, apiUrl));
    const unseen = await resume(folder, late, emulator);
    expect(unseen.code, unseen.err).to.equal(1);
    expect(unseen.err).to.include("sent another transaction after this run began");
    expect(await nonceOf(payer)).to.equal(nonce + 2);
  }).timeout(60_000);

  const native = "0x0000000000000000000000000000000000000000";
  const thief = "0x00000000000000000000000000000000000bad00";
  /** A run's file that an attacker wrote. Its payment goes to the attacker. */
  async function forgedFile(payer: Account, name: string, more: object = {}, ...items: unknown[]) {
    const request = {
      amount: "10000000000000000",
      destinationChainId: 31_338,
      destinationCurrency: native,
      originChainId: 31_337,
      originCurrency: native,
      recipient: thief,
      tradeType: "EXACT_INPUT",
      user: payer.address,
    } as const;
    const quote = await getQuote(fixture.client, request);
    const state = { appendedSteps: [], items, requestId: quote.steps.at(-1)?.requestId, version: 1 };
    const file = join(cwdOf(name), "run.json");
    const saved = {
      account: payer.address,
      bounds: { bounds: "none" },
      nonce: await nonceOf(payer),
      quote,
      request,
      ...(items.length > 0 && { state }),
      url: fixture.emulator.info.apiUrl,
      version: 2,
      ...more,
    };
    writeFileSync(file, JSON.stringify(saved));
    return file;
  }
  const resumeWith = (file: string, ...more: string[]) => {
    const emulator = fileOf(fixture.emulator.info.apiUrl);
    return runWaybill(["execute", "--resume", file, "--yes", "--emulator", emulator, ...more], {
      cwd: folder,
    });
  };

  it("a run file whose entry is of no item, which would hide the plan: is refused, and nothing is paid", async () => {
    const payer = accountOf(6);
    const plan = await resumeWith(await forgedFile(payer, "plan"), "--dry-run");
    expect(plan.out).to.include(thief);
    const before = await nonceOf(payer);
    const entry = { itemIndex: 9, status: "complete", stepIndex: 99 };
    const { code, out } = await resumeWith(await forgedFile(payer, "hidden", {}, entry));
    expect(code, out).to.not.equal(0);
    expect(await nonceOf(payer)).to.equal(before);
  }).timeout(60_000);

  it("a run file with a nonce beyond the account's next one: nothing is signed under it", async () => {
    const payer = accountOf(7);
    const file = await forgedFile(payer, "gap", { nonce: (await nonceOf(payer)) + 3 });
    await resumeWith(file, "--for", "3");
    expect(readFileSync(file, "utf8")).to.not.include('"raw"');
  }).timeout(60_000);

  it("a run file whose approval the chain does not have: the payment is signed under the account's next nonce", async () => {
    const payer = accountOf(0);
    const [origin, destination] = [fixture.alpha, fixture.beta];
    const request = {
      amount: "10000000",
      destinationChainId: 31_338,
      destinationCurrency: destination.currency("USDC"),
      originChainId: 31_337,
      originCurrency: origin.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user: payer.address,
    } as const;
    const quote = await getQuote(fixture.client, request);
    const { data, to } = (quote.steps[0]?.items[0]?.data ?? {}) as { data: Hex; to: Address };
    const hash = await origin.wallet(0).sendTransaction({ data, to });
    await origin.reader.waitForTransactionReceipt({ hash });
    const nonce = await nonceOf(payer);
    const entry = { itemIndex: 0, status: "complete", stepIndex: 0, txHash: `0x${"77".repeat(32)}` };
    const file = await forgedFile(payer, "unmined", { nonce, quote, request }, entry);
    const saved = JSON.parse(readFileSync(file, "utf8"));
    const state = { ...saved.state, requestId: quote.steps.at(-1)?.requestId };
    for (const items of [5, saved.state.items]) {
      writeFileSync(file, JSON.stringify({ ...saved, state: { ...state, items } }));
      const { code, err } = await resumeWith(file);
      expect(code, err).to.equal(items === 5 ? 2 : 0);
      expect(err).to.not.match(/TypeError|defect/);
    }
    expect((await nonceOf(payer)) - nonce).to.equal(1);
  }).timeout(60_000);

  it("a run file with signed bytes of another run file: they are not sent", async () => {
    const payer = accountOf(8);
    const first = await forgedFile(payer, "first");
    const deaf = await proxyOf({
      before: (body) => !body.includes("eth_sendRawTransaction"),
      target: fixture.alpha.info.rpcUrl,
    });
    await resumeWith(first, "--for", "2", "--rpc-url", `31337=${deaf.url}`);
    const [item] = JSON.parse(readFileSync(first, "utf8")).state.items;
    expect(item.raw).to.be.a("string");
    const before = await nonceOf(payer);
    const { code, err } = await resumeWith(await forgedFile(payer, "second", {}, item), "--for", "4");
    expect(code).to.not.equal(0);
    expect(err).to.include("bytes of another transaction");
    expect(await nonceOf(payer)).to.equal(before);
  }).timeout(60_000);

  it("a service whose hashes have lines, colours and megabytes: forge no line, and stay short", async () => {
    const hash = `0x01\n\u001b[32mpaid\u001b[39m  request 0xforged\u001b[8m${"x".repeat(3_000_000)}`;
    const proxy = await proxyOf({
      alter: (answer, path) =>
        path.startsWith("/intents/status") && (answer as { status?: string }).status === "success"
          ? { ...(answer as object), txHashes: [hash] }
          : answer,
      target: fixture.emulator.info.apiUrl,
    });
    const { out } = await run(accountOf(9), cwdOf("text"), flagsOf("ETH"), { emulator: fileOf(proxy.url) });
    expect(out.length).to.be.lessThan(100_000);
    for (const line of out.split("\n")) expect(line).to.not.match(/^\P{L}*paid\P{L}+request 0xforged/u);
    expect(out).to.not.include("\u001b[8m");
  }).timeout(60_000);
});
