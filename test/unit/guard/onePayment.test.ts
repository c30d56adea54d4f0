import { expect } from "chai";
import type { RefusedRequestError } from "../../../src/guard/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { solver as stranger, txHash, user } from "../client/support/samples.ts";
import { permitSample, policy, requestIdOf, type Sample, tokenSample, wrapSample } from "./support/quotes.ts";
import { callOf, guarded, send, typedOf, until, walletError } from "./support/wallet.ts";

const reasonOf = async (asked: Promise<unknown>) =>
  ((await rejectionOf(asked)) as RefusedRequestError).message;
const isReplaced = "the page has asked for another quote since";
const isPaid = "the account was asked for another payment since the page asked for it";

describe("guardProvider: one click pays once, for the request that the page made last", () => {
  for (const change of [
    { recipient: stranger },
    { amount: "1000" },
    { destinationChainId: 31337 },
    { originChainId: 31338 },
  ]) {
    it(`an answer to a newer request with another ${Object.keys(change)}: closes the older quote`, async () => {
      const sample = await tokenSample("replaced");
      const { guard, log, provider } = await guarded([sample]);
      const request = { ...sample.request, ...change };
      const { isProven } = await guard.add({ quote: structuredClone(sample.quote), request });
      expect(isProven).to.equal(false);
      expect(await reasonOf(send(provider, callOf(sample)))).to.include(isReplaced);
      expect(await rejectionOf(send(provider, callOf(sample, 1)))).to.include({ code: 4100 });
      expect(log).to.deep.equal([]);
    });
  }

  it("an answer to a newer request of another account: leaves the quote open", async () => {
    const sample = wrapSample("own line");
    const { guard, provider } = await guarded([sample]);
    await guard.add({ quote: {} as never, request: { ...sample.request, user: stranger } });
    expect(await send(provider, callOf(sample))).to.equal(txHash);
  });

  it("an answer to an older request, after the answer to a newer one: its quote is closed", async () => {
    const [newer, older] = [await tokenSample("newer"), await tokenSample("older")];
    const { guard, provider } = await guarded([]);
    const { add, book } = guard.internal;
    const sequence = book.nextSequence();
    await guard.add(newer);
    await add({ ...older, request: { ...older.request, recipient: user } }, sequence);
    expect(await reasonOf(send(provider, callOf(older, 1)))).to.include(isReplaced);
    expect(await send(provider, callOf(newer))).to.equal(txHash);
    expect(await send(provider, callOf(newer, 1))).to.equal(txHash);
    expect(await reasonOf(send(provider, callOf(older, 1)))).to.include(isReplaced);
  });

  it("a request in another letter case, order of fields or form of amount: leaves the older quote open", async () => {
    const [older, newer] = [wrapSample("same request"), wrapSample("same request again")];
    const { amount, user: account, ...rest } = newer.request;
    const request = { user: account.toLowerCase() as typeof account, ...rest, amount: BigInt(amount) };
    const { guard, provider } = await guarded([older]);
    await guard.add({ ...newer, request });
    expect(await send(provider, callOf(older))).to.equal(txHash);
  });

  it("bytes that also occur in an unproven newer answer to the same request: are refused", async () => {
    let price = 1n;
    const sample = await tokenSample("moved price");
    const { guard, log, provider, refusals } = await guarded([], {
      policy: { price: ({ amount }) => amount * price, trust: policy.trust },
    });
    expect(await guard.add(sample)).to.include({ isProven: true });
    price = 2n;
    expect(await guard.add(sample)).to.include({ isProven: false });
    await rejectionOf(send(provider, callOf(sample)));
    expect(refusals[0]?.differences.map(({ code }) => code)).to.include("QUOTE_OUTPUT");
    const unreadable = { ...sample.quote, details: undefined };
    price = 1n;
    const another = await guarded([sample]);
    await another.guard.add({ quote: unreadable as never, request: sample.request });
    expect(await reasonOf(send(another.provider, callOf(sample)))).to.include("cannot be proven");
    expect([...log, ...another.log]).to.deep.equal([]);
  });

  it("an answer with the payments of two others, learned before them: forbids both", async () => {
    const samples = [wrapSample("merged 1"), wrapSample("merged 2")];
    const steps = samples.flatMap(({ quote }) => quote.steps);
    const [first] = samples as [Sample, Sample];
    const { log, provider } = await guarded([{ ...first, quote: { ...first.quote, steps } }, ...samples]);
    for (const sample of samples)
      expect(await reasonOf(send(provider, callOf(sample)))).to.include("its quote is not proven");
    expect(log).to.deep.equal([]);
  });

  it("a price that moves within a minute: binds the older proof; after a minute, it is asked again", async () => {
    let [price, time] = [1n, 1_700_000_000_000];
    const sample = wrapSample("aged price");
    const { log, provider } = await guarded([await tokenSample("aged price"), sample], {
      now: () => time,
      policy: { price: ({ amount }) => amount * price, trust: policy.trust },
    });
    const token = await tokenSample("aged price");
    price = 2n;
    time += 59_000;
    await rejectionOf(send(provider, callOf(token, 1)));
    time += 1_000;
    expect(await reasonOf(send(provider, callOf(sample)))).to.include("not proven");
    expect(log).to.deep.equal([]);
  });

  it("a payment that was sent: closes the quotes that were asked for before it, not those after it", async () => {
    const [first, second] = [await tokenSample("paid first"), await tokenSample("paid second")];
    const { guard, log, provider } = await guarded([first, second]);
    for (const stepIndex of [0, 1]) await send(provider, callOf(first, stepIndex));
    expect(await reasonOf(send(provider, callOf(second, 1)))).to.include(isPaid);
    await guard.add(second);
    // An approval counts for one payment.
    expect(await reasonOf(send(provider, callOf(second, 1)))).to.include(isPaid);
    for (const stepIndex of [0, 1]) await send(provider, callOf(second, stepIndex));
    expect(log).to.have.length(4);
  });

  it("an approval for a newer quote, after a payment: leaves the quotes closed that were asked for before the payment", async () => {
    const [first, older, newer] = [
      await tokenSample("paid before"),
      await tokenSample("older than it"),
      await tokenSample("newer than it"),
    ];
    const { guard, log, provider } = await guarded([first, older]);
    for (const stepIndex of [0, 1]) await send(provider, callOf(first, stepIndex));
    await guard.add(newer);
    await send(provider, callOf(newer));
    expect(await reasonOf(send(provider, callOf(older, 1)))).to.include(isPaid);
    await send(provider, callOf(newer, 1));
    expect(log).to.have.length(4);
  });

  it("a payment at the wallet: closes the others; the person's no opens them again, another error does not", async () => {
    for (const [code, isOpen] of [
      [4001, true],
      [-32603, false],
    ] as const) {
      const [first, second] = [wrapSample(`asked ${code}`), wrapSample(`waiting ${code}`)];
      const wallet = Promise.withResolvers<string>();
      const answers = [wallet.promise, txHash];
      const { log, provider } = await guarded([first, second], {
        answers: { eth_sendTransaction: () => answers.shift() },
      });
      const asked = rejectionOf(send(provider, callOf(first)));
      await until(() => log.length > 0);
      expect(await reasonOf(send(provider, callOf(second)))).to.include(isPaid);
      wallet.reject(walletError(code));
      await asked;
      if (isOpen) expect(await send(provider, callOf(second))).to.equal(txHash);
      else expect(await reasonOf(send(provider, callOf(second)))).to.include(isPaid);
    }
  });

  it("two request ids of one order: pay once", async () => {
    const one = await tokenSample("one order");
    const { guard, log, provider } = await guarded([one]);
    for (const stepIndex of [0, 1]) await send(provider, callOf(one, stepIndex));
    const steps = one.quote.steps.map((step) => ({ ...step, requestId: requestIdOf("another") }));
    const again = { ...one, quote: { ...one.quote, steps } } as Sample;
    expect(await guard.add(again)).to.include({ isProven: true });
    await send(provider, callOf(one));
    expect(await reasonOf(send(provider, callOf(one, 1)))).to.include("paid before");
    expect(log).to.have.length(3);
  });

  it("a quote that is evicted while its prompt is open, and learned again: pays once", async () => {
    const sample = wrapSample("evicted");
    const wallet = Promise.withResolvers<string>();
    const { guard, log, provider } = await guarded([sample], {
      answers: { eth_sendTransaction: () => wallet.promise },
    });
    const first = send(provider, callOf(sample));
    await until(() => log.length > 0);
    for (let times = 0; times < 256; times++) void guard.add(wrapSample(`proven ${times}`));
    await guard.add(sample);
    expect(await reasonOf(send(provider, callOf(sample)))).to.include("being paid");
    wallet.resolve(txHash);
    await first;
    await guard.add(sample);
    expect(await reasonOf(send(provider, callOf(sample)))).to.include("paid before");
    expect(log).to.have.length(1);
  }).timeout(10_000);

  it("a signature whose delivery failed: can be asked for again, as the digest is the same", async () => {
    const sample = await permitSample("delivery failed");
    const typed = JSON.stringify(typedOf(sample));
    const { log, provider } = await guarded([sample]);
    for (let times = 0; times < 2; times++)
      await provider.request({ method: "eth_signTypedData_v4", params: [user, typed] });
    expect(log[0]).to.deep.equal(log[1]);
  });
});
