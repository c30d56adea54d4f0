import { expect } from "chai";
import { mnemonicToAccount } from "viem/accounts";
import { deriveAccounts, testMnemonic } from "../../../emulator/chains/accounts.ts";
import { productionTrust } from "../../../src/calls/verify/productionTrust.ts";
import { encodeOrderCall } from "../../../src/records/orderCall.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { put } from "../../helpers/put.ts";
import { orderPath, payTo, provable, recipient, refusal, signAgain } from "../../helpers/withdrawalProof.ts";

const attacker = mnemonicToAccount(testMnemonic, { addressIndex: 9 });

describe("verifyWithdrawal of orders that the trusted solver signed", () => {
  const fixture = useEmulator({ perps: true });
  const call = encodeOrderCall({ call: { data: "0x", to: recipient, value: 0n } });
  const strange = `0x${"77".repeat(20)}`;
  const currency = `0x${"77".repeat(16)}`;
  const elsewhere = (payment: object) => ({ ...payment, chainId: "alpha", currency: strange });
  // Unit tests of a published order change each of its members: here stand those of the exchange's side.
  for (const [what, path, value, code] of [
    ["another recipient", "output.payments.0.recipient", strange, "QUOTE_RECIPIENT"],
    ["a minimum below the caller's", "output.payments.0.minimumAmount", "23999999", "QUOTE_OUTPUT"],
    ["a call", "output.calls", () => [call], "QUOTE_CALLS"],
    [
      "another origin chain",
      "inputs.0.payment",
      elsewhere,
      "QUOTE_CHAIN QUOTE_CURRENCY QUOTE_REFUND QUOTE_ORDER QUOTE_ORDER",
    ],
    [
      "another paid currency",
      "inputs.0.payment.currency",
      currency,
      "QUOTE_CURRENCY QUOTE_REFUND QUOTE_ORDER",
    ],
    ["a higher input", "inputs.0.payment.amount", "2500000001", "QUOTE_AMOUNT QUOTE_ORDER"],
    ["another refundee", "inputs.0.refunds.0.recipient", strange, "QUOTE_REFUND"],
    ["a refund in another currency", "inputs.0.refunds.0.currency", currency, "QUOTE_REFUND"],
  ] as const) {
    it(`rejects an order of the trusted solver with ${what}`, async () => {
      const parameters = await provable(fixture);
      put(parameters.quote, `${orderPath}.${path}`, value);
      await signAgain(parameters.quote, deriveAccounts().solver.account);
      expect(await refusal(parameters)).to.equal(code);
    });
  }

  it("takes the service's published account for an order of its own solver, and the solver is not paid", async () => {
    const parameters = await provable(fixture);
    const [solver = attacker.address] = productionTrust.solvers;
    put(parameters.quote, `${orderPath}.solver`, solver);
    await signAgain(parameters.quote, deriveAccounts().solver.account);
    const trust = { chains: parameters.trust?.chains ?? [], solvers: [solver] };
    // Only the service has its solver's key: the signature is the one difference that stays.
    payTo(parameters.quote, "0x66CF0aace1b4E562593beC10eC7868Fba9932224");
    expect(await refusal({ ...parameters, trust })).to.equal("QUOTE_SOLVER");
    payTo(parameters.quote, solver);
    expect(await refusal({ ...parameters, trust })).to.equal("QUOTE_SOLVER QUOTE_TARGET QUOTE_TARGET");
  });
});
