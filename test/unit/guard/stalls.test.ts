import { expect } from "chai";
import { rejectionOf } from "../client/support/fakeService.ts";
import { token, txHash, user } from "../client/support/samples.ts";
import { now, permitSample, requestIdOf, tokenSample, wrapSample } from "./support/quotes.ts";
import { callOf, guarded, send, typedOf, until, walletError } from "./support/wallet.ts";

const never = () => new Promise<never>(() => {});

describe("guardProvider: what fails or never ends does not hold up honest payments", () => {
  it("a quote whose proof never ends: does not hold up another, and is refused after 30 s", async () => {
    const [good, slow] = [wrapSample("good"), await tokenSample("slow")];
    const limits: (() => void)[] = [];
    const { guard, provider } = await guarded([good], {
      policyFor: ({ originCurrency }) => (originCurrency === token ? never() : {}),
      sleep: (milliseconds) =>
        new Promise((resolve) => {
          if (milliseconds === 30_000) limits.push(resolve);
        }),
    });
    const verdict = guard.add({ ...slow, request: { ...slow.request, user: token } });
    expect(await send(provider, callOf(good))).to.equal(txHash);
    for (const end of limits) end();
    expect(await verdict).to.include({ isProven: false });
  });

  it("an approval that the wallet never answers: can be asked for again by another quote, and after a minute", async () => {
    let time = now;
    const [one, two] = [await tokenSample("lost prompt"), await tokenSample("after lost prompt")];
    const lost = Promise.withResolvers<string>();
    const answers: unknown[] = [lost.promise, txHash, txHash, txHash];
    const { guard, log, provider } = await guarded([one], {
      answers: { eth_sendTransaction: () => answers.shift() },
      now: () => time,
    });
    const first = send(provider, callOf(one));
    await until(() => log.length === 1);
    expect(await rejectionOf(send(provider, callOf(one)))).to.include({ code: 4100 });
    await guard.add(two);
    expect(await send(provider, callOf(two))).to.equal(txHash);
    time += 60_000;
    for (const stepIndex of [0, 1]) expect(await send(provider, callOf(one, stepIndex))).to.equal(txHash);
    lost.resolve(txHash);
    await first;
    // The late answer does not open the payment again.
    expect(String(await rejectionOf(send(provider, callOf(one, 1))))).to.include("sent before");
  });

  it("an approval whose payment the person refused: can be asked for again", async () => {
    const sample = await tokenSample("again");
    const answers = [() => txHash, () => Promise.reject(walletError(4001)), () => txHash, () => txHash];
    const { provider } = await guarded([sample], {
      answers: { eth_sendTransaction: () => answers.shift()?.() },
    });
    await send(provider, callOf(sample));
    expect(await rejectionOf(send(provider, callOf(sample, 1)))).to.include({ code: 4001 });
    for (const stepIndex of [0, 1]) expect(await send(provider, callOf(sample, stepIndex))).to.equal(txHash);
  });

  it("256 unproven answers: do not evict a proven quote", async () => {
    const sample = wrapSample("kept");
    const { guard, provider } = await guarded([sample]);
    const { request } = sample;
    await Promise.all(Array.from({ length: 256 }, () => guard.add({ quote: {} as never, request })));
    expect(guard.internal.book.quotes).to.have.length(256);
    expect(await send(provider, callOf(sample))).to.equal(txHash);
  });

  it("a read of the guard that the node never answers: leaves the payment open", async () => {
    const sample = wrapSample("silent node");
    const answers = [never(), "0x7"];
    const { log, provider } = await guarded([sample], {
      answers: { eth_blockNumber: () => answers.shift() },
    });
    void send(provider, callOf(sample));
    await until(() => answers.length === 1);
    expect(log).to.deep.equal([]);
    expect(await send(provider, callOf(sample))).to.equal(txHash);
  });

  it("a read of the guard that fails: is refused with 4100, and reaches the callback", async () => {
    const sample = wrapSample("busy node");
    let block = 7;
    const { provider, refusals } = await guarded([sample], {
      answers: {
        eth_blockNumber: () => `0x${(block++).toString(16)}`,
        eth_getBlockByNumber: () => Promise.reject(walletError(-32000, "busy")),
        eth_sendTransaction: () => Promise.reject(walletError(-32603)),
      },
    });
    await rejectionOf(send(provider, callOf(sample)));
    expect(await rejectionOf(send(provider, callOf(sample)))).to.include({ code: 4100 });
    expect(refusals.map(({ reason }) => reason)).to.deep.equal([
      "the wallet's node does not answer eth_getBlockByNumber",
    ]);
  });

  it("a callback that throws or rejects: changes nothing", async () => {
    const unhandled: unknown[] = [];
    const known = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (error) => unhandled.push(error));
    try {
      const failures = [() => Promise.reject(new Error("offline")), () => JSON.parse("{") as undefined];
      for (const onRefused of failures) {
        const { provider } = await guarded([], { onRefused });
        expect(await rejectionOf(provider.request({ method: "eth_sign", params: [] }))).to.include({
          code: 4100,
        });
      }
      await new Promise(setImmediate);
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const each of known) process.on("unhandledRejection", each);
    }
    expect(unhandled).to.deep.equal([]);
  });
});

describe("guard.append", () => {
  const signed = async (id: string) => {
    const sample = await permitSample(id);
    const context = await guarded([sample]);
    const params = [user, typedOf(sample)];
    const requestId = requestIdOf(id);
    return {
      ...context,
      requestId,
      sign: () => context.provider.request({ method: "eth_signTypedData_v4", params }),
    };
  };

  it("steps for a quote of which nothing was signed: are refused, and leave it open", async () => {
    const sample = wrapSample("stranger's steps");
    const { guard, provider } = await guarded([sample]);
    const { steps } = wrapSample("stranger").quote;
    const requestId = requestIdOf("stranger's steps");
    expect(await guard.append({ requestId, steps })).to.include({ isProven: false });
    expect(await send(provider, callOf(sample))).to.equal(txHash);
    const permit = await signed("unsigned");
    expect(await permit.guard.append({ requestId: permit.requestId, steps })).to.include({
      reason: "nothing was signed that appended steps could continue",
    });
  });

  it("unproven steps after a permit: are not kept, and the quote stays proven", async () => {
    const { guard, requestId, sign } = await signed("hostile steps");
    await sign();
    const { steps } = wrapSample("x").quote;
    for (let times = 0; times < 2; times++) {
      expect(await guard.append({ requestId, steps })).to.include({ isProven: false });
    }
    const [quote] = guard.internal.book.quotes;
    expect(quote).to.deep.include({ appended: [], refusal: undefined });
  });
});
