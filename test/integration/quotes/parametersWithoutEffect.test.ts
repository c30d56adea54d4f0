import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { svmUsdc, svmUser } from "../../helpers/svm.ts";

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
