import { expect } from "chai";
import { type Address, encodeDeployData, keccak256, toHex, zeroHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { deriveAccounts, type LocalKey } from "../../emulator/chains/accounts.ts";
import { publicContracts } from "../../emulator/chains/fork/publicChains.ts";
import { readArtifact } from "../../emulator/chains/setup/placeContracts.ts";
import { relayDepositoryAbi } from "../../src/abi/RelayDepository.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { carryOut, quoteFor } from "../helpers/quotes/intents.ts";
import { createBuilder } from "./replica/createBuilder.ts";
import type { ReplicaNode } from "./replica/openNode.ts";
import { startReplica } from "./replica/startReplica.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";
import { useInstalledAnvil } from "./support/useInstalledAnvil.ts";

const { depository } = publicContracts(1);
const owner: Address = "0x00000000000000000000000000000000000A11cE";
/** The key of the allocator that the depository has before the fork. */
const earlier = privateKeyToAccount(keccak256(toHex("earlier allocator")));
const recipient: Address = "0x00000000000000000000000000000000000b0b0b";
const types = {
  Call: [
    { name: "to", type: "address" },
    { name: "data", type: "bytes" },
    { name: "value", type: "uint256" },
    { name: "allowFailure", type: "bool" },
  ],
  CallRequest: [
    { name: "calls", type: "Call[]" },
    { name: "nonce", type: "uint256" },
    { name: "expiration", type: "uint256" },
  ],
} as const;

for (const engine of ["hardhat", "anvil"] as const) {
  describe(`the public depository on a fork by ${engine}`, () => {
    let replica: ReplicaNode;
    let fixture: EmulatorFixture;
    keepCacheApart();
    before("start a replica with a depository of another allocator, and fork it", async () => {
      useInstalledAnvil();
      replica = await startReplica();
      const { abi, bytecode } = readArtifact("service/RelayDepository");
      const args = [owner, earlier.address];
      await createBuilder(replica.rpc).construct(depository, encodeDeployData({ abi, args, bytecode }));
      fixture = await startFixture({ forks: [{ engine, id: 1, rpcUrl: replica.url }] });
    });
    after("stop both", async () => {
      await fixture.stop();
      await replica.close();
    });

    /** Withdraws native currency with an account's signature. */
    const withdraw = async (signer: LocalKey["account"] | typeof earlier, value: bigint) => {
      const request = {
        calls: [{ allowFailure: false, data: "0x", to: recipient, value }],
        expiration: 2n ** 40n,
        nonce: value,
      } as const;
      const domain = { chainId: 1, name: "RelayDepository", verifyingContract: depository, version: "1" };
      const signature = await signer.signTypedData({
        domain,
        message: request,
        primaryType: "CallRequest",
        types,
      });
      const { request: call } = await fixture.beta.reader.simulateContract({
        abi: relayDepositoryAbi,
        account: fixture.beta.wallet(0).account,
        address: depository,
        args: [request, signature],
        functionName: "execute",
      });
      const hash = await fixture.beta.wallet(0).writeContract(call);
      return fixture.beta.reader.waitForTransactionReceipt({ hash });
    };

    it("is the one of quotes, and takes a deposit", async () => {
      expect(fixture.beta.info.contracts.depository).to.equal(depository);
      const outbound = { ...fixture, alpha: fixture.beta, beta: fixture.alpha };
      const quote = await quoteFor(outbound, { from: "USDC", to: "WETH" });
      await carryOut(outbound, quote);
    });

    it("pays out to the unit with the emulator's allocator, and not with the earlier one", async () => {
      const call = { abi: relayDepositoryAbi, address: depository, args: [owner, zeroHash] } as const;
      const hash = await fixture.beta
        .wallet(0)
        .writeContract({ ...call, functionName: "depositNative", value: 1_000n });
      await fixture.beta.reader.waitForTransactionReceipt({ hash });
      expect(await failureOf(withdraw(earlier, 5n))).to.be.instanceOf(Error);
      const { status } = await withdraw(deriveAccounts().allocator.account, 999n);
      expect(status).to.equal("success");
      expect(await fixture.beta.reader.getBalance({ address: recipient })).to.equal(999n);
      expect(await fixture.beta.reader.getBalance({ address: depository })).to.equal(1n);
    });
  });
}
