import { expect } from "chai";
import { zeroAddress } from "viem";
import { getQuote } from "../../../src/client/index.ts";
import { isDocumented, useLedgers } from "../../helpers/ledgers.ts";
import { refusalOf } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { freshSvm, sol, svmUsdc, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

type Overrides = Partial<Parameters<typeof getQuote>[1]>;
type Case = readonly [what: string, quote: () => Promise<unknown>, code: string, status?: number];

describe("quotes that are refused", () => {
  const fixture = useLedgers();

  /** Expects the documented code of each quote, and that no ledger moves. */
  async function expectRefused(cases: readonly Case[]): Promise<void> {
    await fixture.nothingMoves(async () => {
      for (const [what, quote, code, status = 400] of cases) {
        const error = await refusalOf(quote());
        expect([error.errorCode, error.status], what).to.deep.equal([code, status]);
        expect(isDocumented(code), code).to.equal(true);
      }
    });
  }

  const fromSvm = (overrides: Overrides) => () => svmWithdrawal(fixture, overrides);
  const toSvm = (overrides: Overrides) => async () =>
    getQuote(fixture.client, {
      amount: "25000000",
      destinationChainId: 792703809,
      destinationCurrency: svmUsdc.address,
      originChainId: fixture.alpha.info.id,
      originCurrency: fixture.alpha.currency("USDC"),
      recipient: await freshSvm(),
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });

  it("an address of EVM's format in any field of the SVM chain: is refused with its field's code", () => {
    const evm = fresh();
    return expectRefused([
      ["user", fromSvm({ user: evm }), "INVALID_ADDRESS"],
      ["user, in upper case", fromSvm({ user: `0X${evm.slice(2).toUpperCase()}` }), "INVALID_ADDRESS"],
      ["refundTo", fromSvm({ refundTo: evm }), "INVALID_ADDRESS"],
      ["depositFeePayer", fromSvm({ depositFeePayer: evm }), "INVALID_ADDRESS"],
      ["recoveryAddress", fromSvm({ recoveryAddress: evm, useDepositAddress: true }), "INVALID_ADDRESS"],
      [
        "originCurrency",
        fromSvm({ originCurrency: fixture.alpha.currency("USDC") }),
        "INVALID_INPUT_CURRENCY",
      ],
      ["native originCurrency", fromSvm({ originCurrency: zeroAddress }), "INVALID_INPUT_CURRENCY"],
      ["recipient", toSvm({ recipient: evm }), "INVALID_RECIPIENT"],
      [
        "destinationCurrency",
        toSvm({ destinationCurrency: fixture.beta.currency("USDC") }),
        "INVALID_OUTPUT_CURRENCY",
      ],
      ["native destinationCurrency", toSvm({ destinationCurrency: zeroAddress }), "INVALID_OUTPUT_CURRENCY"],
    ]);
  });

  it("an address of the SVM chain on an EVM chain: is refused with its field's code", async () => {
    const svm = (await svmUser()).address;
    await expectRefused([
      ["recipient", fromSvm({ recipient: svm }), "INVALID_RECIPIENT"],
      ["user", toSvm({ user: svm }), "INVALID_ADDRESS"],
      ["refundTo", toSvm({ refundTo: svm }), "INVALID_ADDRESS"],
      ["originCurrency", toSvm({ originCurrency: svmUsdc.address }), "INVALID_INPUT_CURRENCY"],
      ["destinationCurrency", fromSvm({ destinationCurrency: sol.address }), "INVALID_OUTPUT_CURRENCY"],
    ]);
  });
});
