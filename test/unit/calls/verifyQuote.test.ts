import { expect } from "chai";
import {
  findQuoteMismatches,
  productionTrust,
  type TrustRoots,
  verifyQuote,
} from "../../../src/execute/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, intent, user } from "../client/support/samples.ts";

const quote = bridgeQuote();
const request = { ...intent, amount: 10n ** 16n } as never;

describe("verifyQuote", () => {
  it("without trust roots of the quote's chains, names the chains that are trusted and `trust`", async () => {
    const named = productionTrust.chains.map(({ chainId }) => chainId).join();
    const found = await findQuoteMismatches({ minimumOutput: 1n, quote, request });
    const chains = found.filter(({ code }) => code === "QUOTE_UNKNOWN_CHAIN");
    expect(chains.map(({ expected }) => expected)).to.deep.equal([
      `one of \`trust\` (${named})`,
      `one of \`trust\` (${named})`,
    ]);
  });

  it("given trust roots without a list of chains, names that list", async () => {
    const trust = { solvers: [user] } as unknown as TrustRoots;
    const error = await rejectionOf(verifyQuote({ minimumOutput: 1n, quote, request, trust }));
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "trust.chains" });
    expect(error).to.have.property("message").which.includes("expected array");
  });
});
