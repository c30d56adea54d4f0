import { EventEmitter } from "node:events";
import { expect } from "chai";
import { claimPayment, releasePayment } from "../../../src/execute/paymentLedger.ts";
import {
  createQuoteGuard,
  guardAnnouncements,
  guardProvider,
  type ProviderRequest,
  type RequestScope,
  type WalletProvider,
  watchRequests,
  type XhrLike,
} from "../../../src/guard/index.ts";
import type { EvmTransactionData } from "../../../src/schema/quote/step.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { token, txHash, user } from "../client/support/samples.ts";
import {
  now,
  permitSample,
  policy,
  requestIdOf,
  type Sample,
  tokenSample,
  wrapSample,
} from "../guard/support/quotes.ts";
import { guarded, testWallet, walletError } from "../guard/support/wallet.ts";

/** Each test states what docs/guard.md promises. A failing test is a finding. */
const attacker = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

function callOf({ quote }: Sample, stepIndex = 0): Record<string, unknown> {
  const { data, from, to, value } = (quote.steps[stepIndex]?.items[0]?.data ?? {}) as EvmTransactionData;
  return { data, from, to, value: `0x${BigInt(value ?? 0).toString(16)}` };
}
const send = (provider: WalletProvider, call: unknown) =>
  provider.request({ method: "eth_sendTransaction", params: [call] });
const theft = { from: user, to: attacker, value: "0xde0b6b3a7640000" };
const within = async (asked: Promise<unknown>, milliseconds = 500) =>
  Promise.race([
    asked.then(
      () => "answered",
      (error: { message?: string }) => `refused: ${error.message}`,
    ),
    new Promise((resolve) => setTimeout(() => resolve("stuck"), milliseconds)),
  ]);

/** A wallet as MetaMask's: an EventEmitter whose `on` returns itself and whose listeners have it as `this`. */
class EmitterWallet extends EventEmitter {
  readonly log: ProviderRequest[] = [];
  async request({ method, params }: ProviderRequest): Promise<unknown> {
    this.log.push({ method, params });
    return txHash;
  }
}

describe("attack: the raw wallet leaks", () => {
  for (const name of ["on", "removeListener"] as const) {
    it(`A1 theft: ${name}() of the guarded provider does not return the wallet itself`, async () => {
      const wallet = new EmitterWallet();
      const provider = guardProvider(wallet as never, createQuoteGuard({ policy }));
      const leaked = provider[name]?.("chainChanged", () => {}) as WalletProvider | undefined;
      await leaked?.request?.({ method: "eth_sendTransaction", params: [theft] })?.catch(() => {});
      expect(wallet.log).to.deep.equal([]);
    });
  }

  it("A2 theft: a listener does not get the wallet as `this`", async () => {
    const wallet = new EmitterWallet();
    const provider = guardProvider(wallet as never, createQuoteGuard({ policy }));
    let leaked: WalletProvider | undefined;
    provider.on?.("chainChanged", function (this: WalletProvider) {
      leaked = this;
    });
    wallet.emit("chainChanged", "0x1");
    await leaked
      ?.request?.({ method: "personal_sign", params: [`0x${"ab".repeat(32)}`, user] })
      .catch(() => {});
    expect(wallet.log).to.deep.equal([]);
  });

  it("A2b theft: the same through EIP-6963", async () => {
    const wallet = new EmitterWallet();
    const target = new EventTarget();
    guardAnnouncements(createQuoteGuard({ policy }), target);
    target.addEventListener("eip6963:announceProvider", (event) => {
      const { provider } = (event as CustomEvent).detail;
      void provider.on("connect", () => {})?.request?.({ method: "eth_sendTransaction", params: [theft] });
    });
    target.dispatchEvent(
      new CustomEvent("eip6963:announceProvider", { detail: { info: {}, provider: wallet } }),
    );
    expect(wallet.log).to.deep.equal([]);
  });
});

