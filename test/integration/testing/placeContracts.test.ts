import { createRequire } from "node:module";
import { expect } from "chai";
import { type Abi, erc20Abi, type Hex, parseUnits, zeroAddress } from "viem";
import { balanceProxyAbi } from "../../../src/abi/BalanceProxy.ts";
import { localVaultAbi } from "../../../src/abi/LocalVault.ts";
import { pinnedReceiverAbi } from "../../../src/abi/PinnedReceiver.ts";
import { receiverAddress } from "../../../src/abi/receiverAddress.ts";
import { startTestEmulator, type TestEmulator } from "../../../testing/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";

const require = createRequire(import.meta.url);
const artifactOf = (name: string) =>
  require(`waybill/artifacts/${name}.json`) as { abi: Abi; bytecode: Hex; deployedBytecode: Hex };

describe("Waybill's contracts on a test chain", () => {
  let emulator: TestEmulator;
  before("start the emulator", async () => {
    emulator = await startTestEmulator();
  });
  after("stop the emulator", () => emulator.stop());

  it("the contracts without arguments: stand at their public addresses, with the executor of the proxy", async () => {
    const { placeDeployments, reader } = emulator.destination;
    const placed = await placeDeployments();
    for (const [name, address] of Object.entries(placed)) {
      const code = await reader.getCode({ address });
      expect(code?.length, name).to.equal(artifactOf(name).deployedBytecode.length);
    }
    const proxy = { abi: balanceProxyAbi, address: placed.BalanceProxy } as const;
    expect(await reader.readContract({ ...proxy, functionName: "executor" })).to.equal(
      placed.BalanceExecutor,
    );
    expect(await placeDeployments()).to.equal(placed);
  });

  it("a pinned receiver: stands where receiverAddress says, with its arguments", async () => {
    const { placeReceiver, reader } = emulator.origin;
    const { bytecode } = artifactOf("PinnedReceiver");
    const [solver, payee] = [emulator.info.solver, emulator.origin.wallet(1).account.address];
    const parameters = { abi: pinnedReceiverAbi, args: [solver, payee, 0, payee], bytecode } as const;
    const address = await placeReceiver(parameters);
    expect(address).to.equal(receiverAddress(parameters));
    const pinned = { abi: pinnedReceiverAbi, address } as const;
    expect(await reader.readContract({ ...pinned, functionName: "solver" })).to.equal(solver);
  });

  it("a receiver whose constructor reverts: leaves no code, and code of another version is refused", async () => {
    const { placeReceiver, reader } = emulator.origin;
    const { bytecode } = artifactOf("PinnedReceiver");
    const parameters = {
      abi: pinnedReceiverAbi,
      args: [zeroAddress, zeroAddress, 0, zeroAddress],
      bytecode,
    } as const;
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await failureOf(placeReceiver(parameters))).to.have.property("name", "CallExecutionError");
    }
    expect(await reader.getCode({ address: receiverAddress(parameters) })).to.equal(undefined);
    const other = await failureOf(placeReceiver({ ...parameters, bytecode: "0x00" }));
    expect(other).to.have.property("name", "InvalidParameterError");
  });

  it("a vault: takes the deposit of an account", async () => {
    const { balanceOf, currency, deployVault, reader, wallet } = emulator.destination;
    const [asset, owner] = [currency("USDC"), wallet(0)];
    const vault = await deployVault(asset);
    const amount = parseUnits("5", 6);
    await owner.writeContract({
      abi: erc20Abi,
      address: asset,
      args: [vault, amount],
      functionName: "approve",
    });
    const args = [amount, owner.account.address] as const;
    const hash = await owner.writeContract({
      abi: localVaultAbi,
      address: vault,
      args,
      functionName: "deposit",
    });
    await reader.waitForTransactionReceipt({ hash });
    expect(await balanceOf(vault, owner.account.address)).to.equal(amount);
  });
});
