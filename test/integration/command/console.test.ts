import { expect } from "chai";
import { parseUnits } from "viem";
import { consolePage } from "../../../emulator/http/pages/consolePage.ts";
import { serializeIntent } from "../../../emulator/requests/Intent.ts";
import { getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { endOf, quoteFor, requestIdOf, type Wanted } from "../../helpers/quotes/intents.ts";
import { waitingParts } from "../../unit/emulator/requests/record/support/recordParts.ts";
import { intent, requestRow } from "../../unit/emulator/support/requests.ts";

const recipient = "0x0000000000000000000000000000000000c01501";

describe("the console", () => {
  const fixture = useEmulator();

  async function load(query = ""): Promise<{ answer: Response; page: string }> {
    const answer = await fetch(`${fixture.emulator.info.consoleUrl}${query}`);
    return { answer, page: await answer.text() };
  }

  async function quote(amount: bigint, symbol = "ETH"): Promise<string> {
    const { alpha, beta, client } = fixture;
    const { steps } = await getQuote(
      client,
      bridgeIntent(
        { alpha, beta },
        {
          amount,
          destinationCurrency: beta.currency(symbol),
          originCurrency: alpha.currency(symbol),
          recipient,
        },
      ),
    );
    return steps[0]?.requestId ?? "";
  }

  it("the console answers GET only", async () => {
    const answer = await fetch(fixture.emulator.info.consoleUrl, { method: "POST" });
    expect(answer.status).to.equal(404);
  });

  it("the console's headers forbid every resource that it does not use", async () => {
    const { answer, page } = await load();
    expect(answer.status).to.equal(200);
    expect(answer.headers.get("content-type")).to.match(/^text\/html; charset=utf-8$/i);
    expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
    expect(answer.headers.get("cache-control")).to.equal("no-store");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    expect(policy).to.not.match(/unsafe|https?:|\*|script-src/);
    // The hash in the policy is the one of the style that the page carries.
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    expect(policy).to.include(`'sha256-${Buffer.from(hash).toString("base64")}'`);
    expect(page).to.include('<a href="/docs">');
  });

  it("the console is self-contained: no script, no style attribute, no foreign resource", async () => {
    const { page } = await load();
    expect(page).to.not.match(/<script|\son\w+=|\sstyle=|<iframe|<img|@import|url\(/i);
    for (const [, target] of page.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(target).to.match(/^(data:,|\/|\?)/);
  });

  it("the console lists every contract and currency of every chain", async () => {
    const { page } = await load();
    for (const { contracts, currencies, name, rpcUrl } of fixture.emulator.info.chains) {
      const { v3, ...flat } = contracts;
      for (const address of [...Object.values(flat), ...Object.values(v3)]) expect(page).to.include(address);
      for (const { address, symbol } of currencies) {
        expect(page).to.include(address).and.include(`<th scope="row">${symbol}</th>`);
      }
      expect(page).to.include(rpcUrl).and.include(name);
    }
    expect(page).to.include("v3.erc20Router").and.include("v3.approvalProxy");
  });

  it("the console lists the latest requests with status, amounts and age", async () => {
    const requestId = await quote(parseUnits("12.5", 6), "USDC");
    const { page } = await load();
    const row = page.split("<tr>").find((part) => part.includes(requestId)) ?? "";
    expect(row).to.include("<td>waiting</td>").and.include("<td>12.5 USDC on Alpha, quoted</td>");
    expect(row)
      .to.match(/<td>12\.[0-9]+ USDC on Beta, quoted<\/td>/)
      .and.match(/<time datetime="[^"]+Z">\d+ s<\/time>/);
    expect(row).to.include(`href="/intents/status/v3?requestId=${requestId}"`);
  });

  it("the console shows what was paid, delivered and refunded, in place of what was quoted", async () => {
    const ended: [Wanted, RegExp][] = [
      [{ from: "USDC", to: "USDC" }, /<td>[0-9.]+ USDC on Alpha<\/td>\s*<td>[0-9.]+ USDC on Beta<\/td>/],
      [
        { from: "USDC", referrer: "debug-force-refund", refundTo: recipient, to: "ETH" },
        /<td>[0-9.]+ USDC on Alpha<\/td>\s*<td>[0-9.]+ USDC on Alpha, refunded<\/td>/,
      ],
    ];
    for (const [wanted, cells] of ended) {
      const wantedQuote = await quoteFor(fixture, wanted);
      await endOf(fixture, wantedQuote);
      const { page } = await load();
      const id = requestIdOf(wantedQuote);
      expect(page.split("<tr>").find((part) => part.includes(id))).to.match(cells);
    }
  });

  it("the console escapes all text from the database", async () => {
    const hostile = `"><img src=x onerror=alert(1)>'&`;
    const address = "0x00000000000000000000000000000000000000aa";
    const side = { amount: 1n, chainId: 5, currency: address } as const;
    const request = requestRow({
      created_at: 0,
      destination_chain_id: 5,
      fail_reason: hostile,
      id: hostile,
      intent: serializeIntent({
        ...intent,
        destination: { ...side, minimumAmount: 1n },
        origin: side,
      }),
      order_id: "",
      origin_chain_id: 5,
      recipient: address,
      status: "failure",
      updated_at: 0,
      user: address,
    });
    const page = String(
      await consolePage({
        chains: [],
        isRefreshed: true,
        now: 7_200_000,
        requests: [{ ...waitingParts(), request }],
      }),
    );
    expect(page).to.not.include("<img").and.not.include(hostile);
    expect(page).to.include("&lt;img src=x").and.include("2 h").and.include(`1 of ${address} on chain 5`);
  });
});
