import { expect } from "chai";
import { parseUnits } from "viem";
import { deriveAccounts } from "../../../emulator/chains/accounts.ts";
import {
  findIgnoredParameters,
  type GetQuoteParameters,
  getQuote,
  type Quote,
} from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { bridgeIntent, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import {
  carryOut,
  fiftyDollars,
  finalStatus,
  lastTransaction,
  quoteFor,
  recipient,
  refusalOf,
  requestIdOf,
  sendAs,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { svmUsdc, svmUser } from "../../helpers/svm.ts";

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

describe("findIgnoredParameters", () => {
  let plain: GetQuoteParameters;
  const fixture = useEmulator();
  before(async () => {
    plain = bridgeIntent(fixture);
  });

  const codesOf = (request: GetQuoteParameters, quote?: Quote) =>
    findIgnoredParameters({ quote, request }).map(({ code, parameter }) => `${code} ${parameter}`);
  const feesOf = (...fees: string[]) =>
    fees.map((fee) => ({ fee, recipient: fixture.alpha.wallet(1).account.address }));

  it("finds app fees that are not collected, even one of several, and not when all are zero", async () => {
    const quote = await getQuote(fixture.client, plain);
    expect(codesOf({ ...plain, appFees: feesOf("0", "1") }, quote)).to.deep.equal(["APP_FEES appFees"]);
    expect(codesOf({ ...plain, appFees: feesOf("0") }, quote)).to.deep.equal([]);
    const { app: _, ...fees } = quote.fees;
    expect(codesOf({ ...plain, appFees: feesOf("1") }, { ...quote, fees })).to.deep.equal([
      "APP_FEES appFees",
    ]);
    // Unknown before there is a quote.
    expect(codesOf({ ...plain, appFees: feesOf("1") })).to.deep.equal([]);
  });

  it("finds a sponsorship that sponsors nothing, and a cap that sponsors all or nothing", async () => {
    const quote = await getQuote(fixture.client, plain);
    const sponsored = { ...plain, subsidizeFees: true };
    expect(codesOf(sponsored, quote)).to.deep.equal(["SPONSORSHIP subsidizeFees"]);
    const paid = { ...quote, fees: { ...quote.fees, subsidized: quote.details.currencyIn } };
    expect(codesOf(sponsored, paid)).to.deep.equal([]);
    const capped = { ...plain, maxSubsidizationAmount: "1000000" };
    expect(codesOf(capped)).to.deep.equal([]);
    expect(codesOf({ ...capped, useDepositAddress: true })).to.deep.equal([
      "SPONSORSHIP_CAP maxSubsidizationAmount",
    ]);
  });
});

type Body = Readonly<Record<string, unknown>>;

describe("parameters without effect", () => {
  let payer: string;
  const fixture = useEmulator({ svm: true });
  // The order's deadlines are those of the quote's second.
  before(async () => {
    await fixture.emulator.control.clock.freeze();
    payer = (await svmUser()).address;
  });

  const user = () => fixture.alpha.wallet(1).account.address;
  const values: Readonly<Record<string, () => Body>> = {
    additionalData: () => ({ additionalData: { userPublicKey: "03".repeat(33) } }),
    disableSwapProviderPreference: () => ({ disableSwapProviderPreference: true }),
    latePaymentSlippageTolerance: () => ({ latePaymentSlippageTolerance: "700" }),
    maxRouteLength: () => ({ maxRouteLength: 1 }),
    referrerAddress: () => ({ referrerAddress: user() }),
    "refundOnOrigin false": () => ({ refundOnOrigin: false }),
    "refundOnOrigin true": () => ({ refundOnOrigin: true }),
    "strict without useDepositAddress": () => ({ strict: true }),
    useFallbacks: () => ({ useFallbacks: true }),
    useSharedAccounts: () => ({ useSharedAccounts: true }),
  };
  const routes: Readonly<Record<string, () => Body>> = {
    bridge: () => bridgeIntent(fixture),
    "from the SVM chain": () => ({
      ...bridgeIntent(fixture),
      amount: "25000000",
      destinationCurrency: fixture.beta.currency("USDC"),
      originChainId: 792_703_809,
      originCurrency: svmUsdc.address,
      refundTo: payer,
      user: payer,
    }),
    swap: () =>
      bridgeIntent(fixture, {
        amount: 10n ** 7n,
        destinationCurrency: fixture.beta.currency("USDC"),
        tradeType: "EXPECTED_OUTPUT",
      }),
  };

  /** A quote without what names this one quote: its identifiers and salt. */
  async function quoteOf(body: Body): Promise<unknown> {
    const answer = await postJson(`${fixture.emulator.info.apiUrl}/quote/v2`, body);
    const quote = (await answer.json()) as {
      protocol: { v2: { orderData: { salt: string }; orderId: string } };
      steps: readonly { requestId: string }[];
    };
    expect(answer.status, JSON.stringify(quote)).to.equal(200);
    const { orderData, orderId } = quote.protocol.v2;
    const ids = [quote.steps[0]?.requestId ?? "", orderId, orderData.salt];
    const text = ids.reduce(
      // A memo has the text of the identifier, as bytes.
      (all, id, index) =>
        all
          .replaceAll(id.replace("0x", ""), `id ${index}`)
          .replaceAll(Buffer.from(id).toString("hex"), `text of id ${index}`),
      JSON.stringify(quote),
    );
    return JSON.parse(text);
  }

  for (const [route, intent] of Object.entries(routes)) {
    for (const [name, parameter] of Object.entries(values)) {
      it(`${name}, ${route}: the quote is the same as without it`, async () => {
        const plain = await quoteOf(intent());
        expect(await quoteOf({ ...intent(), ...parameter() })).to.deep.equal(plain);
      });
    }

    it(`a parameter with effect, ${route}: the quote differs`, async () => {
      const plain = await quoteOf(intent());
      expect(await quoteOf({ ...intent(), appFees: [{ fee: "10", recipient: user() }] })).to.not.deep.equal(
        plain,
      );
    });
  }
});

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