describe("attack: holes in `calls` match any item", () => {
  it("B1 loss: a batch with a hole does not reach a wallet on another chain, from another account", async () => {
    const { log, provider } = await guarded([wrapSample("hole")], { answers: { eth_chainId: () => "0x1" } });
    await provider
      .request({
        method: "wallet_sendCalls",
        params: [{ calls: new Array(1), chainId: "0x1", from: attacker }],
      })
      .catch(() => {});
    expect(log).to.deep.equal([]);
  });

  it("B2 denial: a hole does not mark a signature's item as signed, and its order as paid", async () => {
    const sample = await permitSample("hole permit");
    const { log, provider } = await guarded([sample]);
    await provider
      .request({
        method: "wallet_sendCalls",
        params: [{ calls: new Array(1), chainId: "0x7a69", from: user }],
      })
      .catch(() => {});
    expect(log).to.deep.equal([]);
  });

  it("B3: more holes than items do not make a batch", async () => {
    const { log, provider } = await guarded([await tokenSample("holes")]);
    await provider
      .request({
        method: "wallet_sendCalls",
        params: [{ calls: new Array(7), chainId: "0x7a69", from: user }],
      })
      .catch(() => {});
    expect(log).to.deep.equal([]);
  });
});

describe("attack: request and answer", () => {
  it("C1 loss: an answer that was replayed from an older request, and is unproven for the newer, is not paid", async () => {
    const old = await tokenSample("replayed");
    const corrected = { ...old.request, recipient: attacker, amount: "1000" };
    const { guard, log, provider } = await guarded([old]);
    const { isProven } = await guard.add({ quote: structuredClone(old.quote), request: corrected });
    expect(isProven).to.equal(false);
    await send(provider, callOf(old)).catch(() => {});
    await send(provider, callOf(old, 1)).catch(() => {});
    expect(log).to.deep.equal([]);
  });

  it("C2 loss: an old answer is not paid at the old price, when the page asked again and the price has moved", async () => {
    let price = 1n;
    const sample = await tokenSample("stale price");
    const { guard, log, provider } = await guarded([], {
      policy: { price: ({ amount }) => amount * price, trust: policy.trust },
    });
    expect(await guard.add(sample)).to.include({ isProven: true });
    price = 2n;
    expect(await guard.add(sample)).to.include({ isProven: false });
    await send(provider, callOf(sample)).catch(() => {});
    expect(log).to.deep.equal([]);
  });

  it("C3 theft: third-party code that only uses `fetch` and the provider cannot teach the guard its own payment", async () => {
    // The service answers honestly: a quote to the attacker for the attacker's request.
    const evil = await tokenSample("third party");
    const guard = createQuoteGuard({ now: () => now, policy });
    const scope: RequestScope = { fetch: async () => Response.json(evil.quote) };
    watchRequests(guard, scope);
    const { log, wallet } = testWallet();
    const provider = guardProvider(wallet, guard);
    await scope.fetch?.("https://evil.example/quote", { body: JSON.stringify(evil.request), method: "POST" });
    await send(provider, callOf(evil)).catch(() => {});
    expect(log).to.deep.equal([]);
  });

  it("C4: an XMLHttpRequest used twice: the second answer is not compared with the first request", async () => {
    const guard = createQuoteGuard({ now: () => now, policy });
    const sample = await tokenSample("xhr");
    class Xhr extends EventTarget {
      readyState = 0;
      response: unknown = "";
      responseType = "json";
      status = 200;
      open(): void {}
      send(): void {}
      answer(quote: unknown) {
        Object.assign(this, { readyState: 4, response: quote });
        this.dispatchEvent(new Event("readystatechange"));
      }
    }
    watchRequests(guard, { XMLHttpRequest: Xhr as unknown as { prototype: XhrLike } });
    const xhr = new Xhr() as unknown as XhrLike & { answer(quote: unknown): void };
    xhr.open("POST", "https://api/quote/v2");
    xhr.send(JSON.stringify(sample.request));
    xhr.open("POST", "https://api/quote/v2");
    xhr.send(JSON.stringify({ ...sample.request, recipient: attacker }));
    xhr.answer(sample.quote);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all(guard.internal.book.quotes.map(({ ready }) => ready));
    expect(guard.internal.book.quotes.map(({ refusal }) => refusal === undefined)).to.deep.equal([false]);
  });
});

