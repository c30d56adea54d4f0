import { expect } from "chai";
import { toHex } from "viem";
import { deriveAccounts } from "../../../../../emulator/chains/accounts.ts";
import type { RunningChain } from "../../../../../emulator/chains/Chain.ts";
import { connectChain } from "../../../../../emulator/chains/evm/connectChain.ts";
import { startChains } from "../../../../../emulator/chains/local/startChains.ts";
import type { Rpc } from "../../../../../emulator/chains/rpc.ts";
import { deployServiceSigned } from "../../../../../emulator/chains/setup/findService.ts";
import { SetupFailedError, sendSigned } from "../../../../../emulator/chains/setup/sendSetup.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";

const { deployer } = deriveAccounts();
const definition = { displayName: "Alpha", id: 31_337, name: "alpha" };
const head = {
  baseFeePerGas: "0x1",
  hash: `0x${"01".repeat(32)}`,
  number: "0x1",
  parentHash: `0x${"02".repeat(32)}`,
  timestamp: "0x1",
};

/** A node that accepts transactions and has no receipt of them, while the nonce of the account increases. */
function overtaken(): Pick<RunningChain, "definition" | "rpc"> {
  const answers: Record<string, (block: unknown) => unknown> = {
    eth_getBlockByNumber: () => head,
    eth_getTransactionCount: (block) => toHex(block === "pending" ? 4 : 6),
    eth_getTransactionReceipt: () => null,
    eth_sendRawTransaction: () => head.hash,
  };
  const rpc: Rpc = async (method, params = []) => answers[method]?.(params[1]);
  return { definition, rpc };
}

describe("sendSigned", () => {
  it("a transaction that the node refuses: rejects with one line of its words and without the bytecode", async function () {
    this.timeout(20_000);
    const { chains, close } = await startChains({ chainCount: 1, chainPorts: [0] });
    const rpcUrl = chains[0]?.rpcUrl ?? "";
    const connected = await Promise.all([1, 2].map(() => connectChain({ id: definition.id, rpcUrl })));
    const outcomes = await Promise.allSettled(
      connected.map((chain) => deployServiceSigned(chain, deriveAccounts())),
    );
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).to.not.have.length(0);
    for (const error of refused) {
      expect(error).to.be.instanceOf(SetupFailedError);
      const { shortMessage } = error as SetupFailedError;
      expect(shortMessage).to.match(/^alpha refuses set-up transaction \d+ of \d+: .*nonce/i);
      expect(String(error)).to.have.length.below(800);
      expect(shortMessage).to.not.include("\n");
    }
    for (const chain of connected) await chain.close();
    await close();
  });

  it("a nonce that another transaction took: rejects within two seconds", async () => {
    const begin = performance.now();
    const chain = overtaken() as RunningChain;
    const error = await failureOf(sendSigned(chain, deployer, [{ data: "0x" }]));
    expect(error).to.be.instanceOf(SetupFailedError);
    expect(String(error)).to.include("nonce 4").and.include(deployer.account.address);
    expect(performance.now() - begin).to.be.below(2_000);
  });
});
