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
import { type Address, type Hex, parseEther, parseUnits } from "viem";
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
  async function saveQuote({ address }: Account, currency: "ETH" | "USDC", file: string): Promise<void> {
    const quote = await getQuote(fixture.client, {
      amount: currency === "ETH" ? parseEther("0.01") : parseUnits("10", 6),
      destinationChainId: 31_338,
      destinationCurrency: fixture.beta.currency(currency),
      originChainId: 31_337,
      originCurrency: fixture.alpha.currency(currency),
      tradeType: "EXACT_INPUT",
      user: address,
    });
    writeFileSync(file, JSON.stringify(quote));
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
      expect(JSON.parse(readFileSync(savedIn(cwd), "utf8")))
        .to.have.property("signed")
        .with.lengthOf(0);
    }).timeout(60_000);
  }

  it("a node that names another chain once it is asked for the transaction: nothing is signed for that chain", async () => {
    const payer = accountOf(0);
    const cwd = cwdOf("chain");
    let isLying = false;
    const proxy = await proxyOf({
      alter: (answer, _, body) =>
        isLying && body.includes("eth_chainId") ? { ...(answer as Answer), result: "0x1" } : answer,
      before: (body) => {
        isLying ||= body.includes("eth_estimateGas");
        return true;
      },
      target: fixture.alpha.info.rpcUrl,
    });
    const { code, err } = await run(payer, cwd, [...flagsOf("ETH"), "--rpc-url", `31337=${proxy.url}`]);
    expect(code).to.equal(1);
    expect(err).to.include("it is for chain 1, not 31337");
    expect(JSON.parse(readFileSync(savedIn(cwd), "utf8")))
      .to.have.property("signed")
      .with.lengthOf(0);
  }).timeout(60_000);

  it("a node that takes the deposit and answers that funds are missing: --resume follows it and pays once", async () => {
    const payer = accountOf(1);
    const cwd = cwdOf("accepts");
    const nonce = await nonceOf(payer);
    const proxy = await proxyOf({
      alter: (answer, _, body) =>
        body.includes("eth_sendRawTransaction")
          ? {
              error: { code: -32_000, message: "insufficient funds for gas * price + value" },
              id: (answer as { id: number }).id,
              jsonrpc: "2.0",
            }
          : answer,
      target: fixture.alpha.info.rpcUrl,
    });
    const emulator = await laggingService();
    const failed = await run(payer, cwd, [...flagsOf("ETH"), "--rpc-url", `31337=${proxy.url}`], {
      emulator,
    });
    expect(failed.code).to.equal(1);
    expect(await nonceOf(payer)).to.equal(nonce + 1);
    const file = savedIn(cwd);
    const text = readFileSync(file, "utf8").replace(
      /"url": "[^"]*",\n {2}"version"/,
      `"url": "${fixture.emulator.info.apiUrl}",\n  "version"`,
    );
    writeFileSync(file, text);
    const resumed = await resume(cwd, file);
    expect(resumed.code, resumed.err).to.equal(0);
    expect(await nonceOf(payer)).to.equal(nonce + 1);
  }).timeout(60_000);

  it("a run that was killed after its deposit, and the quote again before the service saw it: is paid once", async () => {
    const payer = accountOf(2);
    const nonce = await nonceOf(payer);
    const quote = join(cwdOf("killed"), "quote");
    await saveQuote(payer, "ETH", quote);
    let kill: Kill = () => undefined;
    const proxy = await proxyOf({
      after: (body) => {
        if (body.includes("eth_sendRawTransaction")) kill("SIGKILL");
        return true;
      },
      target: fixture.alpha.info.rpcUrl,
    });
    const emulator = await laggingService();
    const args = [...flagsOf("ETH"), "--file", quote];
    await run(payer, cwdOf("killed"), [...args, "--rpc-url", `31337=${proxy.url}`], {
      emulator,
      onStart: (each) => {
        kill = each;
      },
    });
    expect(await nonceOf(payer)).to.equal(nonce + 1);
    const again = await run(payer, cwdOf("again"), [...args, "--for", "5"], { emulator });
    expect(again.code, again.out).to.equal(1);
    expect(again.err).to.include("pays the same already");
    expect(await nonceOf(payer)).to.equal(nonce + 1);
  }).timeout(60_000);

  it("one quote in four folders at once, before the service saw a payment: is paid once", async () => {
    const payer = accountOf(3);
    const nonce = await nonceOf(payer);
    const quote = join(cwdOf("four"), "quote");
    await saveQuote(payer, "ETH", quote);
    const emulator = await laggingService();
    const args = [...flagsOf("ETH"), "--file", quote, "--for", "3"];
    await Promise.all([1, 2, 3, 4].map((i) => run(payer, cwdOf(`four-${i}`), args, { emulator })));
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
    expect(await nonceOf(payer)).to.equal(nonce + 2);
  }).timeout(60_000);
});
