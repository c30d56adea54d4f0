import { expect } from "chai";
import type { HttpError } from "../../../src/errors/HttpError.ts";
import { getExchangeBalance } from "../../../src/perps/getExchangeBalance.ts";
import type { ExchangeOptions } from "../../../src/perps/postToExchange.ts";
import { readWithdrawal } from "../../../src/perps/readWithdrawal.ts";
import { signWithdrawal } from "../../../src/perps/signWithdrawal.ts";
import { submitExchangeAction } from "../../../src/perps/submitExchangeAction.ts";
import { markProven } from "../../../src/perps/Withdrawal.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { account, now, withdrawalQuote } from "./support/withdrawal.ts";

const withdrawal = markProven(readWithdrawal({ chainId: 8453, now, quote: withdrawalQuote() }));
const user = account.address;
const url = "http://127.0.0.1:1";

/**
 * Options that answer every call with the same, and count the calls: for refusals, malformed bodies and broken connections.
 * `test/integration/perps/acceptedActions.test.ts` has the answers of the emulator's exchange.
 */
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

const { deposit: request } = await signWithdrawal({ account, withdrawal });

describe("submitExchangeAction", () => {
  // @spec perps/submit
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

  for (const [name, what, answer] of [
    ["HttpError", "a 201", () => Response.json({ status: "ok" }, { status: 201 })],
    ["HttpError", "a 503", () => new Response("<html>", { status: 503 })],
    ["HttpError", "a 204", () => new Response(null, { status: 204 })],
    ["HttpError", "a 429", () => Response.json({ status: "ok" }, { status: 429 })],
    ["ExchangeRejectedError", "a refusal", () => Response.json({ response: { deep: true }, status: "err" })],
    ["ExchangeRejectedError", "OK in capitals", () => Response.json({ status: "OK" })],
    ["ResponseInvalidError", "plain text", () => new Response("not JSON")],
    ["ResponseInvalidError", "another object", () => Response.json({ ok: true })],
    ["ResponseInvalidError", "a list", () => Response.json([])],
    ["ResponseTooLargeError", "5 MB", () => new Response(`"${"x".repeat(5_000_000)}"`)],
  ] as const) {
    // @spec perps/success error/exchange
    it(`fails with ${name} on ${what}, and never tries again by itself`, async () => {
      const { calls, options } = answering(answer);
      const error = await rejectionOf(submitExchangeAction({ ...options, request }));
      expect(error).to.include({ name, retryable: false });
      expect(calls).to.have.length(1);
    });
  }

  const never = () => new Promise<Response>(() => undefined);
  const broken = () => Promise.reject(new TypeError("connection reset"));
  for (const [code, when, answer, more] of [
    ["TIMEOUT", "there is no answer in time", never, () => ({ timeout: 5 })],
    ["NETWORK_ERROR", "the connection breaks", broken, () => ({})],
    ["NETWORK_ERROR", "no server listens", undefined, () => ({})],
    ["ABORTED", "the caller aborts", never, () => ({ signal: AbortSignal.timeout(5) })],
  ] as const) {
    it(`fails with ${code} when ${when}`, async () => {
      const options = answer === undefined ? { url } : answering(answer).options;
      const work = submitExchangeAction({ ...options, ...more(), request });
      expect(await rejectionOf(work)).to.have.property("code", code);
    });
  }

  const named = { parameter: "url" };
  for (const [what, expected, parameters] of [
    ["another nonce", { fault: "nonce-mismatch" }, { request: { ...request, nonce: request.nonce + 1 } }],
    [
      "a `v` of 1",
      { parameter: "request.signature.v" },
      { request: { ...request, signature: { ...request.signature, v: 1 } } },
    ],
    [
      "an amount that is a number",
      { parameter: "request.action.amount" },
      { request: { ...request, action: { ...request.action, amount: 1 } } },
    ],
    ["no request", { parameter: "request" }, { request: null }],
    ["credentials in the address", named, { url: "http://user:pass@127.0.0.1" }],
    ["no address", named, { url: undefined }],
  ] as const) {
    it(`given ${what}, fails before it posts anything`, async () => {
      const { calls, options } = answering(() => Response.json({ status: "ok" }));
      const error = await rejectionOf(submitExchangeAction({ ...options, request, ...parameters } as never));
      expect(error).to.include(expected);
      if (what === "no address") {
        expect(error).to.have.property("message").which.includes("`production.exchangeUrl`");
      }
      expect(calls).to.deep.equal([]);
    });
  }
});

describe("getExchangeBalance", () => {
  it("refuses an answer whose number is none, or loses digits", async () => {
    for (const withdrawable of [1, "1e3", "-1", "", "0.000000001", "NaN", undefined, "9".repeat(200)]) {
      const { options } = answering(() => Response.json({ withdrawable }));
      const error = await rejectionOf(getExchangeBalance({ ...options, user }));
      expect(error, String(withdrawable)).to.include({ code: "RESPONSE_INVALID", path: "withdrawable" });
    }
    const { options } = answering(() => Response.json({ withdrawable: "1.50000000000" }));
    expect(await getExchangeBalance({ ...options, user })).to.deep.equal({ withdrawable: 150_000_000n });
  });

  for (const [status, retryable] of [
    [429, true],
    [503, true],
    [400, false],
    [500, false],
  ] as const) {
    it(`fails with ${retryable ? "a retryable" : "a final"} error on a ${status}`, async () => {
      const { options } = answering(() => new Response("", { status }));
      const error = (await rejectionOf(getExchangeBalance({ ...options, user }))) as HttpError;
      expect(error.retryable).to.equal(retryable);
    });
  }
});
