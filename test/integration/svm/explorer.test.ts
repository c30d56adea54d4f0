import { expect } from "chai";
import { getChains } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  payOnSvm,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

describe("the explorer of the SVM chain", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  async function load(path: string) {
    const { chains } = await getChains(fixture.client);
    const base = chains.find(({ id }) => id === 792703809)?.explorerUrl;
    const answer = await fetch(`${base}${path}`);
    return { answer, page: await answer.text() };
  }

  it("shows status, changes of balances, logs and request of a deposit, and its user's account", async () => {
    const user = await svmUser();
    const quote = await svmWithdrawal(fixture, { recipient: fresh() });
    const signature = await payOnSvm(fixture, quote, user);
    await reached(fixture.emulator, idOf(quote), "success");
    const { answer, page } = await load(`/tx/${signature}`);
    expect(answer.status).to.equal(200);
    expect(page).to.include(signature).and.include("<td>success</td>").and.include("<td>0.000005 SOL</td>");
    expect(page).to.include("<td>25 USDC</td>").and.include("<td>-25 USDC</td>");
    expect(page)
      .to.include(`requestId=${idOf(quote)}`)
      .and.include("</code></a> success");
    expect(page).to.match(/<caption>Logs<\/caption>[\s\S]*invoke \[1\]/);
    const account = await load(`/address/${user.address}`);
    expect(account.page).to.include(`requestId=${idOf(quote)}`);
    const held = Number(await svmBalance(fixture, user.address, svmUsdc.address)) / 1e6;
    expect(account.page).to.include(`<th scope="row">USDC</th><td>${held}</td>`);
    expect((await load("")).page).to.include(`${fixture.emulator.info.apiUrl}/svm`);
  });

  it("the console: lists chains of each kind, with amounts in their own currencies", async () => {
    const { apiUrl } = fixture.emulator.info;
    const user = await svmUser();
    const quote = await svmWithdrawal(fixture, { recipient: fresh(), user: user.address });
    await payOnSvm(fixture, quote, user);
    const { deposits } = await reached(fixture.emulator, idOf(quote), "success");
    expect(deposits[0]).to.include({ currency: svmUsdc.address, depositor: user.address });
    const page = await (await fetch(fixture.emulator.info.consoleUrl)).text();
    expect(page).to.include("<td>25 USDC on Solana</td>");
    expect(page).to.include(`RPC at\n<code>${apiUrl}/svm</code>`).and.include(svmUsdc.address);
    expect(page).to.include(`API at\n<code>${apiUrl}/perps</code>`);
    for (const id of [fixture.alpha.info.id, 1337, 792703809])
      expect(page).to.include(`href="/explorer/${id}"`);
    expect(page.match(/<caption>Contracts of /g)).to.have.length(2);
  });

  it("escapes what a memo says", async () => {
    const script = "<script>alert(1)</script>";
    const from = await svmUser(1);
    const signature = await transferToSolver(fixture, { amount: 1_000_000n, from, memo: script });
    const { page } = await load(`/tx/${signature}`);
    expect(page).to.include("&lt;script&gt;").and.not.include("<script");
  });

  it("answers 404 with a page for unknown transactions, and for addresses of other chains", async () => {
    const unknown = await freshSvm();
    for (const path of [`/tx/${unknown}`, "/tx/0x12", `/address/${fresh()}`, "/address/none"]) {
      const { answer, page } = await load(path);
      expect(answer.status, path).to.equal(404);
      expect(page, path).to.match(/^<!doctype html>/);
    }
    expect((await load(`/address/${unknown}`)).answer.status).to.equal(200);
  });
});
