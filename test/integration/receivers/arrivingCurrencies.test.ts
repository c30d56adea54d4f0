import { expect } from "chai";
import { type Address, concat, type Hex, pad } from "viem";
import { checkReceiverCurrency } from "../../../src/client/checkReceiverCurrency.ts";
import { getChains, getQuote, getSignature, type Quote } from "../../../src/client/index.ts";
import {
  payByOrder,
  payByRecord,
  placeManagedReceiver,
  placeOrderReceiver,
  placePinnedReceiver,
} from "../../helpers/contracts/paidReceivers.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { fiftyDollars, recipient, type TestSymbol } from "../../helpers/quotes/intents.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

const payer = 3;
const symbols = ["ETH", "USDC", "WETH", "USDT"] as const satisfies readonly TestSymbol[];
const taken: readonly TestSymbol[] = ["ETH", "USDC"];

describe("currencies that arrive through a receiver", () => {
  const fixture = useEmulator();

  for (const side of ["alpha", "beta"] as const) {
    const start = async (symbol: TestSymbol, user?: Address) => {
      const [chain, other] = [fixture[side], fixture[side === "alpha" ? "beta" : "alpha"]];
      const { chains } = await getChains(fixture.client);
      const record = chains.find(({ id }) => id === chain.info.id);
      if (record === undefined) throw new Error("the service names no such chain");
      const [amount, currency] = [BigInt(fiftyDollars(symbol)), chain.currency(symbol) as Address];
      const quote: Quote = await getQuote(fixture.client, {
        amount,
        destinationChainId: other.info.id,
        destinationCurrency: other.currency("USDC"),
        includeProtocolData: true,
        originChainId: chain.info.id,
        originCurrency: currency,
        recipient,
        tradeType: "EXACT_INPUT",
        refundTo: chain.wallet(payer).account.address,
        user: user ?? chain.wallet(payer).account.address,
      });
      const requestId = quote.steps.find((step) => step.requestId !== undefined)?.requestId as Hex;
      return {
        amount,
        chain,
        currency,
        other,
        quote,
        record,
        requestId,
        solver: fixture.emulator.info.solver,
      };
    };
    type Started = Awaited<ReturnType<typeof start>>;

    const payRecordTo = async (
      { amount, chain, currency, other, requestId }: Started,
      receiver: Address,
      policyData: Hex = "0x",
    ) => {
      const { signature } = await getSignature(fixture.client, { requestId });
      const record = { destinationChainId: other.info.id, recipient, requestId };
      const signed = concat([signature as Hex, policyData]);
      await payByRecord(chain, receiver, { amount, currency, payer }, { ...record, signature: signed });
    };
    const payPinned = async (started: Started) =>
      payRecordTo(started, await placePinnedReceiver(started.chain, started.solver, "caller"));
    /** Its owner lists what the solver takes. No co-signer is set, so its data are zeros. */
    const payManaged = async (started: Started) => {
      const { chain, solver } = started;
      const currencies = taken.map((symbol) => chain.currency(symbol) as Address);
      const receiver = await placeManagedReceiver(chain, solver, currencies);
      await payRecordTo(started, receiver, pad("0x", { size: 96 }));
    };
    const payOrder = async ({ amount, chain, currency, quote, solver }: Started) => {
      const receiver = await placeOrderReceiver(chain, solver);
      const { orderData, orderSignature } = quote.protocol?.v2 ?? {};
      if (orderData === undefined) throw new Error("the quote has no order");
      const order = { orderData, signature: orderSignature as Hex };
      await payByOrder(chain, receiver, { amount, currency, payer }, order);
    };

    for (const symbol of symbols.filter((each) => taken.includes(each))) {
      it(`${symbol} from ${side}: the check takes it, and every receiver's deposit is filled`, async () => {
        for (const pay of [payPinned, payManaged, payOrder]) {
          const started = await start(symbol);
          checkReceiverCurrency({ chain: started.record, currency: started.currency });
          await pay(started);
          await reached(fixture.emulator, started.requestId, "success");
        }
      });
    }

    for (const symbol of symbols.filter((each) => !taken.includes(each))) {
      it(`${symbol} from ${side}: the check refuses it, a pinned receiver's deposit is refunded, and others revert`, async () => {
        const started = await start(symbol);
        const { chain, currency, record, requestId } = started;
        const accepted = taken.map((each) => chain.currency(each).toLowerCase());
        let refusal: unknown;
        try {
          checkReceiverCurrency({ chain: record, currency });
        } catch (error) {
          refusal = error;
        }
        expect(refusal).to.include({ chainId: chain.info.id, code: "RECEIVER_CURRENCY" });
        const named = (refusal as { accepted: { address: string }[] }).accepted;
        expect(named.map(({ address }) => address.toLowerCase())).to.have.members(accepted);

        expect(String(await failureOf(payOrder(started)))).to.include("InputCurrencyMismatch");
        expect(String(await failureOf(payManaged(started)))).to.include("CurrencyNotAccepted");
        await payPinned(started);
        const { failReason } = await reached(fixture.emulator, requestId, "refund");
        expect(failReason).to.equal("INCORRECT_DEPOSIT_CURRENCY");
      });
    }

    it(`USDT from ${side}, quoted for the receiver as user: the deposit is refunded as a request of its own`, async () => {
      const { solver } = fixture.emulator.info;
      const receiver = await placePinnedReceiver(fixture[side], solver, "receiver");
      const started = await start("USDT", receiver);
      await payRecordTo(started, receiver);
      const child = await until(async () => {
        const { children } = await historyOf(fixture.emulator, started.requestId);
        return children.find(({ status }) => status === "refund");
      }, "the refund of the deposit");
      expect(child.failReason).to.equal("INCORRECT_DEPOSIT_CURRENCY");
      expect((await historyOf(fixture.emulator, started.requestId)).status).to.equal("waiting");
    });
  }
});
