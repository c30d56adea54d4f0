import { expect } from "chai";
import { parseNames, renderAnswer, renderLibrary } from "../../../../scripts/generate/protocolNames.ts";

const TODAY = "2026-01-02";

function answerOf(names: Readonly<Record<number, string | null>>, fetchedAt?: string): string {
  const chains = Object.entries(names).map(([id, chainId]) => ({
    id: Number(id),
    protocol: { v2: { chainId } },
  }));
  return JSON.stringify({ chains: chains.toReversed(), fetchedAt, extra: true });
}

describe("generated protocol names", () => {
  it("an answer of /chains is stored with its date, sorted, without chains that have no protocol name", () => {
    const names = parseNames(answerOf({ 10: "optimism", 8453: "base", 99: null }), TODAY);
    expect(names.fetchedAt).to.equal(TODAY);
    expect([...names.names]).to.deep.equal([
      [10, "optimism"],
      [8453, "base"],
    ]);
    expect(parseNames(renderAnswer(names), "2030-01-01")).to.deep.equal(names);
  });

  it("an empty answer, a chain listed twice and a name that is no identifier are refused", () => {
    const twice = { id: 1, protocol: { v2: { chainId: "one" } } };
    expect(() => parseNames(JSON.stringify({ chains: [] }), TODAY)).to.throw("No chain has a protocol name");
    expect(() => parseNames(JSON.stringify({ chains: [twice, twice] }), TODAY)).to.throw("listed twice");
    expect(() => parseNames(answerOf({ 1: 'x"); selfdestruct(0' }), TODAY)).to.throw("not an identifier");
  });

  it("every name is in the rendered library, with the date of the answer", () => {
    const names = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [index * 3 + 1, `chain-${index}`]),
    );
    const library = renderLibrary(parseNames(answerOf(names, "2026-05-06"), TODAY));
    expect(library).to.include("2026-05-06");
    for (const [id, name] of Object.entries(names)) {
      expect(library).to.include(`if (chainId == ${id}) return keccak256("${name}");`);
    }
  });
});
