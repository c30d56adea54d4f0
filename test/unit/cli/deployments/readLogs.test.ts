import { expect } from "chai";
import { createPublicClient, custom, hexToBigInt, InvalidParamsRpcError } from "viem";
import { readLogs } from "../../../../cli/deployments/readLogs.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/** A node that answers for ranges of so many blocks, with one log for each block that `has` names. */
function nodeWith(limit: bigint, has: readonly bigint[]) {
  const asked: [bigint, bigint][] = [];
  const request = async ({ params }: { params: [{ fromBlock: `0x${string}`; toBlock: `0x${string}` }] }) => {
    const [from, to] = [hexToBigInt(params[0].fromBlock), hexToBigInt(params[0].toBlock)];
    asked.push([from, to]);
    if (to - from >= limit) throw new InvalidParamsRpcError(new Error("range is too large"));
    return has.filter((block) => from <= block && block <= to).map((blockNumber) => ({ blockNumber }));
  };
  const client = createPublicClient({ transport: custom({ request } as never, { retryCount: 0 }) });
  return { asked, client };
}

describe("readLogs", () => {
  it("a node that refuses long ranges: gives every log once, in the order of blocks", async () => {
    const blocks = [0n, 9_999n, 10_000n, 10_001n, 54_321n];
    const { client } = nodeWith(10_000n, blocks);
    const logs = await readLogs(client, { address, fromBlock: 0n, toBlock: 54_321n, topics: [] });
    expect(logs.map(({ blockNumber }) => blockNumber)).to.deep.equal(blocks);
  });

  it("a node that refuses short ranges too: fails, and names account and blocks", async () => {
    const { asked, client } = nodeWith(0n, []);
    const failure = await failureOf(
      readLogs(client, { address, fromBlock: 0n, toBlock: 5_000n, topics: [] }),
    );
    expect(failure).to.include({ code: "CHAIN_READ_FAILED" });
    expect(String(failure)).to.include(`reading logs of ${address} in blocks 0 to`);
    expect(asked.length).to.be.below(10);
  });

  it("a range that ends before it starts: is empty, and asks nothing", async () => {
    const { asked, client } = nodeWith(1n, [1n]);
    expect(await readLogs(client, { address, fromBlock: 2n, toBlock: 1n, topics: [] })).to.deep.equal([]);
    expect(asked).to.deep.equal([]);
  });
});