describe("attack: a payment twice", () => {
  it("D1 double: a run of `execute` by another wallet holds the order; the guard does not pay it meanwhile", async () => {
    const sample = wrapSample("held by a run");
    const claim = claimPayment({ deadline: undefined, ids: [requestIdOf("held by a run")], now });
    const { log, provider } = await guarded([sample]);
    await send(provider, callOf(sample)).catch(() => {});
    claim.record = { sentHash: "0x01" };
    releasePayment(claim);
    expect(log).to.deep.equal([]);
  });

  it("D2 double: while the guard's prompt is open, a run of `execute` cannot claim the order", async () => {
    const sample = wrapSample("prompt open");
    let answer: (hash: string) => void = () => {};
    const { log, provider } = await guarded([sample], {
      answers: { eth_sendTransaction: () => new Promise((resolve) => (answer = resolve)) },
    });
    const asked = send(provider, callOf(sample));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(log).to.have.length(1);
    let isClaimed = true;
    try {
      const claim = claimPayment({ deadline: undefined, ids: [requestIdOf("prompt open")], now });
      claim.record = { sentHash: "0x01" };
      releasePayment(claim);
    } catch {
      isClaimed = false;
    }
    answer(txHash);
    await asked;
    expect(isClaimed).to.equal(false);
  });
});

