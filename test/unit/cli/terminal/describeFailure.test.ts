import { CommanderError } from "@commander-js/extra-typings";
import { expect } from "chai";
import { checkFailed, keyError, usageError } from "../../../../cli/terminal/CommandError.ts";
import { describeFailure } from "../../../../cli/terminal/describeFailure.ts";
import { ForkUpstreamError } from "../../../../emulator/chains/fork/askUpstream.ts";
import { HttpError } from "../../../../src/errors/HttpError.ts";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";
import { NetworkError } from "../../../../src/errors/NetworkError.ts";
import { TimeoutError } from "../../../../src/errors/TimeoutError.ts";

const url = "http://127.0.0.1:4000/chains";
const answered = (status: number) => new HttpError({ details: "No such route.", method: "GET", status, url });

describe("describeFailure", () => {
  const rows: readonly (readonly [name: string, error: unknown, exitCode: number])[] = [
    ["a flag that commander refuses", new CommanderError(1, "x", "error: unknown option '--x'"), 2],
    ["wrong usage", usageError("The flag is wrong."), 2],
    ["an invalid argument", new InvalidParameterError({ parameter: "user", reason: "not an address" }), 2],
    ["a missing key", keyError("The key is missing."), 4],
    ["a negative check", checkFailed("The record is not the solver's."), 1],
    ["a refused request", answered(400), 1],
    ["a refused key", answered(401), 4],
    ["a forbidden route", answered(403), 4],
    ["too many requests", answered(429), 3],
    ["a broken service", answered(502), 3],
    ["no answer", new NetworkError({ cause: new Error("x"), method: "GET", retryable: true, url }), 3],
    ["a timeout", new TimeoutError({ operation: "reading", timeoutMs: 1 }), 3],
    ["a fork's upstream", new ForkUpstreamError({ block: 7, chainId: 1, reason: "no state" }), 3],
    ["a foreign error", new TypeError("x is not a function"), 70],
    ["a thrown text", "no", 70],
  ];
  for (const [name, error, exitCode] of rows) {
    it(`${name}: exit code ${exitCode} and one line`, () => {
      const failure = describeFailure(error);
      expect(failure.exitCode).to.equal(exitCode);
      expect(failure.message).to.match(/^[^\n]+$/);
    });
  }

  it("a refusal: the line has the service's sentence", () => {
    expect(describeFailure(answered(404)).message).to.equal(`GET ${url} answered 404. No such route.`);
  });

  for (const [path, variable] of [
    ["/requests/v3", "WAYBILL_API_KEY"],
    ["/admin/clock", "WAYBILL_ADMIN_KEY"],
  ]) {
    it(`a 401 of ${path}: the line names ${variable}`, () => {
      const refusal = { details: "No key", method: "GET", status: 401, url: `http://127.0.0.1:4000${path}` };
      expect(describeFailure(new HttpError(refusal)).message).to.match(
        new RegExp(`answered 401\\. No key\\. The .* key comes from --emulator .*${variable}`),
      );
    });
  }

  it("a connection that could not be made: the line asks for the service", () => {
    const error = new NetworkError({
      cause: new TypeError("fetch failed"),
      method: "GET",
      retryable: true,
      url,
    });
    expect(describeFailure(error).message).to.equal(
      `GET ${url} got no answer. Is the service running there?`,
    );
  });

  it("a message of several lines: only the first is shown", () => {
    expect(describeFailure(new Error("\nfirst\nsecond")).message).to.equal(
      "internal error: first (--verbose prints the stack)",
    );
  });
});
