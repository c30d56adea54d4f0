import { expect } from "chai";
import {
  createPublicClient,
  custom,
  encodeAbiParameters,
  type Hex,
  stringToHex,
  toHex,
  zeroAddress,
} from "viem";
import { findReadMismatches } from "../../../../src/calls/verify/readChains.ts";
import { recipient, termsOf, token } from "./support/terms.ts";

type Node = {
  readonly chainId?: number;
  readonly code?: Hex;
  readonly decimals?: number;
  readonly symbol?: Hex;
};

const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value]);

/** A node with one token. */
function readerOf({ chainId = 1, code = "0x", decimals = 6, symbol = text("TOK") }: Node = {}) {
  const request = async ({ method, params }: { method: string; params?: [{ data: Hex }] }) => {
    if (method === "eth_chainId") return toHex(chainId);
    if (method === "eth_getCode") return code;
    return params?.[0].data === "0x313ce567" ? toHex(decimals, { size: 32 }) : symbol;
  };
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
}

const shown = (address: string) => ({ currency: { address, decimals: 6, symbol: "TOK" } });

function pathsOf(
  policy: object,
  { codeless, isSameChain = false }: { codeless?: Hex; isSameChain?: boolean } = {},
) {
  const quote = { details: { currencyIn: shown(token), currencyOut: shown(token) } };
  const request = { destinationChainId: isSameChain ? 1 : 2, originChainId: 1 };
  const terms = termsOf({ request, terms: { isSameChain, policy, quote } as never });
  return findReadMismatches(terms, codeless).then((found) =>
    found.map(({ actual, code, path }) => `${code} ${path} ${actual}`),
  );
}

describe("findReadMismatches", () => {
  for (const [what, symbol, found] of [
    ["a text", text("TOK"), []],
    ["32 bytes", stringToHex("TOK", { size: 32 }), []],
    ["nothing", "0x", []],
    ["another text", text("TIK"), ["QUOTE_DISPLAY details.currencyIn.currency.symbol TOK"]],
    [
      "32 other bytes",
      stringToHex("TIK", { size: 32 }),
      ["QUOTE_DISPLAY details.currencyIn.currency.symbol TOK"],
    ],
    [
      "64 bytes that are no text",
      `0x${"ff".repeat(64)}`,
      ["QUOTE_DISPLAY details.currencyIn.currency.symbol TOK"],
    ],
  ] as const) {
    it(`a token whose symbol is ${what}: ${found.length === 0 ? "is as shown" : "differs"}`, async () => {
      expect(await pathsOf({ reader: readerOf({ symbol }) })).to.deep.equal(found);
    });
  }

  it("decimals: are those of the token, on the side that its reader reads", async () => {
    const other = { decimals: 18 };
    const input = "QUOTE_DISPLAY details.currencyIn.currency.decimals 6";
    const output = "QUOTE_DISPLAY details.currencyOut.currency.decimals 6";
    expect(await pathsOf({ reader: readerOf(other) })).to.deep.equal([input]);
    expect(await pathsOf({ destinationReader: readerOf({ ...other, chainId: 2 }) })).to.deep.equal([output]);
    expect(await pathsOf({ reader: readerOf(other) }, { isSameChain: true })).to.deep.equal([input, output]);
  });

  it("a reader: is of the chain that it reads", async () => {
    expect(await pathsOf({ destinationReader: readerOf({ chainId: 2 }), reader: readerOf() })).to.deep.equal(
      [],
    );
    const swapped = { destinationReader: readerOf(), reader: readerOf({ chainId: 2 }) };
    expect(await pathsOf(swapped)).to.have.members([
      "QUOTE_CHAIN destinationReader 1",
      "QUOTE_CHAIN reader 2",
    ]);
  });

  it("a recipient of chosen calldata: is without code, as a reader shows", async () => {
    const codeless = recipient;
    expect(await pathsOf({ reader: readerOf() }, { codeless })).to.deep.equal([]);
    expect(await pathsOf({ reader: readerOf({ code: "0xfe" }) }, { codeless })).to.deep.equal([
      "QUOTE_CALL steps 0xfe",
    ]);
    expect(await pathsOf({}, { codeless })).to.deep.equal(["QUOTE_CALL steps no reader"]);
  });

  it("native currency: has no contract to ask", async () => {
    const native = { currencyIn: shown(zeroAddress), currencyOut: shown(zeroAddress) };
    const reader = readerOf({ decimals: 18 });
    const terms = termsOf({
      request: { destinationChainId: 1, originChainId: 1 },
      terms: { isSameChain: true, policy: { reader }, quote: { details: native } } as never,
    });
    expect(await findReadMismatches(terms, undefined)).to.deep.equal([]);
  });
});
