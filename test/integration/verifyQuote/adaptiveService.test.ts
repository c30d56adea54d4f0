import { expect } from "chai";
import { type Address, createWalletClient, http } from "viem";
import { mnemonicToAccount, toAccount } from "viem/accounts";
import { deployments } from "../../../src/abi/deployments.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { StepRejectedError } from "../../../src/errors/StepRejectedError.ts";
import { type ExecutionState, execute } from "../../../src/execute/index.ts";
import { encodeOrderExtraData } from "../../../src/records/orderCall.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient, requestIdOf } from "../../helpers/quotes/intents.ts";
import { orderOf, paymentOf, requestOf, signatureStep } from "../../helpers/quotes/quoteChanges.ts";
import { resignOrder } from "./hostileQuotes.ts";
import { quoteStage, rootsWith } from "./quoteStage.ts";

/** Attacks on the proof itself, found by reading its code. */
describe("a hostile service that adapts to the proof", () => {
  const fixture = useEmulator();
  const { codesOf, quoted, robbedBy, user } = quoteStage(fixture);

  /** The first user's wallet, which counts the requested signatures. */
  function countingWallet() {
    const asked = { signatures: 0 };
    const account = mnemonicToAccount("test test test test test test test test test test test junk");
    const counting = toAccount({
      ...account,
      signTypedData: async (parameters) => {
        asked.signatures += 1;
        return account.signTypedData(parameters);
      },
    });
    const wallet = createWalletClient({ account: counting, transport: http(fixture.alpha.info.rpcUrl) });
    return { asked, wallet };
  }

  for (const handle of [{ txHash: `0x${"11".repeat(32)}` }, { batchId: "0x12" }] as const) {
    const name = Object.keys(handle).join();
    it(`a saved state that claims a sent appended signature gets no signature, with a ${name}`, async () => {
      const request = requestOf(fixture, "USDC", "USDC");
      const { policy: verify, quote } = await quoted(request);
      for (const step of quote.steps) for (const item of step.items) item.status = "complete";
      const state = {
        appendedSteps: [signatureStep(fixture, quote, "/execute/permits")],
        items: [{ itemIndex: 0, status: "sent", stepIndex: quote.steps.length, ...handle }],
        requestId: requestIdOf(quote),
        version: 1,
      } as unknown as ExecutionState;
      const { asked, wallet } = countingWallet();
      const error = await failureOf(
        execute(fixture.client, { quote, request, state, timeout: 5_000, verify, wallet }),
      );
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "state.items" });
      expect(asked.signatures).to.equal(0);
    });
  }

  it("a trusted guard without code is rejected before the wallet is asked", async () => {
    const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
    const { policy, quote } = await quoted(request);
    const { reader } = fixture.alpha;
    const withGuard = (outputGuard: Address) => ({
      ...policy,
      ...rootsWith(policy, { outputGuard }),
      reader,
    });
    expect(await codesOf(quote, request, withGuard(fixture.alpha.info.contracts.outputGuard))).to.deep.equal(
      [],
    );
    expect(await reader.getCode({ address: deployments.OutputGuard })).to.equal(undefined);
    const verify = withGuard(deployments.OutputGuard);
    expect(await codesOf(quote, request, verify)).to.deep.equal(["QUOTE_UNKNOWN_ROLE"]);
    expect(await robbedBy(quote, request, { verify })).to.be.instanceOf(QuoteMismatchError);
  });

  it("a transaction above the caller's gas limit is not sent, though the quote names no gas", async () => {
    const request = requestOf(fixture, "ETH", "ETH");
    const { policy, quote } = await quoted(request);
    delete paymentOf(quote).gas;
    const error = await robbedBy(quote, request, { verify: { ...policy, maximumGas: 21_500n } });
    expect(error).to.be.instanceOf(StepRejectedError);
    expect((error as StepRejectedError).reason).to.match(/^it needs \d+ gas, above maximumGas, 21500$/);
  });

  it("P8: a request that asks for a longer permit or fill than the policy allows is held to the policy", async () => {
    const permit = requestOf(fixture, "USDC", "USDC", { permitExpiry: 604_800, usePermit: true });
    const signed = await quoted(permit);
    expect(await codesOf(signed.quote, permit, signed.policy)).to.deep.equal([]);
    expect(await codesOf(signed.quote, permit, { ...signed.policy, maximumPermitSeconds: 60 })).to.include(
      "QUOTE_DEADLINE",
    );
    const slow = requestOf(fixture, "USDC", "USDC", { ttl: 604_800 });
    const filled = await quoted(slow);
    expect(await codesOf(filled.quote, slow, filled.policy)).to.deep.equal([]);
    expect(await codesOf(filled.quote, slow, { ...filled.policy, maximumFillSeconds: 600 })).to.deep.equal([
      "QUOTE_DEADLINE",
    ]);
  });

  it("refunds to the recipient are rejected, unless the caller asked for them", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const { policy, quote } = await quoted({ ...request, refundTo: recipient });
    expect(await codesOf(quote, request, policy)).to.deep.equal(["QUOTE_REFUND"]);
    expect(await codesOf(quote, { ...request, refundTo: recipient }, policy)).to.deep.equal([]);
  });

  it("an order whose calls use another router than the paid one is rejected", async () => {
    const { erc20Router, v3 } = fixture.beta.info.contracts;
    const token = fixture.beta.currency("WETH");
    const txs = [{ data: erc20Data("approve", user(), 1n), to: token, value: "0" }];
    const request = requestOf(fixture, "USDC", "ETH", { txs });
    const { policy, quote } = await quoted(request);
    const codesWith = async (paid: Address, filler: Address) => {
      const changed = structuredClone(quote);
      await resignOrder(changed, () => {
        const { order, payment } = orderOf(changed);
        payment.recipient = paid.toLowerCase();
        order.output.extraData = encodeOrderExtraData({ fillContract: filler });
      });
      return codesOf(changed, request, policy);
    };
    expect(await codesWith(erc20Router, v3.erc20Router)).to.deep.equal(["QUOTE_RECIPIENT"]);
    expect(await codesWith(v3.erc20Router, erc20Router)).to.deep.equal(["QUOTE_RECIPIENT"]);
    expect(await codesWith(erc20Router, erc20Router)).to.deep.equal([]);
    expect(await codesWith(v3.erc20Router, v3.erc20Router)).to.deep.equal([]);
  });
});
