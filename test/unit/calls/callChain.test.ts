import { expect } from "chai";
import { createPublicClient, custom, type Hex, numberToHex } from "viem";
import { hardhat } from "viem/chains";
import { callChain } from "../../../src/calls/callChain.ts";
import { explainFailure } from "../../../src/calls/explainFailure.ts";

const to = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

/** A client of a node with some chain ids, one for each time that it is asked. */
function stage(ids: readonly (number | Error)[], chain?: typeof hardhat) {
  const asked: string[] = [];
  const left = [...ids];
  const request = async ({ method }: { method: string }): Promise<Hex> => {
    asked.push(method);
    if (method !== "eth_chainId") return "0x01";
    const id = left.shift() ?? new Error("asked too often");
    if (id instanceof Error) throw id;
    return numberToHex(id);
  };
  const client = createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) });
  return { asked, client };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );

describe("a reader that names its chain", () => {
  it("P11: is checked once for all its reads, at once or one after another", async () => {
    const { asked, client } = stage([hardhat.id], hardhat);
    const read = () => callChain(client, "reading", { data: "0x", to });
    await Promise.all([read(), read()]);
    await read();
    expect(asked.filter((method) => method === "eth_chainId")).to.have.length(1);
    expect(asked.filter((method) => method === "eth_call")).to.have.length(3);
  });

  it("P11: is not believed when its node is of another chain: no call is made", async () => {
    const { asked, client } = stage([10, 10], hardhat);
    expect(await codeOf(callChain(client, "reading", { data: "0x", to }))).to.equal("CHAIN_MISMATCH");
    const failedCallData = { data: "0x", from: to, to, value: "0" };
    expect(await codeOf(explainFailure(client, { failedCallData } as never))).to.equal("CHAIN_MISMATCH");
    expect(asked).to.not.include("eth_call");
  });

  it("P11: is asked again after a node did not answer", async () => {
    const { client } = stage([new Error("down"), hardhat.id], hardhat);
    const read = () => callChain(client, "reading", { data: "0x", to });
    expect(await codeOf(read())).to.equal("CHAIN_READ_FAILED");
    expect(await codeOf(read())).to.equal(undefined);
  });

  it("a client without a chain is not asked for one", async () => {
    const { asked, client } = stage([]);
    await callChain(client, "reading", { data: "0x", to });
    expect(asked).to.deep.equal(["eth_call"]);
  });
});
