import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { encodeFunctionData, erc20Abi, zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { type RanCommand, runWaybill } from "../../helpers/processes/runWaybill.ts";
import { useCommandFolder } from "../../helpers/processes/useCommandFolder.ts";

const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

type Line = { level: string; message: string; remedy?: string; subject: string };

describe("commands that read", () => {
  const fixture = useEmulator();
  const { emulatorFile, folder, save } = useCommandFolder(fixture);

  const run = (...args: readonly string[]): Promise<RanCommand> =>
    runWaybill([...args, "--emulator", emulatorFile]);
  async function requestOf(scenario: string): Promise<string> {
    const result = await fixture.emulator.scenarios.run(scenario);
    if (result.kind !== "request") throw new Error("the scenario made no request");
    return result.requestId;
  }

  describe("waybill requests", () => {
    it("filters by status: lists what matches, one line each", async () => {
      const id = await requestOf("refund/slippage");
      await requestOf("status/success");
      const { code, err, out } = await run("requests", "--status", "refund", "--term", id);
      expect({ code, err }).to.deep.equal({ code: 0, err: "" });
      const lines = out.trim().split("\n");
      expect(lines.some((line) => line.includes(id))).to.equal(true);
      for (const line of lines) expect(line).to.match(/ refund .*SLIPPAGE$/);
    });

    it("--json and --limit: prints so many whole records, one a line", async () => {
      const id = await requestOf("status/success");
      const { out } = await run("requests", "--json", "--limit", "1", "--term", id);
      expect(out.trim().split("\n")).to.have.length(1);
      expect(JSON.parse(out)).to.include({ id, status: "success" });
    });
  });

  describe("waybill explain", () => {
    it("a fill whose call reverted: replays it and names call, revert and reason", async () => {
      const { code, out } = await run("explain", await requestOf("refund/contract-paused"));
      expect(code).to.equal(0);
      expect(out)
        .to.match(/^reason +CONTRACT_PAUSED$/m)
        .and.match(/^revert +Error\(Pausable: paused\)$/m);
      expect(out).to.match(/^replayed +it fails again$/m);
    });

    it("a forced refund and an underpayment: name the remedy, not a page", async () => {
      const forced = await run("explain", await requestOf("refund/slippage"));
      expect(forced.out).to.match(/^remedy +Accept more slippage, or ask for a new quote\.$/m);
      const short = await run("explain", await requestOf("refund/deposited-amount-too-low-to-fill"));
      expect(short.out).to.match(/^remedy +Pay the whole amount of the quote in one deposit\.$/m);
    });

    it("a filled request: tells the amounts and the transactions, and no failure", async () => {
      const { out } = await run("explain", await requestOf("status/success"), "--json");
      const { failure, record } = JSON.parse(out) as { failure?: unknown; record: { status: string } };
      expect(failure).to.equal(undefined);
      expect(record.status).to.equal("success");
    });
  });

  describe("waybill quote", () => {
    const flags = ["--from", "31337:ETH", "--to", "31338:usdc", "--amount", "0.5", "--user", user];

    it("symbols in any case: shows what is paid and received, and signs nothing", async () => {
      const { code, err, out } = await run("quote", ...flags);
      expect({ code, err }).to.deep.equal({ code: 0, err: "" });
      expect(out)
        .to.match(/^pays +0\.5 ETH on 31337 /)
        .and.match(/^gets +[\d.]+ USDC on 31338 /m);
      expect(out)
        .to.match(/^minimum +[\d.]+ USDC$/m)
        .and.include("Nothing is signed or paid.");
    });

    it("an unknown currency: exits with 2 and names it; a refused quote: exits with 1 and the service's code", async () => {
      const unknown = await run("quote", ...flags.with(1, "31337:DOGE"));
      expect(unknown.code).to.equal(2);
      expect(unknown.err).to.equal("error: Chain 31337 has no currency DOGE that the service lists.\n");
      const refused = await run("quote", ...flags.with(5, "0.000000000000000001"));
      expect(refused.code).to.equal(1);
      expect(refused.err).to.match(/^error: POST .*\/quote\/v2 answered 400 \([A-Z_]+\)\. .+\n$/);
    });
  });

  describe("waybill attest", () => {
    it("a record of the service: explains each field and verifies", async () => {
      const { code, out } = await run("attest", await requestOf("status/waiting"));
      expect(code).to.equal(0);
      expect(out).to.match(/originUser +0x[0-9a-fA-F]{40} +20 bytes, left-padded +0x0{24}/);
      expect(out).to.match(/verified: the solver signed exactly this record\n$/);
    });

    it("another expected signer: exits with 1 and shows the recovered one", async () => {
      const id = await requestOf("status/waiting");
      const { code, out } = await run("attest", id, "--solver", user, "--json");
      expect(code).to.equal(1);
      const { info } = fixture.emulator;
      expect(JSON.parse(out)).to.deep.include({
        mistakes: [],
        signer: info.solver,
        solver: user,
        verified: false,
      });
    });

    it("a quote from stdin: verifies its order; with another amount, names the reason", async () => {
      const flags = ["--from", "31337:ETH", "--to", "31338:ETH", "--amount", "0.5", "--user", user, "--json"];
      const quote = JSON.parse((await run("quote", ...flags)).out);
      const fromStdin = ["attest", "--file", "-", "--emulator", emulatorFile];
      const good = await runWaybill(fromStdin, { input: JSON.stringify(quote) });
      expect(good.code).to.equal(0);
      expect(good.out).to.match(/verified: the solver signed exactly this order\n$/);
      quote.protocol.v2.orderData.output.payments[0].minimumAmount = "1";
      const bad = await run("attest", "--file", save("quote.json", quote));
      expect(bad.code).to.equal(1);
      expect(bad.out).to.include("not verified: the order hashes to another id than the quote names");
    });
  });

  describe("waybill calls", () => {
    const request = {
      amount: "1",
      destinationChainId: 31_338,
      destinationCurrency: zeroAddress,
      recipient: user,
      tradeType: "EXACT_OUTPUT",
      txs: [{ data: "0x", to: user, value: "1" }],
    };

    it("check: exits with 0 without errors, and with 1 and the code of each error", async () => {
      expect((await runWaybill(["calls", "check", save("good.json", request)])).code).to.equal(0);
      const file = save("bad.json", { ...request, amount: "3" });
      const { code, out } = await runWaybill(["calls", "check", file]);
      expect(code).to.equal(1);
      expect(out).to.include("error all calls VALUE_SUM:");
      const json = await runWaybill(["calls", "check", file, "--json"]);
      expect(JSON.parse(json.out)).to.have.nested.property("findings[0].code", "VALUE_SUM");
    });

    it("check: names the field of a file that is no quote request", async () => {
      const { code, err } = await runWaybill([
        "calls",
        "check",
        save("odd.json", { ...request, amount: "1.5" }),
      ]);
      expect(code).to.equal(2);
      expect(err).to.match(/odd\.json: `amount` is invalid: .+\.\n$/);
    });

    it("simulate: exits with 0 if all calls succeed, and with 1 and the revert of the one that fails", async () => {
      const good = await run("calls", "simulate", save("good.json", request));
      expect(good.code, good.err).to.equal(0);
      const router = fixture.beta.info.contracts.v3.erc20Router;
      const [call, spent, received, total, ...rest] = good.out.trim().split("\n");
      expect(call).to.match(/^call 0 succeeds {2}-?\d+ gas$/);
      expect([spent, received]).to.deep.equal([
        `${router} -1 of ${zeroAddress}`,
        `${user} +1 of ${zeroAddress}`,
      ]);
      expect(total).to.match(/^the whole transaction uses \d+ gas$/);
      expect(rest).to.deep.equal([]);
      const usdc = fixture.beta.currency("USDC");
      const data = encodeFunctionData({ abi: erc20Abi, args: [user, 7n], functionName: "transfer" });
      const txs = [{ data, to: usdc, value: "0" }];
      const bad = await run("calls", "simulate", save("bad.json", { ...request, txs }), "--json");
      expect(bad.code).to.equal(1);
      expect(JSON.parse(bad.out)).to.include({ failedIndex: 0 });
    });

    it("simulate: calldata for an address without code, and a token left on the router, exit with 1 and are named", async () => {
      const usdc = fixture.beta.currency("USDC");
      const args = [user, 1n] as const;
      const data = encodeFunctionData({ abi: erc20Abi, args, functionName: "transfer" });
      const empty = [{ data, to: user, value: "1" }];
      const noCode = await run("calls", "simulate", save("empty.json", { ...request, txs: empty }));
      expect(noCode.code).to.equal(1);
      expect(noCode.out).to.match(
        /^call 0 NO_CODE: 0x\w{40} has no code: the call succeeds and does nothing$/m,
      );
      const left = {
        ...request,
        amount: "3",
        destinationCurrency: usdc,
        txs: [{ data, to: usdc, value: "0" }],
      };
      const leftover = await run("calls", "simulate", save("left.json", left));
      expect(leftover.code).to.equal(1);
      expect(leftover.out).to.include(`2 of ${usdc} stays on the router, for anyone to take`);
    });
  });

  describe("waybill status", () => {
    const status = (id: string, ...flags: readonly string[]) =>
      runWaybill(["status", id, "--url", fixture.emulator.info.apiUrl, ...flags]);

    it("a filled request: shows status, chains and transactions", async () => {
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

    it("an unknown request: exits with 1 and the service's code, with and without --watch", async () => {
      for (const flags of [[], ["--watch"]]) {
        const { code, err, out } = await status(`0x${"00".repeat(32)}`, ...flags);
        expect({ code, out }).to.deep.equal({ code: 1, out: "" });
        expect(err).to.include("REQUEST_NOT_FOUND");
      }
    });
  });

  describe("waybill doctor", () => {
    const linesOf = (out: string): readonly Line[] =>
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Line);

    const askedOf = (lines: readonly Line[]) =>
      lines.flatMap(({ level, subject }) => (/^(GET|POST) /.test(subject) ? [`${level} ${subject}`] : []));
    const stored = async () => {
      const { apiKeys, apiUrl } = fixture.emulator.info;
      const headers = { "x-api-key": apiKeys[0]?.key ?? "" };
      const answer = await fetch(`${apiUrl}/requests/v3?includeTotal=true`, { headers });
      return ((await answer.json()) as { total: number }).total;
    };

    it("an emulator: every answer is as documented, its nodes answer, and no request is left behind", async () => {
      await requestOf("status/success");
      const before = await stored();
      const { code, err, out } = await runWaybill(["doctor", "--json", "--emulator", emulatorFile]);
      expect({ code, err }, out).to.deep.equal({ code: 0, err: "" });
      const lines = linesOf(out);
      expect(askedOf(lines)).to.deep.equal([
        "ok GET /chains",
        "ok POST /currencies/v2",
        "ok GET /currencies/token/price/v2",
        "ok GET /config/v2",
        "ok POST /price",
        "ok GET /requests/v3",
        "ok GET /intents/status/v3",
      ]);
      for (const id of [31_337, 31_338]) {
        expect(lines.filter(({ subject }) => subject === `node of chain ${id}`)[0]).to.include({
          level: "ok",
        });
      }
      expect(await stored()).to.equal(before);
    }).timeout(60_000);

    it("--quote: checks a quote too, which the service keeps, and its status", async () => {
      const before = await stored();
      const { code, out } = await runWaybill(["doctor", "--quote", "--json", "--emulator", emulatorFile]);
      expect(code, out).to.equal(0);
      expect(askedOf(linesOf(out)).slice(-3)).to.deep.equal([
        "ok POST /quote/v2",
        "ok GET /requests/v3",
        "ok GET /intents/status/v3",
      ]);
      expect(await stored()).to.equal(before + 1);
    }).timeout(60_000);

    it("an emulator whose clock was advanced: fails, with the difference and the remedy", async () => {
      await fixture.emulator.control.clock.advance(3_600_000);
      const { code, out } = await runWaybill(["doctor", "--emulator", emulatorFile]);
      expect(code).to.equal(1);
      expect(out).to.match(
        /^fail {2}clock: the service's clock is 3[56]\d\d s ahead of this machine's {2}→ restart the emulator/m,
      );
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
        const file = save("drifted.json", { ...fixture.emulator.info, apiUrl: proxy.url });
        const { code, out } = await runWaybill(["doctor", "--quote", "--emulator", file]);
        expect(code).to.equal(1);
        expect(out).to.match(/^warn {2}GET \/chains: undocumented field `moon` {2}→ .+$/m);
        expect(out).to.match(/^fail {2}POST \/price: `details` is not as documented: .+ {2}→ .+$/m);
        expect(out).to.match(/^warn {2}GET \/intents\/status\/v3: undocumented value "paused" of `status`/m);
      } finally {
        proxy.stop();
      }
    }).timeout(60_000);

    it("wrong settings and a node of another chain: fail in one line each, without the key", async () => {
      const config = join(folder, "waybill.config.mjs");
      const key = join(folder, "private.key");
      writeFileSync(key, fixture.alpha.info.accounts[0]?.privateKey ?? "");
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
      expect(out).to.match(/^fail {2}node of chain 7: 127\.0\.0\.1:\d+ is of chain 31337/m);
      expect(out).to.not.include("ac0974bec39a");
      writeFileSync(config, "export default { urll: 1 };");
      const broken = await runWaybill(["doctor", "--config", config]);
      expect(broken.code).to.equal(1);
      expect(broken.out).to.match(/^fail {2}configuration: .*urll.*$/m);
    }).timeout(60_000);
  });
});
