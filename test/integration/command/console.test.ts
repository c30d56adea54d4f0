import { expect } from "chai";
import { parseEther, parseUnits, zeroAddress } from "viem";
import { consolePage } from "../../../emulator/http/pages/consolePage.ts";
import { consoleStyle } from "../../../emulator/http/pages/page.ts";
import { startEmulator } from "../../../emulator/index.ts";
import { serializeIntent } from "../../../emulator/requests/Intent.ts";
import { getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
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

  it("a screen reader finds language, one first heading, captions and scopes in the console", async () => {
    await quote(parseEther("1"));
    const { page } = await load();
    expect(page).to.match(/^<!doctype html>\s*<html lang="en">/);
    expect(page.match(/<h1>/g)).to.have.length(1);
    expect(page.match(/<caption>/g)?.length).to.equal(page.match(/<table>/g)?.length);
    for (const [cell] of page.matchAll(/<th[ >][^>]*>?/g)) expect(cell).to.match(/scope="(col|row)"/);
    for (const element of ["header", "main", "table", "section", "tr", "td", "th", "p", "html"]) {
      const [opened, closed] = [new RegExp(`<${element}[ >]`, "g"), new RegExp(`</${element}>`, "g")];
      expect(page.match(opened)?.length, element).to.equal(page.match(closed)?.length);
    }
  });

  it("every text of the console has a contrast of at least 4.5 to 1, in light and in dark", () => {
    const schemes = [
      ...consoleStyle.matchAll(/--paper: (#\w{6}); --ink: (#\w{6}); --muted: (#\w{6});.*--link: (#\w{6})/g),
    ];
    expect(schemes).to.have.length(2);
    for (const [, paper = "", ...inks] of schemes) {
      for (const ink of inks) expect(contrast(ink, paper), `${ink} on ${paper}`).to.be.greaterThan(4.5);
    }
  });

  it("the console refreshes itself, unless the reader pauses it", async () => {
    const refreshed = await load();
    expect(refreshed.page)
      .to.include('<meta http-equiv="refresh" content="5">')
      .and.include('href="?refresh=off"');
    const still = await load("?refresh=off");
    expect(still.page).to.not.include("http-equiv");
    expect(still.page).to.include('href="?"');
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
    expect(row).to.include("<td>waiting</td>").and.include("<td>12.5 USDC on Alpha</td>");
    expect(row)
      .to.match(/<td>12\.[0-9]+ USDC on Beta<\/td>/)
      .and.match(/<time datetime="[^"]+Z">\d+ s<\/time>/);
    expect(row).to.include(`href="/intents/status/v3?requestId=${requestId}"`);
  });

  it("the console lists at most fifty requests, newest first", async () => {
    let at = 1_700_000_000_000;
    const emulator = await startEmulator({ chainPorts: [0, 0], now: () => ++at, port: 0 });
    const [alpha, beta] = emulator.info.chains;
    const body = JSON.stringify({
      amount: parseEther("1").toString(),
      destinationChainId: beta?.id,
      destinationCurrency: zeroAddress,
      originChainId: alpha?.id,
      originCurrency: zeroAddress,
      recipient,
      tradeType: "EXACT_INPUT",
      user: recipient,
    });
    const ids: string[] = [];
    for (let count = 0; count < 52; count++) {
      const answer = await emulator.fetch(new Request("http://localhost/quote/v2", { body, method: "POST" }));
      ids.push(((await answer.json()) as { steps: { requestId: string }[] }).steps[0]?.requestId ?? "");
    }
    const page = await (await emulator.fetch(new Request("http://localhost/console"))).text();
    await emulator.stop();
    const shown = [...page.matchAll(/<code>(0x[0-9a-f]{64})<\/code>/g)].map(([, id]) => id);
    expect(shown).to.deep.equal(ids.reverse().slice(0, 50));
  });

  it("without requests the console says that there are none", async () => {
    const page = String(await consolePage({ chains: [], isRefreshed: false, now: 0, requests: [] }));
    expect(page).to.include("There are none yet");
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
      await consolePage({ chains: [], isRefreshed: true, now: 7_200_000, requests: [request] }),
    );
    expect(page).to.not.include("<img").and.not.include(hostile);
    expect(page).to.include("&lt;img src=x").and.include("2 h").and.include(`1 of ${address} on chain 5`);
  });
});

/** Ratio of the relative luminances of two colours, as the accessibility guidelines define it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
