import { expect } from "chai";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { carryOut, endOf, quoteFor, symbols } from "../../helpers/quotes/intents.ts";
import { policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { newSponsor } from "../../helpers/quotes/sponsors.ts";
import { fresh, idOf, reverting } from "../../helpers/requests/failureStage.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

describe("same-chain requests that the solver executes", () => {
  const fixture = useEmulator();

  for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
    it(`any pair of currencies, ${tradeType}: is deposited, and filled by the solver on the same chain`, async () => {
      const { alpha } = fixture;
      for (const from of symbols) {
        for (const to of symbols) {
          const recipient = fresh();
          const quote = await quoteFor(fixture, {
            forceSolverExecution: true,
            from,
            recipient,
            sameChain: true,
            to,
            tradeType,
          });
          expect(quote.steps.at(-1)?.id).to.equal("deposit");
          expect(quote.protocol?.v2?.orderId).to.have.length(66);
          await carryOut(fixture, quote);
          const held = await alpha.balanceOf(alpha.currency(to), recipient);
          const { amount, minimumAmount } = quote.details.currencyOut;
          expect(held >= BigInt(minimumAmount ?? amount), `${from} ${to}`).to.equal(true);
          const { deposits, transactions } = await historyOf(fixture.emulator, idOf(quote));
          expect([deposits.length, transactions.map(({ kind }) => kind)]).to.deep.equal([1, ["fill"]]);
        }
      }
    }).timeout(60_000);
  }

  it("without the parameter: the user's own transaction does everything, without an order", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", sameChain: true, to: "WETH" });
    expect(quote.steps.at(-1)?.id).to.equal("swap");
    expect(quote).to.not.have.property("protocol");
  });

  it("a recipient that rejects the output: the deposit is refunded", async () => {
    const recipient = fresh();
    const quote = await quoteFor(fixture, {
      forceSolverExecution: true,
      from: "USDC",
      recipient,
      sameChain: true,
      to: "ETH",
    });
    await setCode(fixture.alpha, recipient, reverting);
    expect(await endOf(fixture, quote)).to.include({
      failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED",
      status: "refund",
    });
  });

  it("verifyQuote: proves such a quote by its order, for every pair", async () => {
    for (const from of symbols) {
      for (const to of symbols) {
        const request = { ...requestOf(fixture, from, to, { sameChain: true }), forceSolverExecution: true };
        const quote = await getQuote(fixture.client, request);
        const found = await findQuoteMismatches({ ...policyOf(fixture, quote), quote, request });
        expect(found, `${from} ${to}`).to.deep.equal([]);
      }
    }
  });

  it("a sponsored same-chain swap: goes through the solver, and the sponsor pays its fees", async () => {
    const { as, id } = await newSponsor(fixture, 10n ** 9n);
    const quote = await quoteFor(as, {
      from: "USDC",
      recipient: fresh(),
      sameChain: true,
      subsidizeFees: true,
      to: "USDT",
    });
    expect(quote.steps.at(-1)?.id).to.equal("deposit");
    await carryOut(as, quote);
    const charged = 10n ** 9n - ((await fixture.emulator.control.sponsors.get(id)) ?? 0n);
    expect(charged).to.equal(BigInt(quote.fees.subsidized?.amount ?? 0));
    expect(charged > 0n).to.equal(true);
  });
});
