import { expect } from "chai";
import { createPublicClient, custom, erc20Abi, http, maxUint256, parseEther } from "viem";
import { deriveAccounts } from "../../../../../emulator/chains/accounts.ts";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import { startChain } from "../../../../../emulator/chains/local/startChain.ts";
import { deployService } from "../../../../../emulator/chains/setup/findService.ts";
import { revertReason } from "../../../../../emulator/router/revertReason.ts";

describe("a chain in this process", () => {
  const accounts = deriveAccounts();
  const [user] = accounts.users;
  let chain: Chain;
  before("starting a chain", async function () {
    this.timeout(60_000);
    const definition = { displayName: "Gamma", id: 31_399, name: "gamma" };
    chain = await deployService(await startChain(definition, "127.0.0.1", 0), accounts);
  });
  after(() => chain?.close());

  const address = () => {
    if (user === undefined) throw new Error("no user");
    return user.account.address;
  };
  const overHttp = () =>
    createPublicClient({ cacheTime: 0, transport: http(chain.rpcUrl, { retryCount: 0 }) });
  const send = (client: { request: unknown }, value = 1n) =>
    (client.request as (call: object) => Promise<`0x${string}`>)({
      method: "eth_sendTransaction",
      params: [{ from: address(), to: address(), value: `0x${value.toString(16)}` }],
    });

  it("is the same chain here and over HTTP", async () => {
    const outside = overHttp();
    expect(await outside.getChainId()).to.equal(31_399);
    expect(await chain.client.getChainId()).to.equal(31_399);
    const hash = await send(outside);
    expect((await chain.client.getTransactionReceipt({ hash })).status).to.equal("success");
  });

  it("announces a block of another client's transaction, and has it as the newest", async () => {
    const told = new Promise<bigint>((resolve) => {
      const end = chain.onBlock(({ number }) => {
        end();
        resolve(number);
      });
    });
    const before = await chain.client.getBlockNumber();
    await send(overHttp());
    expect(await told).to.equal(before + 1n);
    const block = await chain.client.getBlock();
    expect(chain.head()).to.deep.equal({
      baseFeePerGas: block.baseFeePerGas,
      hash: block.hash,
      number: block.number,
      parentHash: block.parentHash,
      timestamp: block.timestamp,
    });
  });

  it("notices that the chain went back to an earlier block", async () => {
    const snapshot = await chain.rpc("evm_snapshot");
    const { hash } = chain.head();
    await send(chain.client);
    await until(() => chain.head().hash !== hash);
    await chain.rpc("evm_revert", [snapshot]);
    await until(() => chain.head().hash === hash);
  });

  it("fails with the errors that its server answers with", async () => {
    const { address: token } = chain.currencies[1] ?? { address: address() };
    const read = { abi: erc20Abi, address: token, args: [address(), maxUint256] as const };
    const reverts = (client: Pick<Chain["client"], "simulateContract" | "request">) =>
      client.simulateContract({ ...read, account: address(), functionName: "transfer" }).catch(revertReason);
    const inside = await reverts(chain.client);
    expect(inside).to.deep.equal(await reverts(overHttp() as Chain["client"]));
    expect(inside)
      .to.have.property("message")
      .that.matches(/^ERC20InsufficientBalance\(/);
    const broke = (client: Pick<Chain["client"], "estimateGas">) =>
      client
        .estimateGas({
          account: accounts.allocator.account.address,
          to: address(),
          value: parseEther("1000000"),
        })
        .then(String, (error: Error) => error.name);
    expect(await broke(chain.client)).to.equal(await broke(overHttp() as Chain["client"]));
    const unknown = (client: Pick<Chain["client"], "request">) =>
      client.request({ method: "no_such" } as never).then(String, (error: Error) => error.name);
    expect(await unknown(chain.client)).to.equal(await unknown(overHttp() as Chain["client"]));
  });

  it("refuses parameters that are not a list", async () => {
    const client = createPublicClient({ transport: custom(chain.client.transport, { retryCount: 0 }) });
    const asked = client.request({ method: "eth_getBalance", params: { of: address() } } as never);
    const error = await asked.then(String, (reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property("message")
      .that.matches(/a list is needed/);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error("it did not happen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
