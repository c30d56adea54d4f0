import { expect } from "chai";
import { encodeDeployData, getContractAddress, type Hex, toHex, zeroAddress } from "viem";
import { readArtifact } from "../../../../emulator/chains/artifacts.ts";
import { permitWayOf } from "../../../../emulator/permits/permitWayOf.ts";
import { tokenDomain } from "../../../../emulator/permits/tokenDomain.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { type LiveChain, payer, startLiveChain } from "../support/liveChain.ts";

describe("the way in which a token is paid by signature", function () {
  this.timeout(60_000);
  let live: LiveChain;
  before(async () => {
    live = await startLiveChain(31_399, "zeta");
  });
  after(() => live?.chain.close());

  async function deploy(path: string, args: readonly unknown[] = []): Promise<Hex> {
    const { abi, bytecode } = readArtifact(path);
    const nonce = await live.chain.client.getTransactionCount({ address: payer });
    const data = args.length === 0 ? bytecode : encodeDeployData({ abi, args, bytecode });
    await live.chain.rpc("eth_sendTransaction", [{ data, from: payer, gas: toHex(5_000_000) }]);
    return getContractAddress({ from: payer, nonce: BigInt(nonce) });
  }

  it("is ERC-3009 before ERC-2612, and Permit2 for whatever has neither", async () => {
    const authorizing = await deploy("mocks/AuthorizationToken");
    expect(await permitWayOf(live.chain, authorizing)).to.equal("eip3009");
    expect(await permitWayOf(live.chain, live.token("USDC"))).to.equal("permit");
    for (const symbol of ["USDT", "WETH"]) {
      expect(await permitWayOf(live.chain, live.token(symbol)), symbol).to.equal("permit2");
    }
    expect(await permitWayOf(live.chain, payer), "no contract").to.equal("permit2");
  });

  it("is none for the native currency", async () => {
    expect(await permitWayOf(live.chain, zeroAddress)).to.equal(undefined);
  });

  it("is bound to the domain that the token tells", async () => {
    expect(await tokenDomain(live.chain, live.token("USDC"))).to.deep.equal({
      chainId: 31_399,
      name: "USD Coin",
      verifyingContract: live.token("USDC"),
      version: "1",
    });
    expect(await tokenDomain(live.chain, live.token("USDT"))).to.equal(undefined);
  });

  it("is not told by a node that is away", async () => {
    const away = async () => {
      throw new Error("the line is dead");
    };
    const chain = { ...live.chain, client: { ...live.chain.client, readContract: away } } as never;
    expect(String(await failureOf(permitWayOf(chain, live.token("USDC"))))).to.include("the line is dead");
  });
});
