import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, erc20Abi, type Hex, parseUnits } from "viem";
import { getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { type RanCommand, type RunOptions, runWaybill } from "../../helpers/processes/runWaybill.ts";
import { useCommandFolder } from "../../helpers/processes/useCommandFolder.ts";

type Account = { readonly address: Address; readonly privateKey: Hex };

describe("waybill execute", () => {
  const fixture = useEmulator();
  const proxies: AlteringProxy[] = [];
  const { emulatorFile, folder, save } = useCommandFolder(fixture);
  after(() => {
    for (const proxy of proxies) proxy.stop();
  });

  const accountOf = (index: number): Account => fixture.alpha.info.accounts[index] as Account;
  const nonceOf = ({ address }: Account) => fixture.alpha.reader.getTransactionCount({ address });
  /** A working folder of its own, as every run by hand has one. */
  const cwdOf = (name: string): string => {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    return cwd;
  };
  const usdc: readonly string[] = [
    ...["--from", "31337:USDC", "--to", "31338:USDC"],
    ...["--amount", "10", "--min-output", "9"],
  ];
  const run = (
    { address }: Account,
    cwd: string,
    args: readonly string[],
    options: RunOptions = {},
  ): Promise<RanCommand> =>
    runWaybill(["execute", ...args, "--user", address, "--emulator", emulatorFile], { cwd, ...options });
  const resume = (cwd: string, args: readonly string[] = []): Promise<RanCommand> =>
    runWaybill(["execute", "--resume", savedIn(cwd), "--yes", "--emulator", emulatorFile, ...args], { cwd });
  const savedIn = (cwd: string): string => {
    const [name, ...others] = readdirSync(cwd).filter((each) => each.endsWith(".json"));
    expect(others).to.deep.equal([]);
    return join(cwd, name ?? "none");
  };
  /** Saves a quote, as `waybill quote --json` prints it. */
  async function saveQuote({ address }: Account, file: string): Promise<void> {
    const quote = await getQuote(fixture.client, {
      amount: parseUnits("10", 6),
      destinationChainId: 31_338,
      destinationCurrency: fixture.beta.currency("USDC"),
      originChainId: 31_337,
      originCurrency: fixture.alpha.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user: address,
    });
    writeFileSync(file, JSON.stringify(quote));
  }
  async function proxyOf(parameters: Parameters<typeof startAlteringProxy>[0]): Promise<AlteringProxy> {
    const proxy = await startAlteringProxy(parameters);
    proxies.push(proxy);
    return proxy;
  }
  const received = (address: Address) => fixture.beta.balanceOf(fixture.beta.currency("USDC"), address);

  it("a bounded quote with --yes: proves, pays, follows it to success, and leaves no allowance", async () => {
    const cwd = cwdOf("paid");
    const payer = accountOf(0);
    const recipient = `0x${"a1".repeat(20)}` as const;
    const ran = await run(payer, cwd, [...usdc, "--recipient", recipient, "--yes"]);
    expect(ran.code, ran.err).to.equal(0);
    expect(ran.out).to.include("signed by a trusted solver").and.include("the price: at least 9 USDC");
    expect(ran.out).to.match(/ 1\. {2}approve .* may take 10 USDC\n/);
    expect(ran.out).to.match(/^paid {2}request 0x[0-9a-f]{64} {2}0x[0-9a-f]{64}$/m);
    const allowance = await fixture.alpha.reader.readContract({
      abi: erc20Abi,
      address: fixture.alpha.currency("USDC"),
      args: [payer.address, fixture.alpha.info.contracts.depository],
      functionName: "allowance",
    });
    expect(allowance).to.equal(0n);
    expect((await received(recipient)) >= parseUnits("9", 6)).to.equal(true);
    const file = savedIn(cwd);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readFileSync(file, "utf8")).to.not.include(payer.privateKey.slice(2));
  }).timeout(60_000);

  it("--dry-run with --json: prints the plan, needs no key, and signs nothing", async () => {
    const cwd = cwdOf("dry");
    const payer = accountOf(0);
    const nonce = await nonceOf(payer);
    const { code, out } = await run(payer, cwd, [...usdc, "--dry-run", "--json"]);
    expect(code).to.equal(0);
    const plan = JSON.parse(out) as { items: { approval?: object; role: string }[]; type: string };
    expect(plan.type).to.equal("plan");
    expect(plan.items.map(({ role }) => role)).to.deep.equal(["USDC", "depository"]);
    expect(plan.items[0]?.approval).to.include({ amount: "10000000", before: "0" });
    expect(readdirSync(cwd)).to.deep.equal([]);
    expect(await nonceOf(payer)).to.equal(nonce);
  }).timeout(60_000);

  it("a price below the bound, an expired quote and an account without the amount: exit code 1, nothing signed", async () => {
    const cwd = cwdOf("refused");
    const payer = accountOf(2);
    const nonce = await nonceOf(payer);
    const moved = await run(payer, cwd, [...usdc.slice(0, 6), "--min-output", "11", "--yes"]);
    expect(moved.code).to.equal(1);
    expect(moved.err).to.include("details.currencyOut.minimumAmount");
    await saveQuote(payer, join(cwd, "quote"));
    const later = `const {now} = Date; Date.now = () => now() + ${8 * 86_400_000};`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(later)}` };
    const expired = await run(payer, cwd, [...usdc, "--file", "quote", "--yes"], { env });
    expect(expired.code).to.equal(1);
    expect(expired.err).to.include("deadline");
    const poor = await run(payer, cwd, [...usdc.with(5, "99999999"), "--yes"]);
    expect(poor.code, poor.err).to.equal(1);
    expect(await nonceOf(payer)).to.equal(nonce);
    expect(readdirSync(cwd)).to.deep.equal(["quote"]);
  }).timeout(60_000);

  const lies: readonly (readonly [name: string, alter: (text: string) => string])[] = [
    [
      "pays another account",
      (text) =>
        text.replace(
          /("id":"deposit".*?"to":")0x[0-9a-fA-F]{40}/,
          (_, head: string) => `${head}0x${"66".repeat(20)}`,
        ),
    ],
    [
      "approves everything",
      (text) => text.replace(/(0x095ea7b3[0-9a-f]{64})[0-9a-f]{64}/, `$1${"f".repeat(64)}`),
    ],
    [
      "approves another spender",
      (text) => text.replace(/(0x095ea7b3[0-9a-f]{24})[0-9a-f]{40}/, `$1${"66".repeat(20)}`),
    ],
  ];
  for (const [name, alter] of lies) {
    it(`a service whose step ${name}: is refused before anything is signed or saved`, async () => {
      const cwd = cwdOf(name.replaceAll(" ", "-"));
      const payer = accountOf(3);
      const nonce = await nonceOf(payer);
      let lied = 0;
      const proxy = await proxyOf({
        alter: (answer, path) => {
          if (!path.startsWith("/quote")) return answer;
          const text = alter(JSON.stringify(answer));
          lied += Number(text !== JSON.stringify(answer));
          return JSON.parse(text);
        },
        target: fixture.emulator.info.apiUrl,
      });
      const file = save(`${name}.json`, { ...fixture.emulator.info, apiUrl: proxy.url });
      const args = ["execute", ...usdc, "--user", payer.address, "--yes", "--emulator", file];
      const { code, err, out } = await runWaybill(args, { cwd });
      expect({ code, out }, err).to.deep.equal({ code: 1, out: "" });
      expect(err).to.match(/^error: The quote is not what was asked for: [^\n]+\n$/);
      expect(lied).to.equal(1);
      expect(await nonceOf(payer)).to.equal(nonce);
      expect(readdirSync(cwd)).to.deep.equal([]);
    }).timeout(60_000);
  }

  const kills: readonly (readonly [name: string, nth: number, isSent: boolean])[] = [
    ["before the approval is broadcast", 1, false],
    ["after the approval is broadcast, before its answer", 1, true],
    ["before the deposit is broadcast", 2, false],
    ["after the deposit is broadcast, before its answer", 2, true],
  ];
  for (const [name, nth, isSent] of kills) {
    it(`a kill ${name}: --resume sends every step once`, async () => {
      const cwd = cwdOf(`kill-${nth}-${isSent}`);
      const payer = accountOf(4);
      const recipient = `0x${nth}${Number(isSent)}${"b".repeat(38)}` as Address;
      const nonce = await nonceOf(payer);
      let count = 0;
      let kill: (signal: NodeJS.Signals) => void = () => undefined;
      const stopAt = (body: string) => {
        if (!body.includes("eth_sendRawTransaction") || ++count !== nth) return true;
        kill("SIGKILL");
        return false;
      };
      const proxy = await proxyOf({
        ...(isSent ? { after: stopAt } : { before: stopAt }),
        target: fixture.alpha.info.rpcUrl,
      });
      const rpc = ["--rpc-url", `31337=${proxy.url}`];
      const killed = await run(payer, cwd, [...usdc, ...rpc, "--recipient", recipient, "--yes"], {
        onStart: (each) => {
          kill = each;
        },
      });
      expect(killed.code).to.equal("SIGKILL");
      const resumed = await resume(cwd);
      expect(resumed.code, resumed.err).to.equal(0);
      expect(await nonceOf(payer)).to.equal(nonce + 2);
      const paid = await received(recipient);
      expect(paid > 0n).to.equal(true);
      const again = await resume(cwd);
      expect(again.code, again.err).to.equal(0);
      expect(await nonceOf(payer)).to.equal(nonce + 2);
      expect(await received(recipient)).to.equal(paid);
    }).timeout(90_000);
  }

  it("a reader that goes away during the payment: the money arrives, then exit code 141", async () => {
    const cwd = cwdOf("pipe");
    const payer = accountOf(5);
    const recipient = `0x${"c1".repeat(20)}` as Address;
    const nonce = await nonceOf(payer);
    const early = await run(payer, cwdOf("closed"), [...usdc, "--yes"], { closesPipe: true });
    expect(early).to.deep.equal({ code: 141, err: "", out: "" });
    expect(await nonceOf(payer)).to.equal(nonce);
    const args = [...usdc, "--recipient", recipient, "--yes"];
    const { code } = await run(payer, cwd, args, { closesPipeAt: "sending" });
    expect(code).to.equal(141);
    expect(await nonceOf(payer)).to.equal(nonce + 2);
    expect((await received(recipient)) > 0n).to.equal(true);
  }).timeout(90_000);

  it("Ctrl-C between two steps: exit code 130 with how to continue, and --resume pays once", async () => {
    const cwd = cwdOf("interrupted");
    const payer = accountOf(6);
    const recipient = `0x${"d1".repeat(20)}` as Address;
    const nonce = await nonceOf(payer);
    let kill: (signal: NodeJS.Signals) => void = () => undefined;
    const proxy = await proxyOf({
      before: (body) => {
        if (body.includes("eth_sendRawTransaction")) kill("SIGINT");
        return true;
      },
      target: fixture.alpha.info.rpcUrl,
    });
    const args = [...usdc, "--rpc-url", `31337=${proxy.url}`, "--recipient", recipient, "--yes"];
    const stopped = await run(payer, cwd, args, {
      onStart: (each) => {
        kill = each;
      },
    });
    expect(stopped.code).to.equal(130);
    expect(stopped.err)
      .to.include(`--resume ${savedIn(cwd).split("/").at(-1)}`)
      .and.include("Interrupted.");
    expect(await nonceOf(payer)).to.equal(nonce + 1);
    expect((await resume(cwd)).code).to.equal(0);
    expect(await nonceOf(payer)).to.equal(nonce + 2);
    expect((await received(recipient)) > 0n).to.equal(true);
  }).timeout(90_000);

  it("a saved quote, called twice: is paid once, from the same folder and from another", async () => {
    const cwd = cwdOf("twice");
    const payer = accountOf(7);
    const nonce = await nonceOf(payer);
    await saveQuote(payer, join(cwd, "quote"));
    const args = [...usdc, "--file", join(cwd, "quote"), "--yes"];
    const [first, second] = await Promise.all([run(payer, cwd, args), run(payer, cwd, args)]);
    expect([first?.code, second?.code].toSorted()).to.not.deep.equal([0, 0]);
    expect([first?.code, second?.code]).to.include(0);
    const same = await run(payer, cwd, args);
    expect(same.code).to.be.oneOf([1, 2]);
    const other = await run(payer, cwdOf("elsewhere"), args);
    expect(other.code).to.equal(1);
    expect(other.err).to.include("it was paid before");
    expect(await nonceOf(payer)).to.equal(nonce + 2);
  }).timeout(90_000);

  const moments = { "before a signature": "eth_estimateGas", "with signed bytes": "eth_sendRawTransaction" };
  for (const [name, method] of Object.entries(moments)) {
    it(`two processes that continue one file ${name}: it is paid once`, async () => {
      const cwd = cwdOf(method);
      const payer = accountOf(8);
      const nonce = await nonceOf(payer);
      let kill: (signal: NodeJS.Signals) => void = () => undefined;
      const proxy = await proxyOf({
        before: (body) => {
          if (!body.includes(method)) return true;
          kill("SIGKILL");
          return false;
        },
        target: fixture.alpha.info.rpcUrl,
      });
      await run(payer, cwd, [...usdc, "--rpc-url", `31337=${proxy.url}`, "--yes"], {
        onStart: (each) => {
          kill = each;
        },
      });
      const both = await Promise.all([resume(cwd), resume(cwd)]);
      expect(both.map(({ code }) => code)).to.include(0);
      expect(await nonceOf(payer)).to.equal(nonce + 2);
    }).timeout(90_000);
  }
});
