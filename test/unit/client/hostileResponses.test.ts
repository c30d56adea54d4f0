import { expect } from "chai";
import * as entry from "../../../src/client/index.ts";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { ResponseInvalidError } from "../../../src/errors/ResponseInvalidError.ts";
import { TimeoutError } from "../../../src/errors/TimeoutError.ts";
import { type EndpointCall, endpointCalls } from "./support/endpointCalls.ts";
import { type Answer, fakeService, json, rejectionOf, silence } from "./support/fakeService.ts";

const ok = (text: string): Response =>
  new Response(text, { headers: { "content-type": "application/json" } });

const { getChains, HttpError } = entry;

/** Result or error of an endpoint's call, within a second. */
async function outcomeOf(
  { call, parameters }: EndpointCall,
  answer: Answer,
  timeout = 1_000,
): Promise<unknown> {
  const { client } = fakeService([answer], { timeout });
  return call(client, parameters as never).catch((error: unknown) => error);
}

/** Every leaf of `value`, with its path. */
function leavesOf(
  value: unknown,
  path: readonly string[] = [],
): { leaf: unknown; path: readonly string[] }[] {
  if (typeof value !== "object" || value === null) return [{ leaf: value, path }];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
}

/** `value` with something else at the end of `path`. */
function withAt(value: unknown, [name, ...rest]: readonly string[], item: unknown): unknown {
  if (name === undefined) return item;
  const inner = withAt((value as Record<string, unknown>)[name], rest, item);
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...(value as object), [name]: inner };
}

/** The answer as JSON, with `raw` written where `path` leads: JSON can hold text that no JavaScript value produces. */
function writtenWith(answer: unknown, path: readonly string[], raw: string): string {
  return JSON.stringify(withAt(answer, path, "\u0000here")).replace(JSON.stringify("\u0000here"), () => raw);
}

/** JSON values that are no amounts, or only some kinds of amounts. */
const rawAmounts = [
  ...["9007199254740993", "1e400", "-1", "1.5", "0.1e1", "true", "null", '["1"]', '{"amount":"1"}'],
  ...["1e3", "-1", "0x10", "1.5", " 1", "1_000", "１", "", "-", "NaN"].map((text) => JSON.stringify(text)),
  ...[`${2n ** 256n}`, "9".repeat(79)].map((text) => JSON.stringify(text)),
];

const digits = /^-?[0-9]+$/;
const quantity = /^(?:[0-9]+|0x[0-9a-f]+)$/;
const amountNames = /amount$|balance|capacity|^fee$|^value$/i;
const isAmount = (leaf: unknown, path: readonly string[]): boolean =>
  typeof leaf === "string" && digits.test(leaf) && amountNames.test(path.at(-1) ?? "");

/** An endless body, sent byte by byte until the client disconnects. */
function endless(_call: unknown, signal: AbortSignal): Response {
  const pull = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (signal.aborted) stream.close();
    else stream.enqueue(new TextEncoder().encode(" "));
  };
  return new Response(new ReadableStream({ pull }));
}

/** A body that stops in the middle and leaves the connection open. */
function stalled(): Response {
  const start = (stream: ReadableStreamDefaultController<Uint8Array>) =>
    stream.enqueue(new TextEncoder().encode('{"steps":['));
  return new Response(new ReadableStream({ start }));
}

const deep = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;

/** Answers without any requested data, each with every endpoint's outcome. */
const nothings: readonly [string, () => Response, (error: unknown) => void][] = [
  ["a page of HTML", () => new Response("<html></html>"), isInvalid],
  ["JSON that something else follows", () => ok("{}{}"), isInvalid],
  ["JSON behind a guard", () => ok(")]}',\n{}"), isInvalid],
  ["a number", () => ok("1e400"), isInvalid],
  ["a text", () => ok('"success"'), isInvalid],
  ["nothing but nesting", () => ok("[".repeat(100_000)), isInvalid],
  ["an object with other names for its own", () => ok('{"__proto__":{"message":1},"message":[]}'), isInvalid],
  ["a redirect", () => Response.redirect("http://evil.test/", 302), isHttp(302)],
  ["a redirect that was not followed", () => Response.error(), isHttp(0)],
  ["not modified", () => new Response(null, { status: 304 }), isHttp(304)],
];

function isInvalid(error: unknown): void {
  expect(error).to.be.instanceOf(ResponseInvalidError);
}

