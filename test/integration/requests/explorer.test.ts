import { expect } from "chai";
import type { Hex } from "viem";
import { getChains } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { sendAs } from "../../helpers/quotes/intents.ts";
import { deposit, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("the explorer", () => {
  const fixture = useEmulator({ reorgs: true });

  async function load(path: string, chainId = fixture.alpha.info.id) {
    const { chains } = await getChains(fixture.client);
    const base = chains.find(({ id }) => id === chainId)?.explorerUrl;
    const answer = await fetch(`${base}${path}`);
    return { answer, page: await answer.text() };
  }

  /** A transaction by the link that clients make of the chain record. */
  async function loadTransaction(hash: Hex, chainId = fixture.alpha.info.id) {
    const { chains } = await getChains(fixture.client);
    const path = chains.find(({ id }) => id === chainId)?.explorerPaths?.transaction ?? "";
    return load(path.replace("{TX_HASH}", hash), chainId);
  }

  it("shows status, value and request of a deposit, and of its fill on the other chain", async () => {
    const quote = await quoteOf(fixture);
    const hash = await deposit(fixture, orderIdOf(quote));
    const { transactions } = await reached(fixture.emulator, idOf(quote), "success");
    const { answer, page } = await loadTransaction(hash);
    expect(answer.status).to.equal(200);
    expect(page).to.include("<td>success</td>").and.include("<td>1 ETH</td>");
    expect(page).to.include(orderIdOf(quote).slice(2));
    expect(page)
      .to.include(`requestId=${idOf(quote)}`)
      .and.include("</code></a> success");
    const fill = await loadTransaction(transactions[0]?.hash ?? "0x", fixture.beta.info.id);
    expect(fill.page).to.include(`requestId=${idOf(quote)}`);
  });

  it("cuts long calldata, escapes an unknown hash, and runs or loads nothing", async () => {
    const script = `<script>alert("x")</script>`;
    const data = `0x${Buffer.from(script.repeat(100)).toString("hex")}` as Hex;
    const hash = await sendAs(fixture.alpha, 0, { data, to: fresh() });
    const { page } = await loadTransaction(hash);
    expect(page).to.not.match(/<script|\son\w+=|\sstyle=|<iframe|<img|@import|url\(/i);
    expect(page.length).to.be.below(20_000);
    const unknown = await load(`/tx/${encodeURIComponent(script)}`);
    expect(unknown.page).to.not.include("<script");
  });

  it("shows an account with its balances and requests, and a token under the link that wallets use", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
    const { page } = await load(`/address/${recipient}`, fixture.beta.info.id);
    expect(page).to.include(`<th scope="row">ETH</th><td>${quote.details.currencyOut.amountFormatted}</td>`);
    expect(page)
      .to.include(`requestId=${idOf(quote)}`)
      .and.include("account without code");
    const token = await load(`/token/${fixture.alpha.currency("USDC")}`);
    expect(token.page).to.include("<td>contract</td>");
  });
});
