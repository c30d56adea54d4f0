import { expect } from "chai";
import { rejectionOf } from "../client/support/fakeService.ts";
import { token, user } from "../client/support/samples.ts";
import { permitSample, type Sample, tokenSample, wrapSample } from "./support/quotes.ts";
import { callOf, guarded, send, until, walletError } from "./support/wallet.ts";

const method = "wallet_sendCalls";
const chainId = "0x7a69";
const batchOf = (sample: Sample) => {
  const calls = [callOf(sample), callOf(sample, 1)].map(({ data, to }) => ({ data, to }));
  return { method, params: [{ calls, chainId, from: user }] };
};

describe("guardProvider: batches", () => {
  for (const [name, start] of Object.entries({
    "a signature": permitSample,
    "one call": async () => wrapSample("holes"),
    "two calls": tokenSample,
  })) {
    for (const length of [1, 2, 7]) {
      it(`${length} holes in the calls of a batch, of a quote with ${name}: are refused`, async () => {
        const sample = await start(`holes ${length}`);
        const { log, provider } = await guarded([sample]);
        const holes = new Array(length);
        for (const from of [user, token])
          expect(
            await rejectionOf(provider.request({ method, params: [{ calls: holes, chainId, from }] })),
          ).to.include({ code: 4100 });
        const [call] = [callOf(sample)];
        holes[length - 1] = call;
        const isWhole = length === 1 && name !== "a signature";
        if (!isWhole)
          await rejectionOf(provider.request({ method, params: [{ calls: holes, chainId, from: user }] }));
        expect(log).to.deep.equal([]);
      });
    }
  }

  it("a batch with an open outcome: is not asked for again, as a batch or call by call", async () => {
    const sample = await tokenSample("batch unknown");
    const { log, provider } = await guarded([sample], {
      answers: {
        wallet_sendCalls: () => {
          throw walletError(-32603);
        },
      },
    });
    for (let times = 0; times < 2; times++) await rejectionOf(provider.request(batchOf(sample)));
    await send(provider, callOf(sample));
    await rejectionOf(send(provider, callOf(sample, 1)));
    await rejectionOf(provider.request(batchOf(sample)));
    expect(log.map((each) => each.method)).to.deep.equal([method, "eth_sendTransaction"]);
  });

  it("a batch at the wallet: neither it nor its calls are asked for meanwhile", async () => {
    const sample = await tokenSample("batch pending");
    const wallet = Promise.withResolvers<unknown>();
    const { log, provider } = await guarded([sample], {
      answers: { wallet_sendCalls: () => wallet.promise },
    });
    const first = provider.request(batchOf(sample));
    await until(() => log.length > 0);
    await rejectionOf(provider.request(batchOf(sample)));
    await rejectionOf(send(provider, callOf(sample)));
    const early = rejectionOf(send(provider, callOf(sample, 1)));
    wallet.resolve({ id: "0x1" });
    await first;
    await early;
    expect(log).to.have.length(1);
  });
});
