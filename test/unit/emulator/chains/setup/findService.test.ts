import { expect } from "chai";
import { parseAbi, parseEther, parseUnits, toHex, zeroAddress } from "viem";
import { pendingNonce } from "../../../../../emulator/chains/rpc.ts";
import {
  findOrDeployService,
  ServiceMissingError,
} from "../../../../../emulator/chains/setup/findService.ts";
import { ChainNotFundedError } from "../../../../../emulator/chains/setup/fundService.ts";
import { permit2Address } from "../../../../../emulator/chains/setup/placeContracts.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { accounts, solver } from "../../support/liveChain.ts";
import { useElsewhere } from "../support/elsewhere.ts";

const setupAbi = parseAbi([
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
]);

describe("findOrDeployService", function () {
  this.timeout(60_000);
  const { connect, connectPlain, first, store: open } = useElsewhere();

  it("a recorded deployment: is found without another transaction, as the same document", async () => {
    const store = await open();
    const deployed = await findOrDeployService(await connect(), accounts, store);
    const nonce = () => pendingNonce(deployed.rpc, accounts.deployer.account.address);
    const before = await nonce();
    const again = await findOrDeployService(await connect(), accounts, store);
    expect(again.contracts).to.deep.equal(deployed.contracts);
    // The texts are equal too, because users compare the documents of two starts.
    expect(JSON.stringify(again.contracts)).to.equal(JSON.stringify(deployed.contracts));
    expect(again.currencies).to.deep.equal(deployed.currencies);
    expect(again.swap).to.deep.equal(deployed.swap);
    expect(await nonce()).to.equal(before);
    const cursor = await store.selectFrom("cursors").selectAll().execute();
    expect(cursor).to.deep.equal([{ chain_id: 31_337, next_block: Number(deployed.firstBlock) }]);
  });

  it("recorded code that the chain lacks, then another genesis block: throws ServiceMissingError", async () => {
    const store = await open();
    const start = await first().rpc("evm_snapshot");
    const find = async () => findOrDeployService(await connect(), accounts, store);
    await find();
    await first().rpc("evm_revert", [start]);
    const gone = await failureOf(find());
    const genesis_hash = `0x${"12".repeat(32)}`;
    await store.updateTable("chains").set({ genesis_hash }).execute();
    const other = await failureOf(find());
    for (const [error, reason] of [
      [gone, /nothing is at 0x/],
      [other, /another block/],
    ] as const) {
      expect(error).to.be.instanceOf(ServiceMissingError).with.property("message").that.matches(reason);
    }
  });

  it("a run that ended during its deployment, unrecorded: deploys anew with later nonces", async () => {
    const chain = await connect();
    const raw = await accounts.deployer.account.signTransaction({
      chainId: 31_337,
      gas: 21_000n,
      maxFeePerGas: parseUnits("10", 9),
      nonce: 0,
      to: accounts.users[0]?.account.address,
      type: "eip1559",
    });
    await chain.rpc("eth_sendRawTransaction", [raw]);
    const { contracts } = await findOrDeployService(chain, accounts, await open());
    expect(await chain.client.getCode({ address: contracts.depository })).to.match(/^0x../);
  });

  describe("on a node without development methods", () => {
    it("deploys by signed transactions, funds the solver, and fills the pools at the table's prices", async () => {
      const chain = await connectPlain();
      const { contracts, swap } = await findOrDeployService(chain, accounts, await open());
      expect(contracts.permit2).to.not.equal(permit2Address);
      const separator = await chain.client.readContract({
        abi: setupAbi,
        address: contracts.permit2,
        functionName: "DOMAIN_SEPARATOR",
      });
      expect(separator).to.match(/^0x[0-9a-f]{64}$/);
      expect((await chain.client.getBalance({ address: solver })) > parseEther("1000")).to.equal(true);
      const usdc = swap.pairs.flatMap(({ tokens }) => tokens).find((token) => token !== swap.wrappedNative);
      const [, dollars = 0n] = await chain.client.readContract({
        abi: setupAbi,
        address: swap.router,
        args: [parseEther("0.1"), [swap.wrappedNative, usdc ?? zeroAddress]],
        functionName: "getAmountsOut",
      });
      expect(Number(dollars) / 1e6).to.be.within(249, 249.25);
    });

    it("waits for blocks that the node mines every 50 ms", async () => {
      const { client, rpc } = first();
      await rpc("evm_setAutomine", [false]);
      await rpc("evm_setIntervalMining", [50]);
      const { contracts } = await findOrDeployService(await connectPlain(), accounts, await open());
      await rpc("evm_setIntervalMining", [0]);
      expect(await client.getCode({ address: contracts.relayReceiver })).to.match(/^0x../);
    });

    it("accounts without funds: throws ChainNotFundedError and records nothing", async () => {
      const store = await open();
      for (const { account } of [...accounts.users, accounts.deployer, accounts.solver]) {
        await first().rpc("hardhat_setBalance", [account.address, toHex(1_000n)]);
      }
      const error = await failureOf(findOrDeployService(await connectPlain(), accounts, store));
      expect(error).to.be.instanceOf(ChainNotFundedError);
      expect(await store.selectFrom("chains").selectAll().execute()).to.deep.equal([]);
    });
  });
});
