import { expect } from "chai";
import { verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";

const weird = (n: number): unknown =>
  [
    null, -0, 1e300, -1, 0, true, "", "0x", "-1", "1e5", "00", "unmet", "null", "undefined", [], {}, [[]], [null], "0x00", "__proto__", "constructor", "toString",
    JSON.parse('{"__proto__":{"to":"0x0000000000000000000000000000000000000bad","value":"5","status":"complete"}}'),
    JSON.parse('{"constructor":1,"toString":2,"hasOwnProperty":3,"toJSON":4,"then":5}'),
    { toString: "x", valueOf: [] }, "9".repeat(78), (2n ** 256n - 1n).toString(), `0x${"ff".repeat(32)}`, `0x${"00".repeat(20)}`, "a".repeat(1000), 9007199254740991, 1.5, [1, 2, 3],
  ][n % 33];

describe("attack: arbitrary changes", () => {
  const fixture = useEmulator();
  it("A22: throw nothing else, and what passes has the same transactions", async () => {
    const forms = [
      requestOf(fixture, "USDC", "USDC", { usePermit: true }), requestOf(fixture, "ETH", "USDC", { sameChain: true }), requestOf(fixture, "USDT", "USDC"),
      requestOf(fixture, "ETH", "ETH"), requestOf(fixture, "WETH", "ETH", { sameChain: true, recipient: fixture.alpha.wallet(0).account.address }),
      requestOf(fixture, "USDC", "USDC", { sameChain: true }), requestOf(fixture, "WETH", "USDC", { tradeType: "EXACT_OUTPUT", usePermit: true }),
    ];
    let seed = 7;
    const random = (n: number) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor((seed / 2147483648) * n); };
    const tally: Record<string, number> = {};
    const bad: string[] = [];
    const odd: string[] = [];
    const end = Date.now() + 60_000;
    for (const request of forms) {
      const honest = await getQuote(fixture.client, request);
      const policy = policyOf(fixture, honest);
      const proven = JSON.stringify((await verifyQuote({ ...policy, quote: honest, request })).steps.map(({ items }) => items.map(({ data }) => data)));
      for (let i = 0; i < 700 && Date.now() < end; i++) {
        const quote: any = structuredClone(honest);
        for (let k = 0; k <= random(2); k++) {
          let node = quote; const path: string[] = [];
          for (;;) {
            const keys = Object.keys(node);
            const key = random(12) === 0 || keys.length === 0 ? ["__proto__", "constructor", "x", "toJSON", "y"][random(5)]! : keys[random(keys.length)]!;
            path.push(key);
            if (Object.hasOwn(node, key) && typeof node[key] === "object" && node[key] !== null && random(5) > 0) { node = node[key]; continue; }
            Object.defineProperty(node, key, { configurable: true, enumerable: true, value: weird(random(33)), writable: true });
            break;
          }
          quote.__path = path.join(".");
        }
        const where = quote.__path; delete quote.__path;
        try {
          const result = await verifyQuote({ ...policy, quote: quote as Quote, request });
          tally["passes"] = (tally["passes"] ?? 0) + 1;
          const now = JSON.stringify(result.steps.map(({ items }) => items.map(({ data }) => data)));
          if (now !== proven && !/maxFee|maxPriority|post|\bdata\.\w+$/.test(where)) odd.push(where);
        } catch (error) {
          const name = (error as Error).constructor.name;
          tally[name] = (tally[name] ?? 0) + 1;
          if (!(error instanceof QuoteMismatchError || error instanceof InvalidParameterError)) bad.push(`${where}: ${name} ${(error as Error).message.slice(0, 80)}`);
        }
      }
    }
    console.log(tally, bad.slice(0, 10), [...new Set(odd)].slice(0, 20));
    expect(bad).to.deep.equal([]);
  }).timeout(120_000);
});