describe("attack: stalls of honest flows", () => {
  it("E1: one quote whose proof never ends does not hold up the others", async () => {
    const [good, slow] = [wrapSample("good"), await tokenSample("slow")];
    const { guard, provider } = await guarded([good], {
      policyFor: ({ originCurrency }) => (originCurrency === token ? new Promise<never>(() => {}) : {}),
    });
    void guard.add(slow);
    expect(await within(send(provider, callOf(good)))).to.equal("answered");
  });

  it("E2: an approval that the wallet never answers can be asked for again, by the next quote", async () => {
    let isFirst = true;
    const [one, two] = [await tokenSample("lost prompt"), await tokenSample("after lost prompt")];
    const { guard, provider } = await guarded([one], {
      answers: {
        eth_sendTransaction: () => {
          if (!isFirst) return txHash;
          isFirst = false;
          return new Promise(() => {});
        },
      },
    });
    void send(provider, callOf(one));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await guard.add(two);
    expect(await within(send(provider, callOf(two)))).to.equal("answered");
  });

  it("E3: approval sent, payment refused by the person: the page executes the same quote again", async () => {
    let asked = 0;
    const sample = await tokenSample("again");
    const { provider } = await guarded([sample], {
      answers: {
        eth_sendTransaction: () => {
          if (++asked === 2) throw walletError(4001);
          return txHash;
        },
      },
    });
    await send(provider, callOf(sample));
    await rejectionOf(send(provider, callOf(sample, 1)));
    expect(await within(send(provider, callOf(sample)))).to.equal("answered");
  });

  it("E4: two quotes of one amount learned before the first is paid: the second's approval is needed again", async () => {
    const [one, two] = [await tokenSample("invoice 1"), await tokenSample("invoice 2")];
    const { log, provider } = await guarded([one, two]);
    await send(provider, callOf(one));
    await send(provider, callOf(one, 1));
    expect(await within(send(provider, callOf(two)))).to.equal("answered");
    expect(log).to.have.length(3);
  });

  it("E5: steps of a stranger for a known request id do not make a proven quote unpayable", async () => {
    const sample = wrapSample("poisoned");
    const { guard, log, provider } = await guarded([sample]);
    const scope: RequestScope = {
      fetch: async () => Response.json({ steps: wrapSample("stranger").quote.steps }),
    };
    watchRequests(guard, scope);
    await scope.fetch?.("https://evil.example/execute/permits", {
      body: JSON.stringify({ requestId: requestIdOf("poisoned") }),
      method: "POST",
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await within(send(provider, callOf(sample)))).to.equal("answered");
    expect(log).to.have.length(1);
  });

  it("E6: 256 other quotes do not push out the one that the person is about to confirm", async () => {
    const sample = wrapSample("pushed out");
    const { guard, provider } = await guarded([sample]);
    const other = wrapSample("flood");
    await Promise.all(
      Array.from({ length: 256 }, () => guard.add({ quote: {} as never, request: other.request })),
    );
    expect(await within(send(provider, callOf(sample)))).to.equal("answered");
  });

  it("E7: a signature whose delivery failed can be asked for again: the digest is the same", async () => {
    const sample = await permitSample("post failed");
    const { sign } = (sample.quote.steps[0]?.items[0]?.data ?? {}) as never as {
      sign: Record<string, unknown>;
    };
    const { domain, primaryType, types, value: message } = sign;
    const typed = { domain, message, primaryType, types };
    const { provider } = await guarded([sample]);
    const ask = () =>
      provider.request({ method: "eth_signTypedData_v4", params: [user, JSON.stringify(typed)] });
    await ask();
    expect(await within(ask())).to.equal("answered");
  });

  it("E8: WalletConnect's refusal by the person (code 5000) reopens a payment", async () => {
    let isFirst = true;
    const sample = wrapSample("walletconnect");
    const { provider } = await guarded([sample], {
      answers: {
        eth_sendTransaction: () => {
          if (!isFirst) return txHash;
          isFirst = false;
          throw walletError(5000, "User rejected.");
        },
      },
    });
    await rejectionOf(send(provider, callOf(sample)));
    expect(await within(send(provider, callOf(sample)))).to.equal("answered");
  });

  it("E9: bodies as bytes or Blob are watched too", async () => {
    const sample = await tokenSample("bytes");
    const guard = createQuoteGuard({ now: () => now, policy });
    const scope: RequestScope = { fetch: async () => Response.json(sample.quote) };
    watchRequests(guard, scope);
    for (const body of [
      new TextEncoder().encode(JSON.stringify(sample.request)),
      new Blob([JSON.stringify(sample.request)]),
    ])
      await scope.fetch?.("https://api/quote/v2", { body, method: "POST" });
    expect(guard.internal.book.quotes).to.have.length(2);
  });
  it("E11: a node that once does not answer a read of the guard does not lock an item that the wallet was never asked for", async () => {
    let isFirst = true;
    const sample = wrapSample("silent node");
    const { guard, log, provider } = await guarded([sample], {
      answers: {
        eth_blockNumber: () => {
          if (!isFirst) return "0x7";
          isFirst = false;
          return new Promise(() => {});
        },
      },
    });
    void send(provider, callOf(sample));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(log).to.deep.equal([]);
    await guard.add(sample);
    expect(await within(send(provider, callOf(sample)))).to.equal("answered");
  });
});

describe("attack: the refusal", () => {
  it("F1: an asynchronous callback's error is ignored too", async () => {
    const unhandled: unknown[] = [];
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (error) => unhandled.push(error));
    const { provider } = await guarded([], {
      onRefused: async () => {
        throw new Error("log server is down");
      },
    });
    await rejectionOf(provider.request({ method: "eth_sign", params: [] }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.removeAllListeners("unhandledRejection");
    for (const each of listeners) process.on("unhandledRejection", each);
    expect(unhandled).to.deep.equal([]);
  });

  it("F2 lie: a node's made-up block does not become the answer of a payment that was never sent", async () => {
    const sample = wrapSample("made up");
    const { from, to, value, data } = callOf(sample);
    let block = 7;
    const { provider } = await guarded([sample], {
      answers: {
        eth_blockNumber: () => `0x${(block++).toString(16)}`,
        eth_getBlockByNumber: () => ({
          transactions: [{ from, hash: `0x${"66".repeat(32)}`, input: data, to, value }],
        }),
        eth_sendTransaction: () => {
          throw walletError(-32603);
        },
      },
    });
    await rejectionOf(send(provider, callOf(sample)));
    expect(await within(send(provider, callOf(sample)))).to.include("refused");
  });

  for (const [name, params] of Object.entries({
    "a getter that throws": {
      get calls(): never {
        throw new Error("no");
      },
    },
    "capabilities that are a number": {
      calls: [{ to: token }],
      capabilities: 7,
      chainId: "0x7a69",
      from: user,
    },
    "calls of null": { calls: [null], chainId: "0x7a69", from: user },
    circular: (() => {
      const a: Record<string, unknown> = {};
      a["calls"] = [a];
      return a;
    })(),
  })) {
    it(`F3: sendCalls with ${name} is refused by 4100`, async () => {
      const { log, provider } = await guarded([]);
      expect(
        await rejectionOf(provider.request({ method: "wallet_sendCalls", params: [params] })),
      ).to.include({ code: 4100 });
      expect(log).to.deep.equal([]);
    });
  }
  it("F4: a hostile block (value that is no number) leaves a code that clients do not repeat", async () => {
    const sample = wrapSample("bad block");
    let block = 7;
    const { provider } = await guarded([sample], {
      answers: {
        eth_blockNumber: () => `0x${(block++).toString(16)}`,
        eth_getBlockByNumber: () => {
          throw walletError(-32000, "busy");
        },
        eth_sendTransaction: () => {
          throw walletError(-32603);
        },
      },
    });
    await rejectionOf(send(provider, callOf(sample)));
    expect(await rejectionOf(send(provider, callOf(sample)))).to.include({ code: 4100 });
  });
});

describe("attack: what held", () => {
  const withRequestId = (sample: Sample, id: string): Sample => ({
    ...sample,
    quote: {
      ...sample.quote,
      steps: sample.quote.steps.map((step) => ({ ...step, requestId: requestIdOf(id) })),
    } as Sample["quote"],
  });
  const batchOf = (sample: Sample) => ({
    method: "wallet_sendCalls",
    params: [
      {
        calls: [callOf(sample), callOf(sample, 1)].map(({ data, to }) => ({ data, to })),
        chainId: "0x7a69",
        from: user,
      },
    ],
  });
  const paymentsIn = (log: readonly ProviderRequest[], sample: Sample) =>
    log.filter((each) => JSON.stringify(each).includes(String(callOf(sample, 1)["data"]))).length;

  it("two request ids of one order pay once", async () => {
    const one = await tokenSample("one order");
    const { guard, log, provider } = await guarded([one]);
    await send(provider, callOf(one));
    await send(provider, callOf(one, 1));
    expect(await guard.add(withRequestId(one, "another"))).to.include({ isProven: true });
    await send(provider, callOf(one));
    expect(await rejectionOf(send(provider, callOf(one, 1)))).to.include({ code: 4100 });
    expect(paymentsIn(log, one)).to.equal(1);
  });

  it("a batch whose outcome is unknown, then each call alone, then the same quote again: one payment", async () => {
    const sample = await tokenSample("batch unknown");
    const { guard, log, provider } = await guarded([sample], {
      answers: {
        wallet_sendCalls: () => {
          throw walletError(-32603);
        },
      },
    });
    await rejectionOf(provider.request(batchOf(sample)));
    await rejectionOf(provider.request(batchOf(sample)));
    await send(provider, callOf(sample));
    await rejectionOf(send(provider, callOf(sample, 1)));
    await guard.add(withRequestId(sample, "batch again"));
    await send(provider, callOf(sample)).catch(() => {});
    await rejectionOf(send(provider, callOf(sample, 1)));
    await rejectionOf(provider.request(batchOf(sample)));
    expect(paymentsIn(log, sample)).to.equal(1);
  });

  it("a batch pending, a second batch and single calls meanwhile: one payment", async () => {
    const sample = await tokenSample("batch pending");
    let answer: (id: unknown) => void = () => {};
    const { log, provider } = await guarded([sample], {
      answers: { wallet_sendCalls: () => new Promise((resolve) => (answer = resolve)) },
    });
    const first = provider.request(batchOf(sample));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await rejectionOf(provider.request(batchOf(sample)));
    await rejectionOf(send(provider, callOf(sample)));
    const early = rejectionOf(send(provider, callOf(sample, 1)));
    answer({ id: "0x1" });
    await first;
    await early;
    expect(paymentsIn(log, sample)).to.equal(1);
  });

  it("a quote that is pushed out while its prompt is open, and learned again: one payment", async () => {
    const sample = wrapSample("evicted");
    let answer: (id: unknown) => void = () => {};
    const { guard, log, provider } = await guarded([sample], {
      answers: { eth_sendTransaction: () => new Promise((resolve) => (answer = resolve)) },
    });
    const first = send(provider, callOf(sample));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 256; i++) void guard.add({ quote: {} as never, request: sample.request });
    await guard.add(sample);
    await rejectionOf(send(provider, callOf(sample)));
    answer(txHash);
    await first;
    await guard.add(sample);
    await rejectionOf(send(provider, callOf(sample)));
    expect(log).to.have.length(1);
  });

  it("M1: steps that the service appends without end are not kept", async () => {
    const sample = await permitSample("endless");
    const { guard } = await guarded([sample]);
    const steps = Array.from({ length: 1_000 }, () => wrapSample("x").quote.steps[0]) as never;
    for (let i = 0; i < 10; i++) await guard.append({ requestId: requestIdOf("endless"), steps });
    expect(guard.internal.book.quotes[0]?.appended.length).to.be.lessThan(100);
  });
});
