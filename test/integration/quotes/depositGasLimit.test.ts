import { expect } from "chai";
import { parseUnits } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { carryOut, quoteFor, recipient, refusalOf, type Wanted } from "../../helpers/quotes/intents.ts";

describe("gasLimitForDepositSpecifiedTxs", () => {
  const fixture = useEmulator();

  /** A swap on one chain whose calls the user's own transaction makes. */
  const wanted = (limit: number): Wanted => {
    const token = fixture.alpha.currency("USDC");
    const data = erc20Data("transfer", recipient, parseUnits("1", 6));
    return {
      from: "USDT",
      gasLimitForDepositSpecifiedTxs: limit,
      sameChain: true,
      to: "USDC",
      txs: [{ data, to: token, value: "0" }],
    };
  };

  it("calls of the user's own transaction: the step has this gas limit, and the transaction succeeds", async () => {
    const quote = await quoteFor(fixture, wanted(765_432));
    const step = quote.steps.at(-1);
    const data = step?.kind === "transaction" ? (step.items[0]?.data as { gas?: string }) : undefined;
    expect(data?.gas).to.equal("765432");
    const { status } = await carryOut(fixture, quote);
    expect(status).to.equal("success");
  });

  it("a limit below the gas of the transaction: is refused with DESTINATION_TX_FAILED", async () => {
    expect(await refusalOf(fixture, wanted(60_000))).to.equal("DESTINATION_TX_FAILED");
  });

  it("a limit without calls, across chains or for the solver's fill: is refused by its own code", async () => {
    const code = "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS";
    const asked = wanted(765_432);
    for (const change of [{ txs: [] }, { sameChain: false }, { forceSolverExecution: true }]) {
      expect(await refusalOf(fixture, { ...asked, ...change })).to.equal(code);
    }
    expect(await refusalOf(fixture, wanted(0))).to.equal(code);
  });
});
