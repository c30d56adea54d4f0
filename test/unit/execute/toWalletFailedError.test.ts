import { expect } from "chai";
import { FetchRequest, makeError } from "ethers";
import { BaseError as ChainError, HttpRequestError } from "viem";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { TimeoutError } from "../../../src/errors/TimeoutError.ts";
import { toWalletFailedError } from "../../../src/execute/toWalletFailedError.ts";
import { textOf } from "../errors/support/textOf.ts";

const key = "a1B2c3D4e5F6a7B8c9D0";
const secrets = [key, "hunter2!pw", "alice:"];
/** URLs with a secret, and the secret. */
const urls = [
  [`https://eth-mainnet.node.test/v2/${key}`, key],
  [`https://node.test/rpc?apikey=${key}`, key],
  [`wss://node.test/ws/v3/${key}/`, key],
  ["https://alice:hunter2!pw@node.test:8443/", "hunter2!pw"],
  [`https://${key}.eth.node.test/`, key],
] as const;
const wrap = (cause: unknown) => toWalletFailedError(cause, { leavesNothing: false, stepId: "deposit" });

function expectClean(error: unknown): void {
  const text = textOf(error);
  for (const secret of secrets) expect(text).to.not.include(secret);
}

describe("Q14: toWalletFailedError", () => {
  for (const [url, secret] of urls) {
    it(`given an error of viem, keeps its class and name and removes ${url}`, () => {
      const headers = new Headers({ "x-key": secret });
      const inner = new HttpRequestError({
        body: { method: "eth_sendRawTransaction", url },
        cause: new Error(`Failed to parse URL from ${url}`),
        details: `fetch failed: ${secret} has no credit`,
        headers,
        status: 402,
        url,
      });
      const cause = new ChainError("Sending failed.", { cause: inner, metaMessages: [`URL: ${url}`] });
      const error = wrap(cause);
      expectClean(error);
      expect(error.cause)
        .to.be.instanceOf(ChainError)
        .and.have.property("message")
        .that.includes("Sending failed.");
      const found = error.walk((each) => each instanceof HttpRequestError);
      expect(found).to.include({ name: "HttpRequestError", status: 402 });
      expect((error.cause as ChainError).walk((each) => each instanceof HttpRequestError)).to.equal(found);
      expect(error.message).to.include("node.test");
    });

    it(`given an error of ethers, keeps its code and removes ${url}`, () => {
      const request = new FetchRequest(url.replace(/^wss/, "https").replace("alice:hunter2!pw@", ""));
      request.setHeader("authorization", `Bearer ${secret}`);
      const cause = makeError("server response 402 Payment Required", "SERVER_ERROR", {
        info: { requestUrl: url, responseBody: `{"error":"key ${secret} at ${url.replaceAll("/", "\\/")}"}` },
        request,
      });
      const error = wrap(cause);
      expectClean(error);
      expect(error.cause).to.include({
        code: "SERVER_ERROR",
        shortMessage: "server response 402 Payment Required",
      });
    });

    it(`given objects, text or errors of a provider, removes ${url}`, () => {
      const causes = [
        {
          code: -32603,
          data: { originalError: { message: `no ${url}`, path: secret } },
          message: `at ${url}`,
        },
        `could not reach ${url}`,
        new AggregateError([new Error(`connect ${url}`)], `all of ${url}`),
        new DOMException(`fetch ${url}`, "NetworkError"),
        Object.assign(new Error("circular"), { url }),
      ];
      (causes[4] as { self?: unknown }).self = causes[4];
      for (const cause of causes) {
        expectClean(wrap(cause));
        expectClean(new TimeoutError({ cause, operation: "waiting", timeoutMs: 1 }));
        expectClean(new InvalidParameterError({ cause, parameter: "publicClient", reason: "broken" }));
      }
    });
  }

  it("given an error that cannot be read, replaces it and never throws", () => {
    const trap = () => {
      throw new Error(key);
    };
    const hostile = [
      new Proxy(new Error(), { get: trap, ownKeys: trap }),
      Object.defineProperty(new Error(), "url", { enumerable: true, get: trap }),
    ];
    for (const cause of hostile) {
      const error = new BaseError("outer", { cause });
      expect(error.cause).to.have.property("message", "An error that cannot be read.");
      expectClean(error);
    }
    let deep: unknown = new Error(urls[0][0]);
    for (let depth = 0; depth < 5_000; depth++) deep = new Error("outer", { cause: deep });
    expectClean(new BaseError("outer", { cause: deep }));
  });
});
