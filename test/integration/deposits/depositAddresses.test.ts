import { expect } from "chai";
import { type Address, encodeFunctionData, parseEther, zeroAddress } from "viem";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  fiftyDollars,
  finalStatus,
  lastTransaction,
  recipient,
  refusalOf,
  requestIdOf,
  sendAs,
  type TestSymbol,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { deposit, fresh, orderIdOf, reverting } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("a payment to a deposit address", () => {
  const fixture = useEmulator();
  const { ended, pay, quoteAt, requestsAt } = depositAddressStage(fixture);
  const payerAddress = () => fixture.alpha.wallet(payer).account.address.toLowerCase() as Address;

  for (const strict of [false, true]) {
    for (const symbol of ["ETH", "USDC"] as const satisfies TestSymbol[]) {
      // @spec status/deposit-address
      it(`the quoted amount of ${symbol} to a${strict ? " strict" : "n open"} address, from any account: is filled`, async () => {
        const refundTo = fresh();
        const quote = await quoteAt({ from: symbol, refundTo, strict, to: symbol, user: zeroAddress });
        const { beta, alpha, client } = fixture;
        const before = await beta.balanceOf(beta.currency(symbol), recipient);
        const depository = alpha.info.contracts.depository;
        const held = await alpha.balanceOf(alpha.currency(symbol), depository);
        const txHash = await pay(addressOf(quote), symbol, fiftyDollars(symbol));
        const status = await finalStatus(fixture, requestIdOf(quote));
        expect(status.status).to.equal("success");
        expect(status.depositAddress).to.deep.equal({
          address: addressOf(quote),
          depositAddressType: strict ? "strict" : "open",
          depositor: payerAddress(),
          depositTxHash: txHash,
        });
        const out = BigInt(quote.details.currencyOut.amount);
        expect((await beta.balanceOf(beta.currency(symbol), recipient)) - before).to.equal(out);
        expect(await alpha.balanceOf(alpha.currency(symbol), addressOf(quote))).to.equal(0n);
        expect((await alpha.balanceOf(alpha.currency(symbol), depository)) - held).to.equal(
          fiftyDollars(symbol),
        );
        expect((await getStatus(client, { requestId: requestIdOf(quote) })).inTxHashes).to.have.length(1);
      });
    }
  }

  it("refuses a same-chain wrap, a currency that needs a swap, and a fixed output of an open address", async () => {
    const cases: [Wanted, string][] = [
      [{ from: "ETH", sameChain: true, to: "WETH" }, "UNSUPPORTED_ROUTE"],
      [{ from: "WETH", to: "ETH" }, "UNSUPPORTED_CURRENCY"],
      [{ from: "ETH", to: "ETH", tradeType: "EXACT_OUTPUT" }, "UNSUPPORTED_EXECUTION_TYPE"],
      [{ from: "USDC", to: "USDC", usePermit: true }, "UNSUPPORTED_EXECUTION_TYPE"],
      [{ from: "ETH", refundTo: undefined, strict: true, to: "ETH" }, "INVALID_ADDRESS"],
      [{ from: "ETH", recipient: zeroAddress, to: "ETH" }, "INVALID_RECIPIENT"],
      [
        { from: "ETH", to: "ETH", txs: [{ data: "0x", to: recipient, value: "0" }] },
        "EXTRA_TXS_NOT_SUPPORTED",
      ],
    ];
    for (const [wanted, code] of cases) {
      const asked = { useDepositAddress: true, ...wanted };
      expect(await refusalOf(fixture, asked), JSON.stringify(wanted)).to.equal(code);
    }
  });

  // @spec record-v3/recovery-address record-v3/other-features record-v3/deposit-address
  it("a refund that its recipient rejects: goes to the recovery address", async () => {
    const [refundTo, recoveryAddress] = [fresh(), fresh()];
    await setCode(fixture.alpha, refundTo, reverting);
    const quote = await quoteAt({ from: "ETH", recoveryAddress, refundTo, strict: true, to: "ETH" });
    const depositTxHash = await pay(addressOf(quote), "ETH", fiftyDollars("ETH") - 1n);
    expect((await finalStatus(fixture, requestIdOf(quote))).status).to.equal("refund");
    expect((await fixture.alpha.balanceOf(zeroAddress, recoveryAddress)) > 0n).to.equal(true);
    const [record] = await requestsAt(addressOf(quote));
    expect(record?.depositAddress).to.deep.equal({
      address: addressOf(quote),
      depositor: payerAddress(),
      depositTxHash,
      recoveryAddress,
      type: "strict",
    });
    expect(record?.features).to.include("deposit_address");
    const unpaid = addressOf(await quoteAt({ from: "ETH", to: "ETH" }));
    const nothing = { depositor: null, depositTxHash: null, recoveryAddress: null };
    expect((await requestsAt(unpaid))[0]?.depositAddress).to.deep.equal({
      ...nothing,
      address: unpaid,
      type: "open",
    });
  });

  it("a thousand dust payments: stay at the address, and the next payment is filled", async () => {
    const { alpha } = fixture;
    const quote = await quoteAt({ from: "ETH", to: "ETH" });
    const call = { allowFailure: false, callData: "0x", target: addressOf(quote), value: 1n } as const;
    const data = encodeFunctionData({
      abi: multicall3Abi,
      args: [Array.from({ length: 1_000 }, () => call)],
      functionName: "aggregate3Value",
    });
    await sendAs(alpha, payer, { data, to: alpha.info.contracts.multicall3, value: 1_000n });
    await pay(addressOf(quote), "ETH", fiftyDollars("ETH"));
    expect((await finalStatus(fixture, requestIdOf(quote))).status).to.equal("success");
    expect(await alpha.balanceOf(zeroAddress, addressOf(quote))).to.equal(1_000n);
    expect(await requestsAt(addressOf(quote))).to.have.length(1);
  });

  it("the quote: has one plain transfer to the address, which has no code and no money", async () => {
    const quote = await quoteAt({ from: "ETH", to: "ETH" });
    expect(quote.steps.map(({ id, kind }) => [id, kind])).to.deep.equal([["deposit", "transaction"]]);
    expect(lastTransaction(quote)).to.deep.equal({
      data: "0x",
      to: addressOf(quote),
      value: fiftyDollars("ETH"),
    });
    expect(await fixture.alpha.reader.getCode({ address: addressOf(quote) })).to.equal(undefined);
  });

  describe("an open address", () => {
    it("another amount, then the quoted one: each is filled, the first under an id of its own", async () => {
      const to = fresh();
      const quote = await quoteAt({ from: "ETH", recipient: to, to: "ETH" });
      await pay(addressOf(quote), "ETH", parseEther("0.5"));
      await pay(addressOf(quote), "ETH", fiftyDollars("ETH"));
      const records = await ended(addressOf(quote), 2);
      expect(records.map(({ status }) => status)).to.deep.equal(["success", "success"]);
      expect(records[0]?.id).to.equal(requestIdOf(quote));
      const received = await fixture.beta.balanceOf(zeroAddress, to);
      expect(received > parseEther("0.51")).to.equal(true);
      const outs = records.map(({ data }) =>
        BigInt(data?.route?.actual?.destination?.outputCurrency?.amount ?? 0),
      );
      expect(outs.reduce((a, b) => a + b)).to.equal(received);
    });
  });

  // @spec record-v3/regenerated
  it("the first payment after the quote's end: the request names its successor, which is filled", async () => {
    const { alpha, emulator } = fixture;
    const quote = await quoteAt({ from: "ETH", to: "ETH", ttl: 60 });
    await emulator.control.clock.advance(61_000);
    await pay(addressOf(quote), "ETH", fiftyDollars("ETH"));
    await ended(addressOf(quote), 1);
    const [original, successor] = await requestsAt(addressOf(quote));
    expect([original?.id, original?.status]).to.deep.equal([requestIdOf(quote), "waiting"]);
    expect(successor?.status).to.equal("success");
    expect(original?.supersededByRequestId).to.equal(successor?.id);
    expect(successor?.supersededByRequestId).to.equal(null);
    // A second payment leaves the successor as it is.
    await pay(addressOf(quote), "ETH", fiftyDollars("ETH"));
    await ended(addressOf(quote), 2);
    const [again] = await requestsAt(addressOf(quote));
    expect(again?.supersededByRequestId).to.equal(successor?.id);
    expect(await alpha.balanceOf(zeroAddress, addressOf(quote))).to.equal(0n);
  });

  describe("an open address without refundTo", () => {
    it("a payment that cannot be quoted: is refunded to its sender", async () => {
      const quote = await quoteAt({ from: "ETH", to: "ETH" });
      const { alpha, emulator } = fixture;
      await emulator.control.chains.setHealth(alpha.info.id, { disabled: true });
      const before = await alpha.balanceOf(zeroAddress, payerAddress());
      await pay(addressOf(quote), "ETH", parseEther("1"));
      const [record] = await ended(addressOf(quote), 1);
      await emulator.control.chains.setHealth(alpha.info.id, { disabled: false });
      expect([record?.status, record?.data?.failReason]).to.deep.equal(["refund", "NO_QUOTES"]);
      const lost = before - (await alpha.balanceOf(zeroAddress, payerAddress()));
      expect(lost > 0n && lost < parseEther("0.01")).to.equal(true);
    });
  });

  describe("a strict address", () => {
    it("one ether more: the quote is filled and the excess refunded", async () => {
      const [refundTo, to] = [fresh(), fresh()];
      const quote = await quoteAt({ from: "ETH", recipient: to, refundTo, strict: true, to: "ETH" });
      await pay(addressOf(quote), "ETH", fiftyDollars("ETH") + parseEther("1"));
      const records = await ended(addressOf(quote), 2);
      expect(
        records.map(({ data, id, status }) => [id === requestIdOf(quote), status, data?.failReason]),
      ).to.deep.equal([
        [true, "success", null],
        [false, "refund", "INCORRECT_PAYMENT"],
      ]);
      expect(await fixture.beta.balanceOf(zeroAddress, to)).to.equal(
        BigInt(quote.details.currencyOut.amount),
      );
      const refunded = await fixture.alpha.balanceOf(zeroAddress, refundTo);
      expect(refunded > parseEther("0.99") && refunded < parseEther("1")).to.equal(true);
    });
  });
});

