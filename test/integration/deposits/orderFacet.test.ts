import { expect } from "chai";
import { type Address, decodeErrorResult, type Hex, zeroAddress } from "viem";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import type { Quote } from "../../../src/client/index.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import { orderDataSchema } from "../../../src/schema/quote/order.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { deploy, gained } from "../../helpers/localChain.ts";
import { finalStatus, quoteFor, recipient, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";

const FACET = "mocks/LocalOrderFacet";

/** Order, its signature and its first payment, from a quote with `includeProtocolData`. */
function readOrder(quote: Quote) {
  const protocol = quote.protocol?.v2;
  const order = normalizeOrder({ orderData: orderDataSchema.parse(protocol?.orderData) });
  const [input] = order.inputs;
  const [payment] = order.output.payments;
  if (input === undefined || payment === undefined) throw new Error("the order has not the published form");
  return { order, payment, input: input.payment, signature: protocol?.orderSignature as Hex };
}

describe("deposits through the example facet", () => {
  const fixture = useEmulator();
  let facet: Address;

  before("deploy the facet", async () => {
    const { alpha, emulator } = fixture;
    facet = await deploy(alpha, FACET, [
      alpha.info.contracts.depository,
      emulator.info.solver,
      alpha.info.contracts.erc20Router,
      emulator.info.solver,
    ]);
  });

  function send(quote: Quote, receiver: Address) {
    const { alpha, beta } = fixture;
    const { order, payment, input, signature } = readOrder(quote);
    const user = alpha.wallet(0);
    const asset = input.currency as Address;
    const bridge = {
      asset,
      minAmount: input.amount,
      destinationChainId: BigInt(beta.info.id),
      receiver,
      outputAsset: payment.currency,
      minOutput: payment.minimumAmount,
      refundTo: user.account.address,
      depositor: user.account.address,
    };
    return alpha.reader.simulateContract({
      abi: readArtifact(FACET).abi,
      account: user.account,
      address: facet,
      args: [bridge, order, signature],
      functionName: "deposit",
      value: asset === zeroAddress ? input.amount : 0n,
    });
  }

  for (const symbol of ["ETH", "USDC"] as const) {
    it(`a quote's order in ${symbol} is checked by the facet, deposited and filled to the receiver`, async () => {
      const { alpha, beta } = fixture;
      const quote = await quoteFor(fixture, { from: symbol, includeProtocolData: true, to: symbol });
      const { input, payment } = readOrder(quote);
      if (symbol === "USDC") {
        await sendAs(alpha, 0, {
          data: erc20Data("approve", facet, input.amount),
          to: alpha.currency("USDC"),
        });
      }
      const got = await gained(beta, beta.currency(symbol), recipient, async () => {
        const { request } = await send(quote, recipient);
        await alpha
          .wallet(0)
          .writeContract(request as Parameters<ReturnType<typeof alpha.wallet>["writeContract"]>[0]);
        expect((await finalStatus(fixture, requestIdOf(quote))).status).to.equal("success");
      });
      expect(got >= payment.minimumAmount).to.equal(true);
    });
  }

  it("an order that the service made for another receiver is refused before any money moves", async () => {
    const quote = await quoteFor(fixture, { from: "ETH", includeProtocolData: true, to: "ETH" });
    const stranger = fixture.alpha.wallet(5).account.address;
    const refusal = await send(quote, stranger).then(
      () => undefined,
      (error: { walk: (find: (each: unknown) => boolean) => { raw?: Hex; data?: { raw?: Hex } } }) =>
        error.walk((each) => (each as { raw?: Hex }).raw !== undefined).raw,
    );
    const { errorName } = decodeErrorResult({ abi: readArtifact(FACET).abi, data: refusal ?? "0x" });
    expect(errorName).to.equal("RecipientDiffers");
  });
});
