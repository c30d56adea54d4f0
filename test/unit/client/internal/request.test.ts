import { expect } from "chai";
import { type CreateClientParameters, createClient } from "../../../../src/client/createClient.ts";
import { type GetChainsParameters, getChains } from "../../../../src/client/getChains.ts";
import { getStatus } from "../../../../src/client/getStatus.ts";
import { type SubmitSignatureParameters, submitSignature } from "../../../../src/client/submitSignature.ts";
import { HttpError } from "../../../../src/errors/HttpError.ts";
import { production } from "../../../../src/internal/serviceAddresses.ts";
import { type Answer, fakeService, json, rejectionOf, silence } from "../support/fakeService.ts";
import { requestId } from "../support/samples.ts";

type Options = Partial<CreateClientParameters>;

const chains = { chains: [] };
const slowDown = () => json({ message: "slow down" }, 429);
const cut = new Response('{"chains":[{"id":1,"name":"o', { status: 200 });

/** Reads the chains of a service that gives `answers`. */
function read(answers: readonly Answer[], options?: Options, parameters?: GetChainsParameters) {
  const service = fakeService(answers, options);
  return { ...service, work: getChains(service.client, parameters) };
}

/** Same as `read`, for the error. */
async function fail(answers: readonly Answer[], options?: Options, parameters?: GetChainsParameters) {
  const { work, ...service } = read(answers, options, parameters);
  return { ...service, error: await rejectionOf(work) };
}

describe("a call of the client", () => {
  it("repeats a read after a 429 and returns the answer that then comes", async () => {
    const { calls, sleeps, work } = read([slowDown(), slowDown(), json(chains)]);
    expect(await work).to.deep.equal(chains);
    expect(calls).to.have.length(3);
    // Half of 250 ms, then half of twice that: full jitter with a random number of one half.
    expect(sleeps).to.deep.equal([125, 250]);
  });

  for (const [status, retryAfter, slept] of [
    [429, "2", 2_125],
    [503, new Date(1_700_000_003_000).toUTCString(), 3_125],
  ] as const) {
    it(`waits as long as Retry-After asks and adds its jitter: ${retryAfter}`, async () => {
      const { sleeps, work } = read([json({}, status, { "retry-after": retryAfter }), json(chains)]);
      await work;
      expect(sleeps).to.deep.equal([slept]);
    });
  }

  it("does not wait for a Retry-After that lies beyond its deadline", async () => {
    const { error, sleeps } = await fail([json({}, 429, { "retry-after": "3600" })]);
    expect(error).to.include({ code: "RATE_LIMITED", retryAfterMs: 3_600_000 });
    expect(sleeps).to.deep.equal([]);
  });

  const passing: readonly (readonly [what: string, answer: Answer])[] = [
    ...[408, 502, 503, 504].map((status) => [`a ${status}`, new Response("<html>", { status })] as const),
    ["a code that is documented to pass", json({ errorCode: "PRICE_FETCH_FAILED" }, 500)],
    ["a refused connection", new TypeError("fetch failed")],
    ["JSON that was cut short", cut],
  ];
  for (const [what, answer] of passing) {
    it(`repeats a read after ${what}`, async () => {
      const { calls, work } = read([answer, json(chains)]);
      expect(await work).to.deep.equal(chains);
      expect(calls).to.have.length(2);
    });
  }

  for (const [status, errorCode] of [
    [500, undefined],
    [500, "UNKNOWN_ERROR"],
    [500, "BRAND_NEW"],
    [500, "constructor"],
    [400, "NO_SWAP_ROUTES_FOUND"],
  ] as const) {
    it(`does not repeat a read after a ${status} with the code ${errorCode}`, async () => {
      const { calls, error } = await fail([json({ errorCode }, status)]);
      expect(error).to.include({ errorCode, name: "HttpError", retryable: false, status });
      expect(calls).to.have.length(1);
    });
  }

  it("keeps the real status, the code, the request id and the failed call of an error", async () => {
    const failedCallData = { data: "0x12", to: "0xaa" };
    const reported = {
      errorCode: "DESTINATION_TX_FAILED",
      errorData: "execution reverted",
      requestId,
    };
    const details = "Destination transaction failed";
    const { error } = await fail([
      json({ ...reported, failedCallData, message: details, statusCode: 200 }, 400),
    ]);
    const called = { method: "GET", status: 400, url: "https://service.test/chains" };
    expect(error).to.include({ ...reported, ...called, code: "HTTP_ERROR", details });
    expect(error).to.have.property("failedCallData").that.includes(failedCallData);
  });

  for (const body of ["", "null", "[]", "7", '{"message":7,"errorCode":[]}', "<html>", "{"]) {
    it(`survives the error body ${JSON.stringify(body)}`, async () => {
      const { error } = await fail([new Response(body, { status: 400 })]);
      expect(error).to.be.instanceOf(HttpError).and.include({ errorCode: undefined, status: 400 });
    });
  }

  it("never returns a part of JSON that is always cut short", async () => {
    const { error } = await fail([cut], { retry: { count: 1 } });
    expect(error).to.include({ code: "RESPONSE_INVALID", path: "", reason: "not JSON", status: 200 });
  });

  it("names the place of an answer that has another shape, without its value, and does not repeat it", async () => {
    const { calls, error } = await fail([json({ chains: [{ id: "<script>" }] })]);
    expect(error).to.include({ code: "RESPONSE_INVALID", path: "chains.0.id" });
    expect(error).to.have.property("message").which.includes("expected number").and.not.includes("script");
    expect(calls).to.have.length(1);
  });

  it("does not follow redirects, which could carry the API key to another host", async () => {
    let redirect: RequestRedirect | undefined;
    const fetch = async (_url: string, init: RequestInit) => {
      redirect = init.redirect;
      return json(chains);
    };
    await read([], { fetch }).work;
    expect(redirect).to.equal("error");
  });

  it("stops at its deadline even if fetch ignores the signal", async () => {
    const { error } = await fail([silence], {}, { timeout: 20 });
    expect(error).to.include({ code: "TIMEOUT", operation: "reading the chains", timeoutMs: 20 });
  });

  it("stops when the caller aborts while it waits to repeat", async () => {
    const controller = new AbortController();
    const sleep = () => {
      controller.abort();
      return new Promise<void>(() => undefined);
    };
    const { error } = await fail([slowDown()], { sleep }, { signal: controller.signal });
    expect(error).to.have.property("code", "ABORTED");
  });

  // @spec auth/header
  it("sends the API key as a header and shows it nowhere", async () => {
    const apiKey = "key-3f1c9d";
    const echo = json({ message: `the key ${apiKey} is not known`, requestId: apiKey }, 401);
    const { calls, client, error } = await fail([echo], { apiKey });
    expect(calls[0]?.headers.get("x-api-key")).to.equal(apiKey);
    expect(error).to.have.property("details", "the key … is not known");
    expect(String(error)).to.not.include(apiKey);
    expect(JSON.stringify(client)).to.not.include(apiKey);
    expect(client.apiKey).to.equal(apiKey);
  });

  it("refuses an API key that cannot be a header, without quoting it", () => {
    expect(() => createClient({ ...production, apiKey: "se cret\n" })).to.throw(
      /^Parameter `apiKey` is invalid: (?![\s\S]*cret)/,
    );
  });
});

