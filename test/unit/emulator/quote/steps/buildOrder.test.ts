import { expect } from "chai";
import { AbiCoder } from "ethers";
import { zeroAddress } from "viem";
import { deriveAccounts } from "../../../../../emulator/chains/accounts.ts";
import type { RouterVersion } from "../../../../../emulator/chains/Chain.ts";
import { readIntent } from "../../../../../emulator/quote/request/readIntent.ts";
import { buildOrder } from "../../../../../emulator/quote/steps/buildOrder.ts";
import { noLeg, type SwapLeg } from "../../../../../emulator/router/SwapLeg.ts";
import { formatOrder } from "../../../../../src/records/formatOrder.ts";
import { hashOrder } from "../../../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../../../src/records/normalizeOrder.ts";
import { orderDataSchema } from "../../../../../src/schema/quote/order.ts";
import type { QuoteRequest } from "../../../../../src/schema/quote/quoteRequest.ts";
import { contracts, fakeChains, recipient, usdc, user } from "../../support/fakeChains.ts";

const coder = AbiCoder.defaultAbiCoder();
const accounts = deriveAccounts();
const amounts = {
  amountIn: 1000n,
  amountOut: 900n,
  appFees: [],
  deposit: 1000n,
  expectedIn: 1000n,
  inventory: 900n,
  maximumInventory: 900n,
  minimumDeposit: 1000n,
  minimumOut: 882n,
  netIn: 950n,
  relayerGas: 40n,
  relayerService: 10n,
};
/** A salt with a zero in front: its hex must keep it. */
const salt = `0x0${"7".repeat(63)}` as const;
const context = { accounts, chains: fakeChains, random32: () => salt };
const now = 1_700_000_000_999;
const times = { expiresAt: now + 60_000, now };

function build(change: Partial<QuoteRequest> = {}, routerVersion: RouterVersion = "v3", fill?: SwapLeg) {
  const request: QuoteRequest = {
    amount: "1000",
    destinationChainId: 31338,
    destinationCurrency: zeroAddress,
    originChainId: 31337,
    originCurrency: usdc.address,
    recipient,
    tradeType: "EXACT_INPUT",
    user,
    ...change,
  };
  const read = readIntent(request, fakeChains);
  const priced = {
    amounts,
    read,
    route: {
      destination: fill ?? noLeg(read.currencyOut),
      origin: noLeg(read.currencyIn),
      via: "depository",
    },
    routerVersion,
  } as const;
  return buildOrder(priced, times, context);
}

describe("buildOrder", () => {
  // @spec order/head order/inputs order/refunds order/output order/fees order/id
  it("a priced bridge: has its amounts, deadlines, router and recipients", async () => {
    const { order, orderId } = await build();
    const deadline = 1_700_000_000 + 7 * 24 * 60 * 60;
    const router = coder.encode(["address"], [contracts.v3.erc20Router]);
    expect(order).to.deep.equal({
      fees: [],
      inputs: [
        {
          payment: { amount: 1000n, chainId: "alpha", currency: usdc.address.toLowerCase(), weight: 1n },
          refunds: [
            {
              chainId: "alpha",
              currency: usdc.address.toLowerCase(),
              deadline,
              extraData: router,
              minimumAmount: 0n,
              recipient: user.toLowerCase(),
            },
            {
              chainId: "beta",
              currency: zeroAddress,
              deadline,
              extraData: router,
              minimumAmount: 0n,
              recipient: user.toLowerCase(),
            },
          ],
        },
      ],
      output: {
        calls: [],
        chainId: "beta",
        deadline: 1_700_000_060,
        extraData: router,
        payments: [
          {
            currency: zeroAddress,
            expectedAmount: 900n,
            minimumAmount: 882n,
            recipient: recipient.toLowerCase(),
          },
        ],
      },
      salt: BigInt(salt),
      solver: accounts.solver.account.address.toLowerCase(),
      solverChainId: "alpha",
      version: "v1",
    });
    expect(orderId).to.equal(hashOrder({ order }));
  });

  it("an origin that is not the first chain: the solver still settles on the first", async () => {
    const { order } = await build({
      destinationChainId: 31337,
      originChainId: 31338,
      originCurrency: zeroAddress,
    });
    expect(order.inputs[0]?.payment.chainId).to.equal("beta");
    expect(order.solverChainId).to.equal("alpha");
  });

  it("an output that the solver swaps for: the destination's refund is in the currency before that swap", async () => {
    const { order } = await build({}, "v3", noLeg(usdc));
    expect(order.output.payments[0]?.currency).to.equal(zeroAddress);
    expect(order.inputs[0]?.refunds.map(({ chainId, currency }) => [chainId, currency])).to.deep.equal([
      ["alpha", usdc.address.toLowerCase()],
      ["beta", usdc.address.toLowerCase()],
    ]);
  });

  // @spec order/calls
  it("calls: are paid to the router, each encoded as three one-member tuples", async () => {
    const { order } = await build({
      refundTo: recipient,
      txs: [{ data: "0x12345678", to: recipient, value: "7" }, { to: user }],
    });
    expect(order.output.payments[0]?.recipient).to.equal(contracts.v3.erc20Router);
    expect(order.inputs[0]?.refunds[0]?.recipient).to.equal(recipient.toLowerCase());
    const decoded = order.output.calls.map((call) =>
      coder.decode(["tuple(address)", "tuple(bytes)", "tuple(uint256)"], call).toArray(true),
    );
    expect(decoded).to.deep.equal([
      [[recipient], ["0x12345678"], [7n]],
      [[user], ["0x"], [0n]],
    ]);
  });

  it("router version v2.1: names the older router", async () => {
    const { order } = await build({ txs: [{ to: user }] }, "v2.1");
    expect(order.output.payments[0]?.recipient).to.equal(contracts.erc20Router);
    expect(order.output.extraData).to.equal(coder.encode(["address"], [contracts.erc20Router]));
  });

  it("an order formatted and parsed again: has the same id", async () => {
    for (const { order, orderId } of [
      await build(),
      await build({ txs: [{ data: "0x12", to: recipient, value: "1" }] }),
    ]) {
      const wire = formatOrder({ order });
      expect(wire.salt).to.equal(salt);
      expect(wire.inputs[0]?.payment.amount).to.equal("1000");
      const orderData = orderDataSchema.parse(JSON.parse(JSON.stringify(wire)));
      expect(hashOrder({ order: normalizeOrder({ orderData }) })).to.equal(orderId);
    }
  });
});
