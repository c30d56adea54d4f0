import { expect } from "chai";
import { AbortedError } from "../../../src/errors/AbortedError.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { NetworkError } from "../../../src/errors/NetworkError.ts";
import { ResponseInvalidError } from "../../../src/errors/ResponseInvalidError.ts";
import { ResponseTooLargeError } from "../../../src/errors/ResponseTooLargeError.ts";
import { TimeoutError } from "../../../src/errors/TimeoutError.ts";
import { ExchangeRejectedError } from "../../../src/perps/ExchangeRejectedError.ts";
import { getExchangeBalance } from "../../../src/perps/getExchangeBalance.ts";
import type { ExchangeOptions } from "../../../src/perps/postToExchange.ts";
import { readWithdrawal } from "../../../src/perps/readWithdrawal.ts";
import { signWithdrawal } from "../../../src/perps/signWithdrawal.ts";
import { submitExchangeAction } from "../../../src/perps/submitExchangeAction.ts";
import { WithdrawalInvalidError } from "../../../src/perps/WithdrawalInvalidError.ts";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { startExchange } from "./support/exchange.ts";
import { account, now, solver, withdrawalQuote } from "./support/withdrawal.ts";

const withdrawal = readWithdrawal({ chainId: 8453, now, quote: withdrawalQuote() });
const user = account.address;
const url = "http://127.0.0.1:1";

/** Options that answer every call with the same, and count the calls. */
function answering(answer: (init: RequestInit) => Response | Promise<Response>) {
  const calls: string[] = [];
  const options: ExchangeOptions = {
    fetch: async (address, init) => {
      calls.push(address);
      return answer(init);
    },
    url,
  };
  return { calls, options };
}

describe("the exchange", () => {
  let exchange: Awaited<ReturnType<typeof startExchange>>;
  let request: ExchangeRequest;
  before(async () => {
    exchange = await startExchange();
    request = (await signWithdrawal({ account, withdrawal })).deposit;
  });
  after(() => exchange.close());

  it("carries out over a socket what was signed, for the account that signed it, and only once", async () => {
    const answer = await submitExchangeAction({ request, url: exchange.url });
    expect(answer.status).to.equal("ok");
    expect(exchange.sent).to.deep.equal([{ account: user, amount: "25.5", destination: solver }]);
    const again = await rejectionOf(submitExchangeAction({ request, url: exchange.url }));
    expect(again).to.be.instanceOf(ExchangeRejectedError);
    expect(again).to.deep.include({ details: "Nonce already used", retryable: false, status: "err" });
    expect(exchange.sent).to.have.length(1);
  });

  it("does not carry out for the signer what was changed behind the signature", async () => {
    const action = { ...request.action, amount: "2550" };
    await submitExchangeAction({ request: { ...request, action }, url: exchange.url });
    expect(exchange.sent.at(-1)?.account).not.to.equal(user);
  });

  it("tells over a socket what can be withdrawn, to the smallest unit, from each market", async () => {
    expect(await getExchangeBalance({ url: exchange.url, user })).to.deep.equal({
      withdrawable: 1_310_451_450_200n,
    });
    const other = await getExchangeBalance({ market: "xyz", url: exchange.url, user });
    expect(other).to.deep.equal({ withdrawable: 0n });
  });
});

