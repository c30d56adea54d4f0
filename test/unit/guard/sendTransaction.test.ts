import { expect } from "chai";
import { PaymentClaimedError } from "../../../src/errors/PaymentClaimedError.ts";
import { claimPayment, releasePayment } from "../../../src/execute/paymentLedger.ts";
import type { ProviderRequest, RefusedRequestError } from "../../../src/guard/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { depository, token, txHash, user } from "../client/support/samples.ts";
import { now, requestIdOf, type Sample, tokenSample, wrapSample } from "./support/quotes.ts";
import { callOf, failOnce, guarded, send, signedTransaction, until, walletError } from "./support/wallet.ts";

const refusalOf = async (asked: Promise<unknown>) => (await rejectionOf(asked)) as RefusedRequestError;
const reasonOf = async (asked: Promise<unknown>) => (await refusalOf(asked)).message;

describe("guardProvider: eth_sendTransaction", () => {
  let [quote, other]: Sample[] = [];
  before(async () => {
    [quote, other] = [await tokenSample(), await tokenSample("other")];
  });
  const known = () => [quote as Sample];

  it("the items of a proven quote, in order, reach the wallet with the proven gas and an explicit chain", async () => {
    const { log, provider } = await guarded(known());
    expect(await send(provider, callOf(quote as Sample))).to.equal(txHash);
    expect(await send(provider, callOf(quote as Sample, 1))).to.equal(txHash);
    const sent = log.map(({ params }) => (params as [Record<string, unknown>])[0]);
    expect(sent).to.deep.equal([
      { ...callOf(quote as Sample), chainId: "0x7a69", gas: "0xea60" },
      { ...callOf(quote as Sample, 1), chainId: "0x7a69", gas: "0x186a0" },
    ]);
    expect(sent[1]).to.include({ to: depository });
  });

  it("letter case, number form, a missing value and `input` make no difference", async () => {
    const forms: ((call: Record<string, unknown>) => object)[] = [
      ({ data, from, to }) => ({ data, from: String(from).toLowerCase(), to: String(to).toLowerCase() }),
      ({ data, ...call }) => ({ ...call, data: `0x${String(data).slice(2).toUpperCase()}`, value: "0" }),
      ({ data, ...call }) => ({ ...call, input: data, value: 0 }),
      (call) => ({ ...call, chainId: "31337", input: call.data, value: 0n }),
      (call) => ({ ...call, chainId: 31337, value: null }),
    ];
    for (const form of forms) {
      const { log, provider } = await guarded([await tokenSample(`form ${forms.indexOf(form)}`)]);
      await send(provider, form(callOf(quote as Sample)));
      expect(log).to.have.length(1);
    }
  });

  it("fees, nonce, authorizations, blobs, gas and unknown fields of the app do not reach the wallet", async () => {
    const { log, provider } = await guarded([await tokenSample("fields")]);
    const fees = {
      gasPrice: "0xe8d4a51000",
      maxFeePerGas: "0xe8d4a51000",
      maxPriorityFeePerGas: "0xe8d4a51000",
    };
    const more = {
      accessList: [],
      authorizationList: [{}],
      blobs: ["0x"],
      gas: "0xffffff",
      nonce: "0x5",
      odd: 1,
      type: "0x4",
    };
    await send(provider, { ...callOf(quote as Sample), ...fees, ...more });
    const [sent] = (log[0]?.params ?? []) as [object];
    expect(Object.keys(sent).sort()).to.deep.equal(["chainId", "data", "from", "gas", "to", "value"]);
    expect(sent).to.include({ gas: "0xea60" });
  });

  it("a change of sender, chain, target, calldata or value is refused with 4100, and the callback gets the reason", async () => {
    const changes: Record<string, unknown>[] = [
      { from: token },
      { chainId: "0x7a6a" },
      { to: depository },
      { data: `${callOf(quote as Sample).data}00` },
      { data: `${callOf(quote as Sample).data}`.replace("16e360", "16e361") },
      { value: "0x1" },
      { input: "0x1234" },
      { value: "much" },
      { to: undefined },
      { from: undefined },
    ];
    for (const change of changes) {
      const { log, provider, refusals } = await guarded(known());
      const error = await refusalOf(send(provider, { ...callOf(quote as Sample), ...change }));
      expect(error, JSON.stringify(change)).to.include({ code: 4100, name: "RefusedRequestError" });
      // The widget closes without a word when it reads "rejected".
      expect(error.message).not.to.match(/reject/i);
      expect(refusals).to.have.length(1);
      expect(log).to.deep.equal([]);
    }
  });

  it("an item of an unproven quote is refused with the quote's differences", async () => {
    const hostile = structuredClone(quote as Sample);
    Object.assign(hostile.quote.steps[1]?.items[0]?.data as object, { to: token });
    const { guard, log, provider, refusals } = await guarded([]);
    const { differences: found } = await guard.add(hostile);
    expect(found.map(({ code }) => code)).to.include("QUOTE_TARGET");
    for (const stepIndex of [0, 1]) await rejectionOf(send(provider, callOf(hostile, stepIndex)));
    expect(refusals.map(({ reason }) => reason)).to.deep.equal([
      "its quote is not proven",
      "its quote is not proven",
    ]);
    expect(refusals[1]?.differences).to.deep.equal(found);
    expect(log).to.deep.equal([]);
  });

  it("the bytes that were proven reach the wallet, though the page changes its object afterwards", async () => {
    const { log, provider } = await guarded([await tokenSample("getter")]);
    let reads = 0;
    const honest = callOf(quote as Sample);
    const shifty = {
      ...honest,
      get to() {
        return reads++ === 0 ? honest.to : depository;
      },
    };
    const asked = send(provider, shifty);
    Object.assign(shifty, { data: "0x" });
    await asked;
    const [sent] = (log[0]?.params ?? []) as [object];
    expect(sent).to.include({ data: honest.data, to: token });
    const { guard } = await guarded([]);
    const sample = structuredClone(quote as Sample);
    const added = guard.add(sample);
    sample.quote.steps.splice(0);
    expect(await added).to.include({ isProven: true });
  });

  it("parameters that cannot be copied are refused", async () => {
    const { log, provider } = await guarded(known());
    expect(await reasonOf(send(provider, { ...callOf(quote as Sample), odd: () => {} }))).to.include(
      "cannot be copied",
    );
    expect(await reasonOf(send(provider, new Proxy(callOf(quote as Sample), {})))).to.include(
      "cannot be copied",
    );
    expect(await reasonOf(provider.request({ method: "eth_sendTransaction", params: "0x" }))).to.include(
      "no call",
    );
    expect(await reasonOf(provider.request({ method: 7 } as unknown as ProviderRequest))).to.include(
      "no method",
    );
    expect(log).to.deep.equal([]);
  });

  it("a payment before its turn, or a second time, and an approval after its payment, are refused", async () => {
    const { log, provider } = await guarded([other as Sample]);
    expect(await reasonOf(send(provider, callOf(other as Sample, 1)))).to.include("not the next item");
    for (const stepIndex of [0, 1]) await send(provider, callOf(other as Sample, stepIndex));
    for (const stepIndex of [0, 1])
      expect(await reasonOf(send(provider, callOf(other as Sample, stepIndex)))).to.include("sent before");
    expect(log).to.have.length(2);
  });

  it("two requests at once for one item reach the wallet once", async () => {
    const { log, provider } = await guarded([wrapSample("at once")]);
    const asked = [0, 1].map(() => send(provider, callOf(wrapSample("at once"))));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
    expect(log).to.have.length(1);
  });

  it("an older quote than the last of one request is executed, and an approval counts for both", async () => {
    const [first, second] = [await tokenSample("first"), await tokenSample("second")];
    const { log, provider } = await guarded([first, second]);
    await send(provider, callOf(second));
    await send(provider, callOf(first, 1));
    expect(log).to.have.length(2);
  });

  for (const code of [4001, 5000]) {
    it(`after the person's no (${code}), the item can be asked for again; the app gets the wallet's error`, async () => {
      const sample = wrapSample(`retry ${code}`);
      const { log, provider } = await guarded([sample], {
        answers: { eth_sendTransaction: failOnce(code, txHash) },
      });
      expect(await rejectionOf(send(provider, callOf(sample)))).to.include({ code });
      expect(await send(provider, callOf(sample))).to.equal(txHash);
      expect(log).to.have.length(2);
    });
  }

  for (const code of [-32603, -32602, -32000, -32601, 4100, 4900, undefined]) {
    it(`after an error with code ${code}, a payment is not asked for again, and is found once the chain has it`, async () => {
      const sample = wrapSample(`error ${code}`);
      const { from, to, value, data } = callOf(sample);
      const sent = { data, from, to, value } as Parameters<typeof signedTransaction>[0];
      const blocks: object[] = [{ transactions: [] }];
      const { log, provider } = await guarded([sample], {
        answers: {
          eth_blockNumber: () => `0x${(6 + blocks.length).toString(16)}`,
          eth_getBlockByNumber: ([number]) => blocks[Number(number) - 7] ?? null,
          eth_sendTransaction: () => {
            throw code === undefined ? new Error("lost") : walletError(code);
          },
        },
      });
      await rejectionOf(send(provider, callOf(sample)));
      expect(await reasonOf(send(provider, callOf(sample)))).to.include("whether it was sent is not known");
      const mined = await signedTransaction(sent);
      blocks.push({ transactions: [{ ...mined, r: mined.s }] });
      expect(await reasonOf(send(provider, callOf(sample)))).to.include("whether it was sent is not known");
      blocks.push({ transactions: [mined] });
      expect(await send(provider, callOf(sample))).to.equal(mined.hash);
      expect(log.filter(({ method }) => method === "eth_sendTransaction")).to.have.length(1);
    });
  }

  it("after an error, an approval that the chain does not have is asked for again", async () => {
    const answer = failOnce(-32603, txHash);
    const sample = await tokenSample("approval again");
    const { provider } = await guarded([sample], { answers: { eth_sendTransaction: answer } });
    await rejectionOf(send(provider, callOf(sample)));
    expect(await send(provider, callOf(sample))).to.equal(txHash);
  });

  it("two guards of one process: pay an order once", async () => {
    const sample = await tokenSample("two guards");
    const [one, two] = [await guarded([sample]), await guarded([sample])];
    for (const { provider } of [one, two]) await send(provider, callOf(sample));
    await send(one.provider, callOf(sample, 1));
    expect(await reasonOf(send(two.provider, callOf(sample, 1)))).to.include("paid before");
    expect(two.log).to.have.length(1);
  });

  it("an order that a run of `execute` has paid, or holds through another wallet, is refused", async () => {
    const sample = wrapSample("a run's");
    const ids = [requestIdOf("a run's")];
    const claim = claimPayment({ deadline: undefined, ids, now });
    const { log, provider } = await guarded([sample]);
    for (const ask of [undefined, async () => null, () => Promise.reject(new Error("no node"))]) {
      claim.ask = ask;
      expect(await reasonOf(send(provider, callOf(sample)))).to.include("being paid");
    }
    claim.record = {};
    releasePayment(claim);
    expect(await reasonOf(send(provider, callOf(sample)))).to.include("paid before");
    expect(log).to.deep.equal([]);
  });

  it("an order that a run holds through this provider passes once, and stays paid when the run forgets it", async () => {
    const sample = wrapSample("by the guard");
    const claim = claimPayment({ deadline: undefined, ids: [requestIdOf("by the guard")], now });
    const { guard, log, provider } = await guarded([sample]);
    claim.ask = (request) => provider.request(request);
    await send(provider, callOf(sample));
    releasePayment(claim);
    await guard.add(sample);
    expect(await reasonOf(send(provider, callOf(sample)))).to.include("paid before");
    expect(log.map(({ method }) => method)).to.deep.equal(["eth_sendTransaction"]);
  });

  it("an order that the guard asks the wallet for: a run of `execute` cannot claim it, then or later", async () => {
    const sample = wrapSample("prompt open");
    const identity = { deadline: undefined, ids: [requestIdOf("prompt open")], now };
    const wallet = Promise.withResolvers<string>();
    const { log, provider } = await guarded([sample], {
      answers: { eth_sendTransaction: () => wallet.promise },
    });
    const asked = send(provider, callOf(sample));
    await until(() => log.length > 0);
    expect(() => claimPayment(identity)).to.throw(PaymentClaimedError);
    wallet.resolve(txHash);
    await asked;
    const later = claimPayment(identity);
    expect(later.record).to.deep.equal({ sentHash: txHash });
    releasePayment(later);
  });

  it("a reset and a new allowance asked for at once: the second waits until the first is mined", async () => {
    const sample = await tokenSample("reset", { isReset: true });
    const receipts = [null, null, { status: "0x1" }];
    const events: string[] = [];
    const { provider } = await guarded([sample], {
      answers: {
        eth_getTransactionCount: () => "0x0",
        eth_getTransactionReceipt: () => {
          events.push("receipt");
          return receipts.shift();
        },
        eth_sendTransaction: () => {
          events.push("send");
          return txHash;
        },
      },
    });
    // The client reads the chain before each, so that either may come first.
    await Promise.all([1, 0].map((stepIndex) => send(provider, callOf(sample, stepIndex))));
    await send(provider, callOf(sample, 2));
    expect(events).to.deep.equal(["send", "receipt", "receipt", "receipt", "send", "send"]);
  });

  it("a reset that the person refuses: the allowance asked for at once is refused, and both can be asked for again", async () => {
    const answer = failOnce(4001, txHash);
    const sample = await tokenSample("refused reset", { isReset: true });
    const { log, provider } = await guarded([sample], { answers: { eth_sendTransaction: answer } });
    const outcomes = await Promise.allSettled([
      send(provider, callOf(sample)),
      send(provider, callOf(sample, 1)),
    ]);
    expect(outcomes.map((each) => (each as PromiseRejectedResult).reason.code)).to.deep.equal([4001, 4100]);
    for (const stepIndex of [0, 1]) await send(provider, callOf(sample, stepIndex));
    expect(log).to.have.length(3);
  });

  it("a wallet on another chain is not asked; it is once it has switched", async () => {
    let chainId = "0x7a6a";
    const sample = wrapSample("other chain");
    const { log, provider } = await guarded([sample], { answers: { eth_chainId: () => chainId } });
    const call = { ...callOf(sample), chainId: "0x7a69" };
    expect(await reasonOf(send(provider, call))).to.include("not on chain 31337");
    chainId = "0x7a69";
    await send(provider, call);
    expect(log).to.have.length(1);
  });

  it("a quote past its order's deadline is refused, though it was proven before", async () => {
    let time = now;
    const sample = await tokenSample("late");
    const { log, provider, refusals } = await guarded([sample], { now: () => time });
    time += 3_600_000;
    expect(await reasonOf(send(provider, callOf(sample)))).to.include("not proven");
    expect(refusals[0]?.differences.map(({ code }) => code)).to.include("QUOTE_DEADLINE");
    expect(log).to.deep.equal([]);
  });

  it("wallet_sendTransaction follows the same rule", async () => {
    const sample = wrapSample("wallet_sendTransaction");
    const { log, provider } = await guarded([sample]);
    await provider.request({
      method: "wallet_sendTransaction",
      params: [{ ...callOf(sample), gasPrice: "0x1" }],
    });
    expect(log).to.deep.equal([
      {
        method: "wallet_sendTransaction",
        params: [{ ...callOf(sample), chainId: "0x7a69", gas: "0xc350", from: user }],
      },
    ]);
  });

  it("the bounds of `policyFor` hold for its request alone", async () => {
    const asked: unknown[] = [];
    const policyFor = (request: { originCurrency: string }) => {
      asked.push(request.originCurrency);
      return { minimumOutput: request.originCurrency === token ? 2_000_000n : 1n };
    };
    const { provider, refusals } = await guarded([await tokenSample("bounded"), wrapSample("unbounded")], {
      policyFor,
    });
    await rejectionOf(send(provider, callOf(await tokenSample("bounded"))));
    expect(refusals[0]?.differences.map(({ code }) => code)).to.include("QUOTE_OUTPUT");
    await send(provider, callOf(wrapSample("unbounded")));
    expect(asked).to.have.length(2);
  });
});