function isHttp(status: number): (error: unknown) => void {
  return (error) => {
    expect(error).to.be.instanceOf(HttpError);
    expect(error).to.have.property("status", status);
  };
}

for (const endpoint of endpointCalls) {
  const { answer, name } = endpoint;
  const text = JSON.stringify(answer);

  describe(`${name}, given a hostile answer`, () => {
    it("gives every amount as it was sent, or a typed error", async () => {
      for (const [index, { leaf, path }] of leavesOf(answer).entries()) {
        // Each value of a long answer is parsed with the whole: what is no amount takes a fifth of them, in turn.
        const raws = isAmount(leaf, path) ? rawAmounts : rawAmounts.filter((_, at) => at % 5 === index % 5);
        for (const raw of raws) {
          const outcome = await outcomeOf(endpoint, ok(writtenWith(answer, path, raw)));
          const what = `${path.join(".")}: ${raw}`;
          if (outcome instanceof BaseError) continue;
          expect(outcome, what).to.not.be.instanceOf(Error);
          const given = at(outcome, path);
          if (!isAmount(leaf, path)) continue;
          expect(given, what).to.equal(JSON.parse(raw));
          // A step's value may be hexadecimal, or a number as long as a number holds it.
          if (typeof given === "string")
            expect(given, what).to.match(path.at(-1) === "value" ? quantity : digits);
          if (typeof given === "number") expect(given, what).to.satisfy(Number.isSafeInteger);
        }
      }
    }).timeout(20_000);

    it("takes nothing from a prototype, and gives no object another", async () => {
      const { length } = Object.keys(Object.prototype);
      for (const hidden of ["__proto__", "constructor", "prototype"]) {
        const [key] = Object.keys(answer);
        const only = ok(`{"${hidden}":${text}}`);
        const outcome = await outcomeOf(endpoint, only);
        if (!(outcome instanceof BaseError)) expect(outcome, hidden).to.not.have.property(key ?? "");
        const beside = Array.isArray(answer) ? text : `{"${hidden}":{"evil":"1"},${text.slice(1)}`;
        const given = await outcomeOf(endpoint, ok(beside));
        if (Array.isArray(answer)) expect(given).to.deep.equal(answer);
        else expect(given).to.deep.include(answer).and.not.have.property("evil");
        expect(Object.getPrototypeOf(given)).to.equal(Object.getPrototypeOf(answer));
      }
      expect(Object.keys(Object.prototype)).to.have.length(length);
      expect({}).to.not.have.property("evil");
    });

    it("refuses nesting that would overflow the stack of its reader", async () => {
      const nested = Array.isArray(answer) ? deep : `{"brandNew":${deep},${text.slice(1)}`;
      isInvalid(await outcomeOf(endpoint, () => ok(nested)));
    });

    for (const [what, play, check] of nothings) {
      it(`refuses ${what}`, async () => check(await outcomeOf(endpoint, () => play())));
    }

    for (const status of [200, 204]) {
      it(`takes an empty ${status} for no more than a plain yes`, async () => {
        const outcome = await outcomeOf(endpoint, () => new Response(null, { status }));
        if (!(outcome instanceof ResponseInvalidError)) expect(outcome).to.deep.equal({});
      });
    }

    for (const [what, play] of Object.entries({ endless, silence, stalled })) {
      it(`ends in time when the answer is ${what === "silence" ? what : `an ${what} body`}`, async () => {
        expect(await outcomeOf(endpoint, play, 20)).to.be.instanceOf(TimeoutError);
      }).timeout(5_000);
    }
  });
}

describe("an error of the service, given a hostile form", () => {
  const forms: readonly [string, () => Response][] = [
    ["nesting without end", () => new Response(`{"errorData":${deep},"message":"no"}`, { status: 400 })],
    ["a prototype", () => new Response('{"__proto__":{"errorCode":"SERVICE_UNAVAILABLE"}}', { status: 400 })],
    ["a status of its own", () => json({ errorCode: "FORBIDDEN", status: 200, statusCode: 200 }, 400)],
  ];
  for (const [what, play] of forms) {
    it(`keeps its status and is not repeated: ${what}`, async () => {
      const { calls, client } = fakeService([play]);
      const error = await rejectionOf(getChains(client));
      isHttp(400)(error);
      expect(error).to.include({ errorData: undefined, retryable: false });
      expect(calls).to.have.length(1);
    });
  }
});
