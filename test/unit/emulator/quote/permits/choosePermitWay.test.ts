import { expect } from "chai";
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseSignature,
  toHex,
} from "viem";
import { allowanceOf } from "../../../../../emulator/chains/rpc.ts";
import { readArtifact } from "../../../../../emulator/chains/setup/placeContracts.ts";
import { choosePermitWay, tokenDomain } from "../../../../../emulator/quote/permits/tokenDomain.ts";
import { accounts, type LiveChain, payer, startLiveChain } from "../../support/liveChain.ts";

const permitAbi = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);

describe("choosePermitWay", function () {
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

  it("a token: is paid by ERC-3009 before ERC-2612, and by Permit2 without both", async () => {
    const permitting = await deploy("service/currencies/LocalToken", ["Dollar", "USD", 6, payer]);
    expect(await choosePermitWay(live.chain, permitting)).to.equal("permit");
    for (const token of [await deploy("mocks/AuthorizationToken"), live.token("USDC")]) {
      expect(await choosePermitWay(live.chain, token)).to.equal("eip3009");
    }
    for (const symbol of ["USDT", "WETH"]) {
      expect(await choosePermitWay(live.chain, live.token(symbol)), symbol).to.equal("permit2");
    }
    expect(await choosePermitWay(live.chain, payer), "no contract").to.equal("permit2");
  });

  it("USDC: accepts a signed ERC-2612 permit as well", async () => {
    const [token, spender] = [live.token("USDC"), "0x00000000000000000000000000000000000000aa"] as const;
    const { account } = accounts.users[0] ?? accounts.deployer;
    const domain = await tokenDomain(live.chain, token);
    if (domain === undefined) throw new Error("USDC has no domain");
    const terms = { deadline: 10n ** 12n, nonce: 0n, owner: account.address, spender, value: 7n };
    const signature = await account.signTypedData({
      domain,
      message: terms,
      primaryType: "Permit",
      types: {
        Permit: [
          { name: "owner", type: "address" },
          { name: "spender", type: "address" },
          { name: "value", type: "uint256" },
          { name: "nonce", type: "uint256" },
          { name: "deadline", type: "uint256" },
        ],
      },
    });
    const { r, s, yParity } = parseSignature(signature);
    await live.send({
      data: encodeFunctionData({
        abi: permitAbi,
        args: [terms.owner, spender, terms.value, terms.deadline, 27 + yParity, r, s],
      }),
      to: token,
    });
    expect(await allowanceOf(live.chain, token, { owner: terms.owner, spender })).to.equal(7n);
  });
});
