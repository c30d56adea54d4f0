import { expect } from "chai";
import { keyedQuote } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";

const uuid = "9dc342c3-538b-4731-aba7-13ed89acc7ae";

describe("a private chain", () => {
  const fixture = useEmulator({ privateChains: [{ id: 31338, uuid }] });

  async function read<Body>(path: string): Promise<Body> {
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as Body;
  }
  const chainIds = async (query: string) =>
    (await read<{ chains: { id: number }[] }>(`/chains${query}`)).chains.map(({ id }) => id);
  const listed = async (path: string) =>
    (await read<{ requests: { id: string }[] }>(path)).requests.map(({ id }) => id);

  it("GET /chains lists it only if its UUID is named, in any letter case", async () => {
    expect(await chainIds("")).to.deep.equal([31337]);
    expect(await chainIds("?includeChains=00000000-0000-0000-0000-000000000000")).to.deep.equal([31337]);
    for (const named of [uuid, uuid.toUpperCase(), `other,${uuid}`]) {
      expect(await chainIds(`?includeChains=${named}`)).to.deep.equal([31337, 31338]);
    }
  });

  for (const version of ["v2", "v3"] as const) {
    // @spec requests-v2/private-chains requests-v3/private-chains
    it(`GET /requests/${version} lists its requests only if its UUID is named`, async () => {
      const quote = await keyedQuote(fixture);
      const page = `/requests/${version}?id=${idOf(quote)}`;
      expect(await listed(page)).to.deep.equal([]);
      expect(await listed(`${page}&privateChainsToInclude=other`)).to.deep.equal([]);
      expect(await listed(`${page}&chainId=31338`)).to.deep.equal([]);
      expect(await listed(`${page}&privateChainsToInclude=other,${uuid}`)).to.deep.equal([idOf(quote)]);
    });
  }

  it("a page's total leaves its requests out", async () => {
    const total = async (query: string) =>
      (await read<{ total: number }>(`/requests/v3?includeTotal=true${query}`)).total;
    await keyedQuote(fixture);
    expect(await total("")).to.equal(0);
    expect(await total(`&privateChainsToInclude=${uuid}`)).to.be.above(0);
  });
});
