import { expect } from "chai";
import { createPublicClient, custom, encodeAbiParameters } from "viem";
import { createQuoteGuard, type RequestScope, watchRequests } from "../../../src/guard/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { txHash, user } from "../client/support/samples.ts";
import { now, permitSample, policy, requestIdOf, tokenSample, trust, wrapSample } from "./support/quotes.ts";
import { callOf, guarded, send, typedOf, until, walletError } from "./support/wallet.ts";

describe("guardProvider: failures and switches while a request is handled", () => {
  for (const [name, kind] of [
    ["price", "an error"],
    ["node of the app", "a difference"],
  ] as const) {
    it(`a ${name} that fails once when a payment is asked for, which is ${kind}: the payment passes when it is asked for again`, async () => {
      let time = now;
      let isOffline = false;
      const expectOnline = () => {
        if (isOffline) throw new Error("offline");
      };
      const price = ({ amount }: { amount: bigint }) => {
        if (name === "price") expectOnline();
        return amount;
      };
      const reader = createPublicClient({
        transport: custom(
          {
            request: async ({ method, params }) => {
              expectOnline();
              if (method === "eth_chainId") return "0x7a69";
              return String(params[0].data).startsWith("0x313ce567")
                ? encodeAbiParameters([{ type: "uint8" }], [6])
                : encodeAbiParameters([{ type: "string" }], ["ETH"]);
            },
          },
          { retryCount: 0 },
        ),
      });
      const sample = await tokenSample(`${name} offline once`);
      const { provider } = await guarded([sample], { now: () => time, policy: { price, reader, trust } });
      await send(provider, callOf(sample));
      time += 60_000;
      isOffline = true;
      expect(await rejectionOf(send(provider, callOf(sample, 1)))).to.include({ code: 4100 });
      isOffline = false;
      expect(await send(provider, callOf(sample, 1))).to.equal(txHash);
    });
  }

  it("a chain switch during the second proof: the wallet is not asked", async () => {
    let [time, chainId] = [now, "0x7a69"];
    const sample = wrapSample("switched");
    const { log, provider } = await guarded([sample], {
      answers: { eth_chainId: () => chainId },
      now: () => time,
      policyFor: () => {
        if (time > now) chainId = "0x7a6a";
        return {};
      },
    });
    time += 60_000;
    expect(await rejectionOf(send(provider, callOf(sample)))).to.include({ code: 4100 });
    expect(log).to.deep.equal([]);
  });

  it("a newer answer with the same approval, whose proof is under way: the approval waits for it", async () => {
    let time = now;
    const [older, newer] = [await tokenSample("polled 1"), await tokenSample("polled 2")];
    const gate = Promise.withResolvers<object>();
    const answers: unknown[] = [{}];
    const context = await guarded([older], {
      now: () => time,
      policyFor: () => {
        if (answers.length > 0) return answers.shift() as object;
        if (time > now) {
          time = now;
          void context.guard.add(newer);
          return {};
        }
        setTimeout(() => gate.resolve({}), 20);
        return gate.promise as Promise<object>;
      },
    });
    time += 60_000;
    expect(await send(context.provider, callOf(older))).to.equal(txHash);
  });

  it("an approval without an answer, asked for again and sent: the one that waits for it is asked for as well", async () => {
    let time = now;
    const sample = await tokenSample("waits", { isReset: true });
    const answers: unknown[] = [new Promise(() => {}), txHash, txHash];
    const timers: (() => void)[] = [];
    const { log, provider } = await guarded([sample], {
      answers: { eth_sendTransaction: () => answers.shift() },
      now: () => time,
      sleep: (milliseconds) =>
        milliseconds < 5_000
          ? Promise.resolve()
          : new Promise((resolve) => void (milliseconds === 60_000 && timers.push(resolve))),
    });
    void send(provider, callOf(sample));
    await until(() => log.length === 1);
    const second = send(provider, callOf(sample, 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    time += 60_000;
    await send(provider, callOf(sample));
    for (const end of timers) end();
    expect(await second).to.equal(txHash);
  });

  it("a wallet without batches, or a refused upgrade of the account: the calls can be asked for one by one", async () => {
    for (const code of [-32601, 4200, 5700, 5710, 5740, 5750, 5760]) {
      const sample = await tokenSample(`no batches ${code}`);
      const { provider } = await guarded([sample], {
        answers: { wallet_sendCalls: () => Promise.reject(walletError(code)) },
      });
      const calls = [callOf(sample), callOf(sample, 1)];
      const params = [{ calls, chainId: "0x7a69", from: user }];
      await rejectionOf(provider.request({ method: "wallet_sendCalls", params }));
      for (const call of calls) expect(await send(provider, call)).to.equal(txHash);
    }
  });

  it("a call of a batch with a needed capability: is refused", async () => {
    const sample = await tokenSample("needed by a call");
    const { log, provider } = await guarded([sample]);
    const calls = [
      callOf(sample),
      { ...callOf(sample, 1), capabilities: { gasLimitOverride: { value: "0x1" } } },
    ];
    const params = [{ calls, chainId: "0x7a69", from: user }];
    await rejectionOf(provider.request({ method: "wallet_sendCalls", params }));
    expect(log).to.deep.equal([]);
  });

  it("appended steps with the payment of a quote that was learned meanwhile: the payment is refused", async () => {
    const [other, permit] = [wrapSample("learned meanwhile"), await permitSample("hostile append")];
    const { guard, log, provider } = await guarded([permit]);
    await provider.request({ method: "eth_signTypedData_v4", params: [user, typedOf(permit)] });
    const requestId = requestIdOf("hostile append");
    await guard.add(other);
    const verdict = guard.append({ requestId, steps: other.quote.steps });
    await rejectionOf(send(provider, callOf(other)));
    expect(await verdict).to.include({ isProven: false });
    expect(log).to.have.length(1);
  });
});

describe("watchRequests: requests of other APIs", () => {
  it("a body that streams without end, or a Blob: is not read before it is sent", async () => {
    const sent: unknown[] = [];
    const scope: RequestScope = {
      fetch: async (input) => {
        sent.push(input);
        return new Response();
      },
    };
    watchRequests(createQuoteGuard({ policy }), scope);
    const body = new ReadableStream({ pull: () => new Promise(() => {}) });
    const request = new Request("http://127.0.0.1/live", {
      body,
      duplex: "half",
      method: "POST",
    } as RequestInit);
    void scope.fetch?.(request);
    const blob = Object.assign(new Blob(["x"]), {
      stream: () => {
        throw new Error("read");
      },
      text: () => {
        throw new Error("read");
      },
    });
    void scope.fetch?.("http://127.0.0.1/upload", { body: blob, method: "PUT" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent).to.have.length(2);
  });
});
