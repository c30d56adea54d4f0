import { expect } from "chai";
import type { Page } from "playwright-core";
import { decodeFunctionData, erc20Abi, type Hex } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import type { Refusal } from "../../../src/guard/index.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { type HostileChange, hostileChanges } from "../../helpers/guard/hostileChanges.ts";
import { sendAs, symbols } from "../../helpers/quotes/intents.ts";
import { attacker, transactionOf } from "../../helpers/quotes/quoteChanges.ts";
import { pressSwap, reportOf, swap } from "./openBrowser.ts";
import type { Report } from "./page/settings.ts";
import { type Pair, useWidget } from "./useWidget.ts";

const accountIndex = 6;

type Wanted = Pair & {
  readonly amount: string;
  readonly side?: "input" | "output";
  /** Requests that reach the wallet. */
  readonly requests: number;
  /** Requests that the person refuses first. */
  readonly refusals?: number;
  /** Whether an older allowance must be reset. */
  readonly isReset?: boolean;
};

const swaps: readonly Wanted[] = [
  { amount: "0.5", from: ["alpha", "ETH"], requests: 1, to: ["beta", "ETH"] },
  { amount: "25.5", from: ["alpha", "USDC"], requests: 2, to: ["beta", "USDC"] },
  { amount: "40", from: ["alpha", "USDT"], isReset: true, requests: 3, to: ["beta", "ETH"] },
  { amount: "0.4", from: ["alpha", "ETH"], refusals: 1, requests: 2, to: ["beta", "USDC"] },
  { amount: "1.25", from: ["alpha", "ETH"], requests: 1, to: ["alpha", "WETH"] },
  { amount: "0.75", from: ["alpha", "WETH"], requests: 1, to: ["alpha", "ETH"] },
  { amount: "0.1", from: ["alpha", "ETH"], requests: 1, to: ["alpha", "USDC"] },
  { amount: "60", from: ["alpha", "ETH"], requests: 1, side: "output", to: ["beta", "USDC"] },
  { amount: "0.2", from: ["beta", "ETH"], requests: 1, to: ["alpha", "ETH"] },
  { amount: "15", from: ["beta", "USDC"], requests: 2, to: ["alpha", "USDT"] },
];

