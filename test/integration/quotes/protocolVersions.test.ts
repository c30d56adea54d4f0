import { expect } from "chai";
import { deriveAccounts } from "../../../emulator/chains/accounts.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  fiftyDollars,
  finalStatus,
  lastTransaction,
  quoteFor,
  refusalOf,
  requestIdOf,
  sendAs,
} from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

describe("versions of the protocol", () => {
  const fixture = useEmulator();
  const solver = deriveAccounts().solver.account.address;

  for (const symbol of ["ETH", "USDC"] as const) {
    // @spec version/protocol-version
    it(`version 1 with ${symbol}: pays the solver under the requestId, without an order, and is filled`, async () => {
      const { alpha, beta } = fixture;
      const recipient = fresh();
      const quote = await quoteFor(fixture, { from: symbol, protocolVersion: "v1", recipient, to: symbol });
      expect(quote.protocol).to.equal(undefined);
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
      const payment = lastTransaction(quote);
      expect(payment.data.endsWith(requestIdOf(quote).slice(2))).to.equal(true);
      const [before, held] = await Promise.all([
        alpha.balanceOf(alpha.currency(symbol), solver),
        alpha.balanceOf(alpha.currency(symbol), alpha.info.contracts.depository),
      ]);
      await sendAs(alpha, 0, payment);
      expect((await finalStatus(fixture, requestIdOf(quote))).status).to.equal("success");
      expect((await alpha.balanceOf(alpha.currency(symbol), solver)) - before).to.equal(fiftyDollars(symbol));
      expect(await alpha.balanceOf(alpha.currency(symbol), alpha.info.contracts.depository)).to.equal(held);
      const out = BigInt(quote.details.currencyOut.amount);
      expect(await beta.balanceOf(beta.currency(symbol), recipient)).to.equal(out);
    });
  }

  it("version 2: pays the depository under the orderId, as without a version", async () => {
    for (const protocolVersion of ["v2", undefined]) {
      const quote = await quoteFor(fixture, { from: "ETH", protocolVersion, to: "ETH" });
      expect(lastTransaction(quote).to).to.equal(fixture.alpha.info.contracts.depository);
      expect(quote.protocol?.v2?.orderId).to.be.a("string");
    }
  });

  it("version 1 of what a transfer cannot pay, and unknown versions: are refused", async () => {
    const refused = [
      { from: "USDT", protocolVersion: "v1", to: "USDC" },
      { from: "USDC", protocolVersion: "v1", to: "USDC", usePermit: true },
      { from: "ETH", protocolVersion: "v1", to: "ETH", useDepositAddress: true },
      { from: "ETH", protocolVersion: "v3", to: "ETH" },
    ] as const;
    for (const wanted of refused) {
      expect(await refusalOf(fixture, wanted), JSON.stringify(wanted)).to.equal("UNSUPPORTED_EXECUTION_TYPE");
    }
  });
});
