import { expect } from "chai";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { json } from "../client/support/fakeService.ts";
import { bridgeQuote, depositStep, requestId } from "../client/support/samples.ts";
import { codeOf, tryPayment } from "./support/alteredAnswers.ts";
import { submissions } from "./support/attempt.ts";
import { fakeChain } from "./support/fakeChain.ts";
import { approveStep, signatureStep } from "./support/steps.ts";

const stateWith = (more: object) => ({ appendedSteps: [], items: [], requestId, version: 1, ...more });

describe("execute and hostile states and appended steps", () => {
  beforeEach(() => paymentLedger.clear());

  it("a state that calls the payment complete without its hash: is no success", async () => {
    const chain = fakeChain();
    const items = [{ itemIndex: 0, status: "complete", stepIndex: 0 }];
    const { error, status } = await tryPayment(chain, { state: stateWith({ items }) as never });
    expect(chain.sent).to.have.length(0);
    expect(status).to.equal(undefined);
    expect(codeOf(error)).to.equal("INVALID_PARAMETER");
  });

  it("a payment of native currency whose calldata looks like an approval: is paid once", async () => {
    const chain = fakeChain({ allowances: [5n] });
    const [approval] = approveStep().items as unknown as [{ data: { data: string } }];
    const quote = bridgeQuote([depositStep({ data: approval.data.data })]);
    await tryPayment(chain, { quote });
    const again = await tryPayment(chain, { quote });
    expect(codeOf(again.error)).to.equal("PAYMENT_CLAIMED");
    expect(chain.sent).to.have.length(1);
  });

  const permission = {
    domain: {},
    primaryType: "TransferWithAuthorization",
    signatureKind: "eip712",
    types: { TransferWithAuthorization: [] },
    value: {},
  };
  const permitted = () => bridgeQuote([{ ...signatureStep(permission), requestId }]);

  it("a service that takes a permission and appends a step of no kind: the error says that a payment is open", async () => {
    const service = submissions(json({ steps: [{ ...depositStep(), kind: "carrier-pigeon" }] }));
    const { error, saved } = await tryPayment(fakeChain(), { quote: permitted(), service });
    expect(codeOf(error)).to.equal("PAYMENT_UNSETTLED");
    paymentLedger.clear();
    // The request ended well meanwhile, which no later run may learn.
    const again = await tryPayment(fakeChain(), { quote: permitted(), service, state: saved });
    expect(codeOf(again.error)).to.equal("PAYMENT_UNSETTLED");
  });
});