describe("the service's React widget in Chromium, unmodified, with a guarded wallet", () => {
  const { account, fixture, holdingOf, open } = useWidget(accountIndex);

  const openGuarded = (pair: Pair) => {
    const { info } = fixture.emulator;
    return open(pair, { guard: { priced: info.chains, trust: trustOfEmulator(info) } });
  };

  /** What the page knows: requests that reached the wallet, and those that the guard refused. */
  const seenBy = (
    page: Page,
  ): Promise<{ log: { method: string; params?: object[] }[]; refusals: Refusal[] }> =>
    page.evaluate(() => {
      const { refusals, wallet } = globalThis as never as { refusals: Refusal[]; wallet: { log: never[] } };
      return { log: wallet.log, refusals };
    });
  const refuse = (page: Page, requests: number) =>
    page.evaluate((count) => {
      (globalThis as never as { wallet: { person: { refusals: number } } }).wallet.person.refusals = count;
    }, requests);
  const waitForLog = (page: Page, requests: number) =>
    page.waitForFunction(
      (count) => (globalThis as never as { wallet: { log: [] } }).wallet.log.length >= count,
      requests,
    );

  /** Leaves an allowance, which the token wants reset before a new one. */
  async function leaveAllowance({ from, to }: Wanted): Promise<void> {
    const [origin, target] = [fixture[from[0]], fixture[to[0]]];
    const quote = await getQuote(fixture.client, {
      amount: 40_000_000n,
      destinationChainId: target.info.id,
      destinationCurrency: target.currency(to[1]),
      originChainId: origin.info.id,
      originCurrency: origin.currency(from[1]),
      tradeType: "EXACT_INPUT",
      user: account(),
    });
    const { data = "0x" } = transactionOf(quote, 0);
    const { args } = decodeFunctionData({ abi: erc20Abi, data });
    const [spender] = args as readonly [Hex];
    await sendAs(origin, accountIndex, {
      data: erc20Data("approve", spender, 7n),
      to: origin.currency(from[1]),
    });
  }

  for (const [index, wanted] of swaps.entries()) {
    const { amount, from, isReset = false, refusals = 0, requests, side = "input", to } = wanted;
    const how = `${isReset ? ", after a reset of the allowance" : ""}${refusals > 0 ? ", after the person's no" : ""}`;
    it(`swap ${index + 1}: ${amount} of ${from.join(" ")} to ${to.join(" ")}${how}, passes and moves the shown output`, async () => {
      if (isReset) await leaveAllowance(wanted);
      const page = await openGuarded(wanted);
      const had = await holdingOf(to);
      await refuse(page, refusals);
      await swap(page, amount, side);
      if (refusals > 0) {
        await waitForLog(page, refusals);
        await pressSwap(page);
      }
      const report = (await reportOf(page)) as Extract<Report, { kind: "success" }>;
      expect(report).to.have.property("kind", "success");
      const seen = await seenBy(page);
      expect(seen.refusals).to.deep.equal([]);
      expect(seen.log.map(({ method }) => method)).to.deep.equal(
        Array.from({ length: requests }, () => "eth_sendTransaction"),
      );
      const isOutputWithoutGas = to[1] !== "ETH" || to[0] !== from[0];
      if (isOutputWithoutGas) expect((await holdingOf(to)) - had).to.equal(BigInt(report.amountOut));
      await page.close();
    }).timeout(90_000);
  }

  /** The money that a hostile answer is after. */
  const money = () =>
    Promise.all(
      (["alpha", "beta"] as const).flatMap((side) =>
        symbols.flatMap((symbol) => [account(), attacker].map((each) => holdingOf([side, symbol], each))),
      ),
    );

  /** The person switches while the client waits for the chain that the answer names: it looks ten times after the click. */
  const switchDuringSwap = (page: Page, id: number) =>
    page.evaluate(
      (chainId) => {
        type Call = { method: string; params?: unknown[] };
        const { document, wallet } = globalThis as never as {
          document: { addEventListener(type: string, listener: () => void, options: object): void };
          wallet: { request(call: Call): Promise<unknown> };
        };
        const { request } = wallet;
        let looks = Number.NaN;
        document.addEventListener(
          "click",
          () => {
            looks = 0;
          },
          { capture: true },
        );
        wallet.request = async (call) => {
          if (call.method === "eth_chainId" && ++looks === 5)
            await request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
          return request(call);
        };
      },
      `0x${id.toString(16)}`,
    );

  /** Swaps with a hostile answer; ends once the wallet was asked or the guard has refused. */
  async function attack(hostile: HostileChange, isGuarded: boolean) {
    const to = [hostile.sameChain === true ? "alpha" : "beta", hostile.to] as const;
    const page = await (isGuarded ? openGuarded : open)({ from: ["alpha", hostile.from], to });
    await page.route("**/quote/v2", async (route) => {
      const sent = { ...route.request().postDataJSON(), includeProtocolData: true };
      const answer = await route.fetch({ postData: JSON.stringify(sent) });
      const quote = (await answer.json()) as Quote;
      hostile.change(quote, fixture);
      await route.fulfill({ json: quote, response: answer });
    });
    // The person's no keeps the money of the account without a guard.
    await refuse(page, isGuarded ? 0 : 9);
    if (hostile.isOnBeta === true) await switchDuringSwap(page, fixture.beta.info.id);
    await swap(page, hostile.from === "ETH" ? "0.03" : "20", "input");
    await page.waitForFunction(() => {
      const { refusals, wallet } = globalThis as never as { refusals: []; wallet: { log: [] } };
      return refusals.length + wallet.log.length > 0;
    });
    const isPaid = isGuarded && hostile.code === undefined;
    const report = isPaid ? await reportOf(page) : undefined;
    const seen = await seenBy(page);
    await page.close();
    return { ...seen, report };
  }

  for (const hostile of hostileChanges) {
    const { code, name } = hostile;
    const outcome = code === undefined ? "is dropped before the wallet" : "reaches no wallet";
    it(`a hostile change of ${name}: ${outcome}; without the guard, it reaches it`, async () => {
      const before = await money();
      const [naked, guarded] = await Promise.all([attack(hostile, false), attack(hostile, true)]);
      expect(naked.log.map(({ method }) => method)).to.deep.equal(["eth_sendTransaction"]);
      if (code === undefined) {
        expect(guarded.report).to.have.property("kind", "success");
        expect(naked.log[0]?.params?.[0]).to.have.property("maxFeePerGas");
        expect(Object.keys(guarded.log[0]?.params?.[0] ?? {}).sort()).to.deep.equal([
          "chainId",
          "data",
          "from",
          "gas",
          "to",
          "value",
        ]);
        return;
      }
      expect(guarded.log).to.deep.equal([]);
      expect(await money()).to.deep.equal(before);
      expect(guarded.refusals[0]?.differences.map((each) => each.code)).to.include(code);
    }).timeout(60_000);
  }
});
