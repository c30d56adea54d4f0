import { expect } from "chai";
import type { Hex } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { withdraw, withdrawalQuote } from "../../helpers/perps.ts";
import { postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh, idOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { pay } from "../../helpers/requests/requestRun.ts";
import { payOnSvm, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

const unknownHash = `0x${"cd".repeat(32)}`;

describe("hints of transactions", () => {
  const fixture = useEmulator();
  let requestId: Hex;
  let txHash: Hex;
  before(async () => {
    const quote = await quoteOf(fixture);
    requestId = idOf(quote);
    txHash = await pay(fixture, quote);
  });
  const post = (path: string, body: unknown) => postJson(`${fixture.emulator.info.apiUrl}${path}`, body);

  // @spec endpoints/transactions-index endpoints/transactions-single
  it("a hint accepts chain ids as text and as number", async () => {
    for (const chainId of [31337, "31337"]) {
      const answer = await post("/transactions/index", { chainId, txHash });
      expect([answer.status, await answer.json()]).to.deep.equal([200, { message: "Success" }]);
      const single = await post("/transactions/single", {
        chainId,
        requestId,
        tx: JSON.stringify({ txHash }),
      });
      expect(single.status).to.equal(200);
    }
  });

  it("a hint for an unknown chain or request, or without a transaction, is rejected", async () => {
    for (const [path, body, status] of [
      ["/transactions/index", { chainId: 5, txHash: unknownHash }, 400],
      ["/transactions/index", { chainId: 31337, requestId: unknownHash, txHash: unknownHash }, 404],
      ["/transactions/single", { chainId: 31337, requestId, tx: "nonsense" }, 400],
      ["/transactions/single", { chainId: 31337, requestId, tx: "12" }, 400],
      ["/transactions/single", { chainId: 31337, tx: "{}" }, 400],
    ] as const) {
      const answer = await post(path, body);
      expect(answer.status, JSON.stringify(body)).to.equal(status);
      expect(await answer.json()).to.have.property("message");
    }
  });

  it("a rejected hint has a sentence only: 400 for a malformed hash, 404 for one that the chain does not have", async () => {
    const refusalOf = async (path: string, body: unknown) => {
      const answer = await post(path, body);
      return [answer.status, await answer.json()];
    };
    const malformed = [400, { message: "`txHash` is not a transaction hash" }];
    const unknown = [404, { message: "Transaction not found on chain 31337" }];
    for (const [txHash, refusal] of [
      ["0x12", malformed],
      [`${unknownHash}00`, malformed],
      ["nonsense", malformed],
      [unknownHash, unknown],
      [requestId, unknown],
    ] as const) {
      const tx = JSON.stringify({ txHash });
      const context = { chainId: "31337", requestId };
      expect(await refusalOf("/transactions/index", { chainId: 31337, txHash })).to.deep.equal(refusal);
      expect(await refusalOf("/transactions/single", { ...context, tx })).to.deep.equal(refusal);
    }
  });
});

describe("hints of transactions on chains of other kinds", () => {
  const fixture = useEmulator({ perps: true, svm: true });
  const statusOf = async (chainId: number, txHash: string) =>
    (await postJson(`${fixture.emulator.info.apiUrl}/transactions/index`, { chainId, txHash })).status;

  // @spec endpoints/transactions-index
  it("a signature of the SVM chain and an action of the exchange: are known, each on its own chain", async () => {
    const quote = await svmWithdrawal(fixture, { recipient: fresh() });
    const signature = await payOnSvm(fixture, quote, await svmUser());
    const { deposits } = await withdraw(fixture, await withdrawalQuote(fixture));
    const action = deposits[0]?.txHash ?? "";
    expect(await statusOf(792703809, signature)).to.equal(200);
    expect(await statusOf(1337, action)).to.equal(200);
    expect(await statusOf(1337, `0x${action.slice(2).toUpperCase()}`)).to.equal(200);
    for (const [chainId, txHash, status] of [
      [792703809, signature.replace(/.$/, (last) => (last === "2" ? "3" : "2")), 404],
      [792703809, signature.slice(0, 40), 400],
      [792703809, action, 400],
      [1337, unknownHash, 404],
      [1337, signature, 400],
      [fixture.alpha.info.id, action, 404],
    ] as const) {
      expect(await statusOf(chainId, txHash), `${txHash} on ${chainId}`).to.equal(status);
    }
  });
});
