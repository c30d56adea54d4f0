import { expect, use } from "chai";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEther,
  zeroAddress,
} from "viem";
import { type GetQuoteParameters, getQuote, type Quote } from "../../../src/client/index.ts";
import { startTestEmulator, type TestEmulator, waybillMatchers } from "../../../testing/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode, setCode } from "../../helpers/localChain.ts";
import { lastTransaction } from "../../helpers/quotes/intents.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";

use(waybillMatchers);

describe("matchers of a test emulator", () => {
  let emulator: TestEmulator;
  before("start the emulator", async () => {
    emulator = await startTestEmulator();
  });
  after("stop the emulator", () => emulator.stop());

  const quoted = ({ recipient = fresh(), ...overrides }: Partial<GetQuoteParameters> = {}) =>
    getQuote(emulator.client, {
      amount: parseEther("1"),
      destinationChainId: emulator.destination.info.id,
      destinationCurrency: zeroAddress,
      originChainId: emulator.origin.info.id,
      originCurrency: zeroAddress,
      recipient,
      tradeType: "EXACT_INPUT",
      refundTo: emulator.origin.wallet(0).account.address,
      user: emulator.origin.wallet(0).account.address,
      ...overrides,
    });
  const pay = (quote: Quote) => emulator.origin.wallet(0).sendTransaction(lastTransaction(quote));
  const paid = async (overrides?: Partial<GetQuoteParameters>) => {
    const quote = await quoted(overrides);
    await pay(quote);
    return quote;
  };
  const refusedFill = async () => {
    const quote = await quoted();
    await setCode(emulator.destination, quote.details.recipient as Address, reverting);
    await pay(quote);
    return quote;
  };

  it("a filled request: is paid once, and is not refunded", async () => {
    const request = emulator.request(await paid());
    await expect(request).to.bePaidOnce();
    await expect(request).not.to.refundWith();
  });

  it("a swap on one chain: is paid once, by the user's own transaction", async () => {
    const chainId = emulator.origin.info.id;
    const destinationCurrency = emulator.origin.currency("USDC");
    const request = emulator.request(await paid({ destinationChainId: chainId, destinationCurrency }));
    await expect(request).to.bePaidOnce();
    const { payments } = await request.settled();
    expect(payments.map(({ kind }) => kind)).to.deep.equal(["own"]);
  });

  it("a payment to a deposit address: is paid once, and its sweep is no payment", async () => {
    const user = fresh();
    const quote = await quoted({ refundTo: user, useDepositAddress: true, user });
    const to = quote.steps[0]?.depositAddress as Address;
    await emulator.origin.wallet(0).sendTransaction({ to, value: parseEther("1") });
    const request = emulator.request(quote);
    await expect(request).to.bePaidOnce();
    const { payments } = await request.settled();
    expect(payments.map(({ kind }) => kind)).to.deep.equal(["fill"]);
  });

  it("a second transaction of the solver that names the request: fails, and is named", async () => {
    const request = emulator.request(await paid());
    await expect(request).to.bePaidOnce();
    const { solver } = emulator.info;
    await askNode(emulator.destination, "hardhat_impersonateAccount", solver);
    const twice = { data: request.id, from: solver, to: fresh(), value: "0x1" };
    const hash = await askNode(emulator.destination, "eth_sendTransaction", twice);
    const error = await failureOf(expect(request).to.bePaidOnce());
    expect(error)
      .to.have.property("message")
      .that.includes("ended in success")
      .and.includes(`unrecorded ${hash} on beta`);
  });

  it("a fill that its recipient rejects: is refunded with the reason, and not with another", async () => {
    const request = emulator.request(await refusedFill());
    await expect(request).to.refundWith("DESTINATION_TOKEN_TRANSFER_REJECTED");
    await expect(request).to.refundWith();
    const [paidOnce, otherReason] = await Promise.all([
      failureOf(expect(request).to.bePaidOnce()),
      failureOf(expect(request).to.refundWith("SLIPPAGE")),
    ]);
    const outcome = "ended in refund (DESTINATION_TOKEN_TRANSFER_REJECTED";
    expect(paidOnce).to.have.property("message").that.includes(outcome).and.includes("with refund 0x");
    expect(otherReason)
      .to.have.property("message")
      .that.includes("with SLIPPAGE, but it")
      .and.includes(outcome);
  });

  it("an account that a fill pays: has something left in it, and another account nothing", async () => {
    const quote = await paid();
    const request = emulator.request(quote);
    await expect(request).to.leaveNothingIn([fresh(), { address: fresh() }, { target: fresh() }]);
    const recipient = quote.details.recipient as Address;
    const error = await failureOf(expect(request).to.leaveNothingIn(recipient));
    expect(error).to.have.property("message").that.includes(`of native currency in ${recipient}`);
  });

  it("a call that leaves an allowance of the router: is named with its spender", async () => {
    const [spender, token] = [fresh(), emulator.destination.currency("USDC")];
    const data = encodeFunctionData({ abi: erc20Abi, args: [spender, 5n], functionName: "approve" });
    const request = emulator.request(
      await paid({ destinationCurrency: token, txs: [{ data, to: token, value: 0n }] }),
    );
    const { erc20Router } = emulator.destination.info.contracts.v3;
    const error = await failureOf(expect(request).to.leaveNothingIn(erc20Router));
    expect(error)
      .to.have.property("message")
      .that.matches(/an allowance of 5 of 0x/);
  });

  it("a subject that is not a request, an unknown id and a quote without one: are named", async () => {
    const id = `0x${"ab".repeat(32)}` as const;
    const failures = await Promise.all([
      failureOf(expect(id).to.bePaidOnce()),
      failureOf(expect(emulator.request(id)).to.bePaidOnce()),
    ]);
    expect(failures.map((error) => (error as Error).message)).to.satisfy(
      ([subject, unknown]: string[]) =>
        subject?.includes("use expect(emulator.request(quote))") && unknown?.includes(`no request ${id}`),
    );
    expect(() => emulator.request({ steps: [] })).to.throw("no step of the quote has a requestId");
  });

  it("a request that does not end in time: throws its last status", async () => {
    const error = await failureOf(emulator.request(await quoted()).settled(50));
    expect(error).to.have.property("lastStatus", "waiting");
  });

  it("a request that is not paid: warns after three seconds, its timeout names faults that did not fire, and a late payment counts", async () => {
    const { faults } = emulator.control;
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    try {
      const quote = await quoted();
      const request = emulator.request(quote);
      await faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId: request.id });
      await faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId: `0x${"ab".repeat(32)}` });
      await faults.add({ kind: "refund-rejected", user: fresh() });
      const late = expect(request).to.bePaidOnce();
      const error = (await failureOf(request.settled(3_300))) as Error;
      expect(error.message).to.include(
        "waiting for a request to end; no deposit has arrived; faults that did not fire for it: fill-fails, refund-rejected.",
      );
      const warning = `The request ${request.id} has no deposit after 3 s: was it paid?`;
      expect(warnings.map(({ message }) => message)).to.deep.equal([warning, warning]);
      await faults.clear();
      await pay(quote);
      await late;
    } finally {
      process.off("warning", onWarning);
      await faults.clear();
    }
  });

  it("a request beside a long log: its timeout names the fault that fired last", async () => {
    const { faults, log } = emulator.control;
    await faults.add({ count: "always", kind: "route-slow", delayMs: 0, path: "/chains" });
    for (let call = 0; call < 110; call++)
      await emulator.fetch(new Request(`${emulator.info.apiUrl}/chains`));
    await faults.clear();
    await faults.add({ delayMs: 3_600_000, kind: "fill-slow" });
    const request = emulator.request(await paid());
    await request.reached("pending");
    const error = (await failureOf(request.settled(50))) as Error;
    expect(error.message).to.include("the fault fill-slow fired for it");
    expect(await log({ requestId: request.id })).to.have.length(1);
    await emulator.time.increase(3_600);
    await expect(request).to.bePaidOnce();
  });

  it("a deposit by another account: the timeout names the child request that refunds it", async () => {
    const { origin } = emulator;
    const quote = await quoted();
    const wallet = origin.wallet(1);
    await wallet.sendTransaction({
      data: encodeFunctionData({
        abi: parseAbi(["function depositNative(address depositor, bytes32 id) payable"]),
        args: [wallet.account.address, quote.protocol?.v2?.orderId as Hex],
      }),
      to: origin.info.contracts.depository,
      value: parseEther("1"),
    });
    const error = (await failureOf(emulator.request(quote).settled(1_500))) as Error;
    expect(error.message).to.match(
      /its child request 0x[0-9a-f]{64} has the status refund \(INVALID_SENDER\)/,
    );
    expect(error.message).not.to.include("no deposit");
  });

  it("a slow fill: reaches pending, its timeout names the fault, and it is paid once the clock moves", async () => {
    await emulator.control.faults.add({ delayMs: 3_600_000, kind: "fill-slow" });
    const request = emulator.request(await paid());
    await request.reached("pending");
    const error = (await failureOf(request.settled(50))) as Error;
    expect(error.message).to.include("the fault fill-slow fired for it");
    await emulator.time.increase(3_600);
    await expect(request).to.bePaidOnce();
    await request.reached("pending");
  });

  it("a request that is refunded: never reaches success, and the error names the end", async () => {
    const error = (await failureOf(emulator.request(await refusedFill()).reached("success"))) as Error;
    expect(error.message).to.match(/ended in refund \([A-Z_]+\) and was never success\.$/);
  });
});