describe("a submission of the client", () => {
  const submission = {
    body: { kind: "eip3009" },
    endpoint: "/execute/permits",
    signature: "0xabcdef",
  } as const;
  const submit = async (answers: readonly Answer[], more: Partial<SubmitSignatureParameters> = {}) => {
    const { calls, client } = fakeService(answers);
    return { calls, error: await rejectionOf(submitSignature(client, { ...submission, ...more })) };
  };

  // Only a 429 proves that the service did not process the request.
  for (const [what, answer, retryable] of [
    ["a 500", json({}, 500), false],
    ["a 503", json({}, 503), false],
    ["a 503 that names its reason", json({ errorCode: "SERVICE_UNAVAILABLE" }, 503), false],
    ["a 429", slowDown(), true],
    ["a broken connection", new TypeError("socket hang up"), false],
    ["JSON that was cut short", new Response('{"steps":[', { status: 200 }), false],
  ] as const) {
    it(`is never repeated after ${what}, and its error is ${retryable ? "" : "not "}retryable`, async () => {
      const { calls, error } = await submit([answer, json({})]);
      expect(calls).to.have.length(1);
      expect(error).to.have.property("retryable", retryable);
    });
  }

  it("posts the body unchanged, with the signature in the query and out of every message", async () => {
    const endpoint = "/authorize?from=quote";
    const { calls, error } = await submit([json({ message: "bad signature" }, 400)], { endpoint });
    expect(calls[0]).to.deep.include({
      body: { kind: "eip3009" },
      method: "POST",
      pathname: "/authorize",
      query: { from: "quote", signature: "0xabcdef" },
    });
    expect(error).to.have.property("url", "https://service.test/authorize?from=…&signature=…");
    expect(String(error)).to.not.include("abcdef");
  });

  it("keeps the signature out of the message when the connection breaks", async () => {
    const { error } = await submit([
      ({ url }) => {
        throw new TypeError(`cannot reach ${url}`);
      },
    ]);
    expect(error).to.have.property("code", "NETWORK_ERROR");
    expect((error as Error).cause).to.equal(undefined);
    expect(String(error)).to.not.include("abcdef");
  });

  for (const endpoint of [
    "https://evil.test/authorize",
    "//evil.test/authorize",
    "/\\evil.test",
    "authorize",
    "",
  ]) {
    it(`refuses the endpoint "${endpoint}", which is no path of the service`, async () => {
      const { calls, error } = await submit([json({})], { endpoint });
      expect(error).to.have.property("code", "INVALID_PARAMETER");
      expect(calls).to.deep.equal([]);
    });
  }
});

describe("the address of a call", () => {
  for (const baseUrl of ["http://host.test/api", "http://host.test/api/", "http://host.test/api//"]) {
    it(`keeps the path prefix of ${baseUrl}`, async () => {
      const { calls, client } = fakeService([json({ status: "waiting" })], { baseUrl });
      await getStatus(client, { requestId });
      expect(calls[0]?.url).to.equal(`http://host.test/api/intents/status/v3?requestId=${requestId}`);
    });
  }

  const invalid = ["", "api.relay.link", "ftp://host", "http://u:p@host", "http://host?x=1", "http://host#x"];
  for (const baseUrl of invalid) {
    it(`is refused when the service's address is "${baseUrl}"`, () => {
      expect(() => createClient({ baseUrl })).to.throw("`baseUrl` is invalid");
    });
  }
});