describe("a deposit address whose order an attacker pays at the depository", () => {
  const fixture = useEmulator({ svm: true });
  const { ended, pay, quoteAt } = depositAddressStage(fixture);
  const slow = (requestId: `0x${string}`) =>
    fixture.emulator.control.faults.add({ delayMs: 500, kind: "signed-deposit-slow", requestId });

  it("one wei to an open address, before the sweep: the payer's money is filled under another id", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const quote = await quoteAt({ from: "ETH", recipient, refundTo: fresh(), to: "ETH" });
    const address = addressOf(quote);
    await slow(requestIdOf(quote));
    await pay(address, "ETH", fiftyDollars("ETH"));
    await reached(fixture.emulator, requestIdOf(quote), "depositing");
    await deposit(fixture, orderIdOf(quote), 1n, { payer: 7 });
    const records = await ended(address, 2);
    expect(records.map(({ status }) => status)).to.include("success");
    expect(await alpha.balanceOf(zeroAddress, address)).to.equal(0n);
    expect((await beta.balanceOf(zeroAddress, recipient)) > (fiftyDollars("ETH") * 9n) / 10n).to.equal(true);
  });

  it("the quoted amount to a strict address, before the sweep: the payer's money is refunded", async () => {
    const { alpha } = fixture;
    const refundTo = fresh();
    const quote = await quoteAt({ from: "ETH", refundTo, strict: true, to: "ETH" });
    const address = addressOf(quote);
    await slow(requestIdOf(quote));
    await pay(address, "ETH", fiftyDollars("ETH"));
    await reached(fixture.emulator, requestIdOf(quote), "depositing");
    await deposit(fixture, orderIdOf(quote), fiftyDollars("ETH"), { payer: 7 });
    const records = await ended(address, 2);
    expect(records.map(({ status }) => status)).to.have.members(["success", "refund"]);
    expect(await alpha.balanceOf(zeroAddress, address)).to.equal(0n);
    expect((await alpha.balanceOf(zeroAddress, refundTo)) > (fiftyDollars("ETH") * 9n) / 10n).to.equal(true);
  });
});
