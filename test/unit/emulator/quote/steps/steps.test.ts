import { expect } from "chai";
import { AbiCoder } from "ethers";
import fc from "fast-check";
import { encodeFunctionData, erc20Abi, keccak256, numberToHex, zeroAddress } from "viem";
import { deriveAccounts } from "../../../../../emulator/chains/accounts.ts";
import type { RouterVersion } from "../../../../../emulator/chains/Chain.ts";
import { readIntent } from "../../../../../emulator/quote/request/readIntent.ts";
import { buildOrder, orderHasher } from "../../../../../emulator/quote/steps/buildOrder.ts";
import { approveStep, buildSteps } from "../../../../../emulator/quote/steps/buildSteps.ts";
import { quoteText } from "../../../../../emulator/quote/storedAppFees.ts";
import { serializeStoredQuote } from "../../../../../emulator/requests/StoredQuote.ts";
import { noLeg, type SwapLeg } from "../../../../../emulator/router/SwapLeg.ts";
import { hashOrder } from "../../../../../src/records/hashOrder.ts";
import type { QuoteRequest } from "../../../../../src/schema/quote/quoteRequest.ts";
import { bridgeQuote } from "../../../client/support/samples.ts";
import { anyOrder } from "../../../records/support/orders.ts";
import { contracts, ether, fakeChain, fakeChains, recipient, usdc, user } from "../../support/fakeChains.ts";
import { pricedBridge } from "../../support/pricedBridge.ts";

const requestId = `0x${"a8".repeat(32)}` as const;

const shared = { action: "Confirm transaction in your wallet", depositAddress: "", kind: "transaction" };

/** Twice the base fee of one gwei, and a tip of one. */
const feeCaps = { maxFeePerGas: "3000000000", maxPriorityFeePerGas: "1000000000" };

const payment = { data: "0x49290c1c", gas: 150_000n, to: contracts.depository, value: 7n } as const;

/** A bridge of 1,000 units of USDC by a user with an allowance. */
function tokenBridge(allowance: bigint) {
  const priced = pricedBridge(10n ** 18n);
  const answers = { eth_call: () => numberToHex(allowance, { size: 32 }) };
  const read = { ...priced.read, currencyIn: usdc, origin: fakeChain(31337, "alpha", { answers }) };
  return { ...priced, amounts: { ...priced.amounts, amountIn: 1_000n }, read };
}

/** Data of an approval item for the depository. */
function approval(amount: bigint) {
  const args = [contracts.depository, amount] as const;
  const data = encodeFunctionData({ abi: erc20Abi, args, functionName: "approve" });
  return { chainId: 31337, data, from: user.toLowerCase(), to: usdc.address, value: "0", ...feeCaps };
}

describe("buildSteps", () => {
  // @spec step/fields step/kind step/deposit-address step/item step/incomplete step/transaction step/gas
  // @spec steps/check
  it("a payment in native currency: is one step with one incomplete item and its check", async () => {
    const steps = await buildSteps(pricedBridge(10n ** 18n), requestId, { ...payment, spender: undefined });
    const { data, to } = payment;
    const transaction = { chainId: 31337, data, from: user.toLowerCase(), to, value: "7", ...feeCaps };
    const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" };
    expect(steps).to.deep.equal([
      {
        ...shared,
        description: "Deposit ETH into the depository",
        id: "deposit",
        items: [{ check, data: { ...transaction, gas: "150000" }, status: "incomplete" }],
        requestId,
      },
    ]);
  });

  // @spec step/approval step/approval-fields step/transaction step/item step/ids
  it("a payment in a token without allowance: is an approval without a check, then the payment", async () => {
    const spender = contracts.depository;
    const [approve, pay, ...others] = await buildSteps(tokenBridge(0n), requestId, { ...payment, spender });
    expect(approve).to.deep.equal({
      ...shared,
      description: "Approve USDC for the depository",
      id: "approve",
      items: [{ data: approval(1_000n), status: "incomplete" }],
      requestId,
    });
    expect([pay?.id, others]).to.deep.equal(["deposit", []]);
  });

  // @spec step/ids
  it("a transaction on one chain: is a send, or a swap whose words say whether it wraps", async () => {
    const priced = pricedBridge(10n ** 18n);
    const wordsOf = async (kind: "Send" | "Same-chain Swap" | "Unwrap" | "Wrap") => {
      const leg = { from: ether, path: [ether, usdc], pools: [], to: usdc };
      const destination = kind === "Send" ? priced.route.destination : leg;
      const read = { ...priced.read, currencyOut: usdc, kind };
      const own = { ...priced, read, route: { ...priced.route, destination, via: "self" as const } };
      const [step] = await buildSteps(own, requestId, { ...payment, spender: undefined });
      return [step?.id, step?.description];
    };
    expect(await wordsOf("Send")).to.deep.equal(["send", "Send ETH"]);
    expect(await wordsOf("Same-chain Swap")).to.deep.equal(["swap", "Swap ETH to USDC"]);
    expect(await wordsOf("Wrap")).to.deep.equal(["swap", "Wrap ETH to USDC"]);
    expect(await wordsOf("Unwrap")).to.deep.equal(["swap", "Unwrap ETH to USDC"]);
  });

  it("an allowance: of the payment needs no approval, of one unit less is first set to zero", async () => {
    const approve = (allowance: bigint, promised = 0n) =>
      approveStep(tokenBridge(allowance), requestId, contracts.depository, promised);
    expect(await approve(1_000n)).to.equal(undefined);
    const amountsOf = (step: Awaited<ReturnType<typeof approve>>) => step?.items.map(({ data }) => data);
    expect(amountsOf(await approve(999n))).to.deep.equal([approval(0n), approval(1_000n)]);
    // The approval includes the amounts of earlier, pending payments.
    expect(amountsOf(await approve(1_000n, 5n))).to.deep.equal([approval(0n), approval(1_005n)]);
  });
});

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
});

const hash = orderHasher((digits) => keccak256(`0x${digits}`).slice(2));

describe("orderHasher", () => {
  it("any order, gives the id of hashOrder", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(hash(order)).to.equal(hashOrder({ order }));
      }),
      { numRuns: 100 },
    );
  }).timeout(20_000);
});

const { details, fees, protocol, steps } = bridgeQuote();

const appFeeCurrency = details.currencyIn.currency;

const appFees = [
  { amount: "1", amountFormatted: "0.1", amountUsd: "0.100000", bps: "10", recipient: 'quoted "name" é' },
];

describe("quoteText", () => {
  // @spec quote/shape
  it("writes a quote byte by byte as JSON has it, for the answer and for the record", () => {
    const quote = { details, fees, protocol, steps };
    expect(quoteText(quote, { appFeeCurrency, appFees })).to.deep.equal({
      answer: JSON.stringify({ details, fees, steps, protocol }),
      stored: serializeStoredQuote({ appFeeCurrency, appFees, details, fees, protocol }),
    });
  });
});
