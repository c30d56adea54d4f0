import { expect } from "chai";
import { createClient } from "../../../../src/client/createClient.ts";
import { getChains } from "../../../../src/client/getChains.ts";
import { getStatus } from "../../../../src/client/getStatus.ts";
import { submitSignature } from "../../../../src/client/submitSignature.ts";
import { AbortedError } from "../../../../src/errors/AbortedError.ts";
import { HttpError } from "../../../../src/errors/HttpError.ts";
import { NetworkError } from "../../../../src/errors/NetworkError.ts";
import { RateLimitedError } from "../../../../src/errors/RateLimitedError.ts";
import { ResponseInvalidError } from "../../../../src/errors/ResponseInvalidError.ts";
import { TimeoutError } from "../../../../src/errors/TimeoutError.ts";
import { production } from "../../../../src/internal/serviceAddresses.ts";
import { fakeService, json, rejectionOf, silence } from "../support/fakeService.ts";
import { requestId } from "../support/samples.ts";

const chains = { chains: [] };
const slowDown = () => json({ message: "slow down" }, 429);

describe("a call of the client", () => {
  it("repeats a read after a 429 and returns the answer that then comes", async () => {
    const { calls, client, sleeps } = fakeService([slowDown(), slowDown(), json(chains)]);
    expect(await getChains(client)).to.deep.equal(chains);
    expect(calls).to.have.length(3);
    // Half of 250 ms, then half of twice that: full jitter with a random number of one half.
    expect(sleeps).to.deep.equal([125, 250]);
  });

  it("waits as long as Retry-After asks, in seconds or as a date, and adds its jitter", async () => {
    const seconds = fakeService([json({}, 429, { "retry-after": "2" }), json(chains)]);
    await getChains(seconds.client);
    expect(seconds.sleeps).to.deep.equal([2_125]);
    const date = new Date(1_700_000_003_000).toUTCString();
    const dated = fakeService([json({}, 503, { "retry-after": date }), json(chains)]);
    await getChains(dated.client);
    expect(dated.sleeps).to.deep.equal([3_125]);
  });

  it("gives up with the last error when every attempt is refused", async () => {
    const { calls, client } = fakeService([slowDown()], { retry: { count: 2 } });
    const error = await rejectionOf(getChains(client));
    expect(error).to.be.instanceOf(RateLimitedError);
    expect(error).to.include({ code: "RATE_LIMITED", details: "slow down", retryable: true, status: 429 });
    expect(calls).to.have.length(3);
  });

  it("does not wait for a Retry-After that lies beyond its deadline", async () => {
    const { client, sleeps } = fakeService([json({}, 429, { "retry-after": "3600" })]);
    const error = await rejectionOf(getChains(client));
    expect(error).to.be.instanceOf(RateLimitedError);
    expect(error).to.have.property("retryAfterMs", 3_600_000);
    expect(sleeps).to.deep.equal([]);
  });

  for (const status of [408, 502, 503, 504]) {
    it(`repeats a read after a ${status}`, async () => {
      const { calls, client } = fakeService([new Response("<html>", { status }), json(chains)]);
      await getChains(client);
      expect(calls).to.have.length(2);
    });
  }

  it("repeats a read whose error code is documented to pass, whatever the status", async () => {
    const { calls, client } = fakeService([json({ errorCode: "PRICE_FETCH_FAILED" }, 500), json(chains)]);
    await getChains(client);
    expect(calls).to.have.length(2);
  });

  it("does not repeat a read after a plain 500 or a code that is not documented", async () => {
    for (const body of [
      {},
      { errorCode: "UNKNOWN_ERROR" },
      { errorCode: "BRAND_NEW" },
      { errorCode: "constructor" },
    ]) {
      const { calls, client } = fakeService([json(body, 500)]);
      expect(await rejectionOf(getChains(client))).to.include({ retryable: false, status: 500 });
      expect(calls).to.have.length(1);
    }
  });

  it("keeps the real status, the code, the request id and the failed call of an error", async () => {
    const body = {
      errorCode: "DESTINATION_TX_FAILED",
      errorData: "execution reverted",
      failedCallData: { data: "0x12", to: "0xaa" },
      message: "Destination transaction failed",
      requestId,
      statusCode: 200,
    };
    const { client } = fakeService([json(body, 400)]);
    const error = await rejectionOf(getChains(client));
    if (!(error instanceof HttpError)) expect.fail("not an HttpError");
    expect(error).to.include({
      code: "HTTP_ERROR",
      details: "Destination transaction failed",
      errorCode: "DESTINATION_TX_FAILED",
      errorData: "execution reverted",
      method: "GET",
      requestId,
      status: 400,
      url: "http://service.test/chains",
    });
    expect(error.failedCallData).to.include({ data: "0x12", to: "0xaa" });
  });

  it("reads the code of an error under both of its names, and the sentence too", async () => {
    const { client } = fakeService([json({ code: "REQUEST_NOT_FOUND", error: "no such request" }, 400)]);
    const error = await rejectionOf(getChains(client));
    expect(error).to.include({ details: "no such request", errorCode: "REQUEST_NOT_FOUND" });
  });

  it("survives error bodies of any form", async () => {
    for (const body of ["", "null", "[]", "7", '{"message":7,"errorCode":[]}', "<html>", "{"]) {
      const { client } = fakeService([new Response(body, { status: 400 })]);
      const error = await rejectionOf(getChains(client));
      expect(error, body).to.be.instanceOf(HttpError);
      expect(error, body).to.include({ errorCode: undefined, status: 400 });
    }
  });

  it("repeats a read when the connection is refused, and says so when it never works", async () => {
    const { calls, client } = fakeService([new TypeError("fetch failed"), json(chains)]);
    await getChains(client);
    expect(calls).to.have.length(2);
    const down = fakeService([new TypeError("fetch failed")], { retry: { count: 1 } });
    const error = await rejectionOf(getChains(down.client));
    expect(error).to.be.instanceOf(NetworkError);
    expect(error).to.include({ details: "fetch failed", retryable: true, url: "http://service.test/chains" });
  });

  it("repeats a read whose JSON was cut short, and never returns a part of it", async () => {
    const cut = new Response('{"chains":[{"id":1,"name":"o', { status: 200 });
    const { calls, client } = fakeService([cut, json(chains)]);
    expect(await getChains(client)).to.deep.equal(chains);
    expect(calls).to.have.length(2);
    const always = fakeService([cut], { retry: { count: 1 } });
    const error = await rejectionOf(getChains(always.client));
    expect(error).to.be.instanceOf(ResponseInvalidError);
    expect(error).to.include({ path: "", reason: "not JSON", status: 200 });
  });

  it("names the place of an answer that has another shape, without its value, and does not repeat it", async () => {
    const { calls, client } = fakeService([json({ chains: [{ id: "<script>" }] })]);
    const error = await rejectionOf(getChains(client));
    if (!(error instanceof ResponseInvalidError)) expect.fail("not a ResponseInvalidError");
    expect(error.path).to.equal("chains.0.id");
    expect(error.message).to.include("expected number").and.not.include("script");
    expect(calls).to.have.length(1);
  });

  it("does not follow redirects, which could carry the API key to another host", async () => {
    let redirect: RequestRedirect | undefined;
    const client = createClient({
      baseUrl: "http://service.test",
      fetch: async (_url, init) => {
        redirect = init.redirect;
        return json(chains);
      },
    });
    await getChains(client);
    expect(redirect).to.equal("error");
  });

  it("stops at its deadline even if fetch ignores the signal", async () => {
    const { client } = fakeService([silence]);
    const error = await rejectionOf(getChains(client, { timeout: 20 }));
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.include({ operation: "reading the chains", timeoutMs: 20 });
  });

  it("stops at its deadline when the body never ends", async () => {
    const endless = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }));
    const { client } = fakeService([endless]);
    expect(await rejectionOf(getChains(client, { timeout: 20 }))).to.be.instanceOf(TimeoutError);
  });

  it("stops when the caller aborts, while calling and while waiting to repeat", async () => {
    const controller = new AbortController();
    const { client } = fakeService([
      () => {
        controller.abort("closed");
        return silence();
      },
    ]);
    const error = await rejectionOf(getChains(client, { signal: controller.signal }));
    expect(error).to.be.instanceOf(AbortedError);
    expect(error).to.include({ cause: "closed", operation: "reading the chains" });

    const later = new AbortController();
    const waiting = fakeService([slowDown()], {
      sleep: () => {
        later.abort();
        return new Promise(() => undefined);
      },
    });
    const second = await rejectionOf(getChains(waiting.client, { signal: later.signal }));
    expect(second).to.be.instanceOf(AbortedError);
  });

  it("does not call at all when the signal has fired before", async () => {
    const { calls, client } = fakeService([json(chains)]);
    const error = await rejectionOf(getChains(client, { signal: AbortSignal.abort() }));
    expect(error).to.be.instanceOf(AbortedError);
    expect(calls).to.deep.equal([]);
  });

  it("sends the API key as a header and shows it nowhere", async () => {
    const apiKey = "key-3f1c9d";
    const echo = json({ message: `the key ${apiKey} is not known`, requestId: apiKey }, 401);
    const { calls, client } = fakeService([echo], { apiKey });
    const error = await rejectionOf(getChains(client));
    expect(calls[0]?.headers.get("x-api-key")).to.equal(apiKey);
    if (!(error instanceof HttpError)) expect.fail("not an HttpError");
    expect(error.details).to.equal("the key … is not known");
    expect(error.message).to.not.include(apiKey);
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

  for (const answer of [
    json({}, 500),
    json({}, 503),
    json({ errorCode: "SERVICE_UNAVAILABLE" }, 503),
    slowDown(),
    new TypeError("socket hang up"),
    new Response('{"steps":[', { status: 200 }),
  ]) {
    const name = answer instanceof Error ? "a broken connection" : `a ${answer.status}`;
    it(`is never repeated after ${name}`, async () => {
      const { calls, client } = fakeService([answer, json({})]);
      await rejectionOf(submitSignature(client, submission));
      expect(calls).to.have.length(1);
    });
  }

  it("is only called retryable when it was certainly not looked at", async () => {
    const refused = fakeService([slowDown()]);
    expect(await rejectionOf(submitSignature(refused.client, submission))).to.have.property(
      "retryable",
      true,
    );
    for (const answer of [json({}, 503), new TypeError("socket hang up")]) {
      const { client } = fakeService([answer]);
      expect(await rejectionOf(submitSignature(client, submission))).to.have.property("retryable", false);
    }
  });

  it("posts the body unchanged, with the signature in the query and out of every message", async () => {
    const { calls, client } = fakeService([json({ message: "bad signature" }, 400)]);
    const error = await rejectionOf(
      submitSignature(client, { ...submission, endpoint: "/authorize?from=quote" }),
    );
    expect(calls[0]).to.deep.include({
      body: { kind: "eip3009" },
      method: "POST",
      pathname: "/authorize",
      query: { from: "quote", signature: "0xabcdef" },
    });
    if (!(error instanceof HttpError)) expect.fail("not an HttpError");
    expect(error.url).to.equal("http://service.test/authorize?from=…&signature=…");
    expect(error.message).to.not.include("abcdef");
  });

  it("keeps the signature out of the message when the connection breaks", async () => {
    const { client } = fakeService([
      (call) => {
        throw new TypeError(`cannot reach ${call.url}`);
      },
    ]);
    const error = await rejectionOf(submitSignature(client, submission));
    if (!(error instanceof NetworkError)) expect.fail("not a NetworkError");
    expect(error.message).to.not.include("abcdef");
    expect(error.cause).to.equal(undefined);
  });

  it("takes an empty answer for a plain yes", async () => {
    const { client } = fakeService([new Response(null, { status: 200 })]);
    expect(await submitSignature(client, submission)).to.deep.equal({});
  });

  it("refuses an endpoint on another host", async () => {
    const { calls, client } = fakeService([json({})]);
    for (const endpoint of [
      "https://evil.test/authorize",
      "//evil.test/authorize",
      "/\\evil.test",
      "authorize",
      "",
    ]) {
      const error = await rejectionOf(submitSignature(client, { ...submission, endpoint }));
      expect(error, endpoint).to.have.property("code", "INVALID_PARAMETER");
    }
    expect(calls).to.deep.equal([]);
  });
});

describe("the address of a call", () => {
  for (const baseUrl of ["http://host.test/api", "http://host.test/api/", "http://host.test/api//"]) {
    it(`keeps the path prefix of ${baseUrl}`, async () => {
      const { calls, client } = fakeService([json({ status: "waiting" })], { baseUrl });
      await getStatus(client, { requestId });
      expect(calls[0]?.url).to.equal(`http://host.test/api/intents/status/v3?requestId=${requestId}`);
    });
  }

  it("is refused when it is not an address of a service", () => {
    for (const baseUrl of [
      "",
      "api.relay.link",
      "ftp://host",
      "http://u:p@host",
      "http://host?x=1",
      "http://host#x",
    ]) {
      expect(() => createClient({ baseUrl }), baseUrl).to.throw("`baseUrl` is invalid");
    }
  });

  it("is frozen with all else that was set", () => {
    expect(createClient(production)).to.be.frozen.and.satisfy((client: { retry: object }) =>
      Object.isFrozen(client.retry),
    );
  });
});