describe("submitExchangeAction", () => {
  let request: ExchangeRequest;
  before(async () => {
    request = (await signWithdrawal({ account, withdrawal })).deposit;
  });

  it("posts the action exactly as it was signed, in one call to the address it was given", async () => {
    let body: unknown;
    const { calls, options } = answering((init) => {
      body = JSON.parse(String(init.body));
      return Response.json({ status: "ok" });
    });
    await submitExchangeAction({ ...options, request, url: "http://127.0.0.1:1/prefix/" });
    expect(calls).to.deep.equal(["http://127.0.0.1:1/prefix/exchange"]);
    expect(body).to.deep.equal(request);
  });

  it("takes nothing but status 200 and `ok`, and never tries again by itself", async () => {
    const cases: readonly (readonly [typeof Error, () => Response])[] = [
      [HttpError, () => Response.json({ status: "ok" }, { status: 201 })],
      [HttpError, () => new Response("<html>", { status: 503 })],
      [HttpError, () => new Response(null, { status: 204 })],
      [HttpError, () => Response.json({ status: "ok" }, { status: 429 })],
      [ExchangeRejectedError, () => Response.json({ response: { deep: true }, status: "err" })],
      [ExchangeRejectedError, () => Response.json({ status: "OK" })],
      [ResponseInvalidError, () => new Response("not JSON")],
      [ResponseInvalidError, () => Response.json({ ok: true })],
      [ResponseInvalidError, () => Response.json([])],
      [ResponseTooLargeError, () => new Response(`"${"x".repeat(5_000_000)}"`)],
    ] as unknown as readonly (readonly [typeof Error, () => Response])[];
    for (const [type, answer] of cases) {
      const { calls, options } = answering(answer);
      const error = await rejectionOf(submitExchangeAction({ ...options, request }));
      expect(error).to.be.instanceOf(type);
      expect(error).to.have.property("retryable", false);
      expect(calls).to.have.length(1);
    }
  });

  it("tells no answer, a timeout and an abort apart", async () => {
    const never = answering(() => new Promise<Response>(() => undefined)).options;
    const broken = answering(() => Promise.reject(new TypeError("connection reset"))).options;
    const controller = new AbortController();
    const called = rejectionOf(submitExchangeAction({ ...never, request, signal: controller.signal }));
    controller.abort();
    expect(await called).to.be.instanceOf(AbortedError);
    expect(await rejectionOf(submitExchangeAction({ ...never, request, timeout: 5 }))).to.be.instanceOf(
      TimeoutError,
    );
    expect(await rejectionOf(submitExchangeAction({ ...broken, request }))).to.be.instanceOf(NetworkError);
    expect(await rejectionOf(submitExchangeAction({ request, url }))).to.be.instanceOf(NetworkError);
    const early = answering(() => Response.json({ status: "ok" }));
    const off = submitExchangeAction({ ...early.options, request, signal: AbortSignal.abort() });
    expect(await rejectionOf(off)).to.be.instanceOf(AbortedError);
    expect(early.calls).to.deep.equal([]);
  });

  it("refuses before it posts what the exchange would not link to the request, or not take", async () => {
    const { calls, options } = answering(() => Response.json({ status: "ok" }));
    const mismatch = { ...request, nonce: request.nonce + 1 };
    const error = await rejectionOf(submitExchangeAction({ ...options, request: mismatch }));
    expect(error).to.be.instanceOf(WithdrawalInvalidError).and.to.have.property("fault", "nonce-mismatch");
    const wrong = [
      ["request.signature.v", { ...request, signature: { ...request.signature, v: 1 } }],
      ["request.action.amount", { ...request, action: { ...request.action, amount: 1 } }],
      ["request", null],
    ] as const;
    for (const [parameter, value] of wrong) {
      const refused = submitExchangeAction({ ...options, request: value as unknown as ExchangeRequest });
      expect(await rejectionOf(refused)).to.have.property("parameter", parameter);
    }
    const secret = submitExchangeAction({ ...options, request, url: "http://user:pass@127.0.0.1" });
    expect(await rejectionOf(secret)).to.have.property("parameter", "url");
    const { url: _, ...nowhere } = { ...options, request };
    const unnamed = await rejectionOf(submitExchangeAction(nowhere as never));
    expect(unnamed).to.have.property("parameter", "url");
    expect(unnamed).to.have.property("message").which.includes("`production.exchangeUrl`");
    expect(calls).to.deep.equal([]);
  });
});

describe("getExchangeBalance", () => {
  it("refuses an answer whose number is none, or loses digits", async () => {
    for (const withdrawable of [1, "1e3", "-1", "", "0.000000001", "NaN", undefined, "9".repeat(200)]) {
      const { options } = answering(() => Response.json({ withdrawable }));
      const error = await rejectionOf(getExchangeBalance({ ...options, user }));
      expect(error, String(withdrawable))
        .to.be.instanceOf(ResponseInvalidError)
        .and.to.have.property("path", "withdrawable");
    }
    const { options } = answering(() => Response.json({ withdrawable: "1.50000000000" }));
    expect(await getExchangeBalance({ ...options, user })).to.deep.equal({ withdrawable: 150_000_000n });
  });

  it("may be asked again after an error that passes, and only then", async () => {
    const retryable = async (status: number) => {
      const { options } = answering(() => new Response("", { status }));
      return (await rejectionOf(getExchangeBalance({ ...options, user }))) as HttpError;
    };
    expect([(await retryable(429)).retryable, (await retryable(503)).retryable]).to.deep.equal([true, true]);
    expect([(await retryable(400)).retryable, (await retryable(500)).retryable]).to.deep.equal([
      false,
      false,
    ]);
  });

  it("refuses an account that is none before it asks", async () => {
    const { calls, options } = answering(() => Response.json({ withdrawable: "1" }));
    expect(await rejectionOf(getExchangeBalance({ ...options, user: "0x12" }))).to.have.property(
      "parameter",
      "user",
    );
    expect(calls).to.deep.equal([]);
  });
});
