import { expect } from "chai";
import { encodeFunctionData, erc20Abi, numberToHex } from "viem";
import { approveStep, buildSteps } from "../../../../../emulator/quote/steps/buildSteps.ts";
import { contracts, ether, fakeChain, usdc, user } from "../../support/fakeChains.ts";
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

  it("an approval: names its spender", async () => {
    for (const [spender, name] of [
      [contracts.depository, "the depository"],
      [contracts.permit2, "Permit2"],
      [contracts.v3.approvalProxy, "the approval proxy"],
    ] as const) {
      const step = await approveStep(tokenBridge(0n), requestId, spender);
      expect(step?.description).to.equal(`Approve USDC for ${name}`);
    }
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
