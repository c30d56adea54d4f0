import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { type ContractTransactionResponse, MaxUint256 } from "ethers";
import hre, { network } from "hardhat";
import { padded, requestIdOf, signRecord, testWallet } from "../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

const SNAPSHOT = new URL("../snapshots/gas.json", import.meta.url);
const DESTINATION_CHAIN_ID = 8453n;
// Two zero bytes fewer or more in an amount move the figure by 24; these are what such deposits look like.
const NATIVE_AMOUNT = 700_000_000_000_000_000n;
const TOKEN_AMOUNT = 123_456_789n;

interface Row {
  readonly gas: number;
  readonly target: number;
}

async function deployEverything() {
  const [owner, depositor, recipient] = await ethers.getSigners();
  if (!owner || !depositor || !recipient) throw new Error("The local chain has too few accounts.");
  const solver = testWallet(9);
  const receiver = await ethers.deployContract("PinnedReceiver", [solver.address, solver.address, 0]);
  const token = await ethers.deployContract("LocalToken", ["Local Dollar", "LUSD", 6, owner.address]);
  const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
  const proxy = await ethers.deployContract("BalanceProxy");
  const executor = await ethers.getContractAt("BalanceExecutor", await proxy.executor());
  await token.mint(depositor, TOKEN_AMOUNT * 10n);
  await token.connect(depositor).approve(receiver, MaxUint256);
  return { depositor, recipient, solver, receiver, token, vault, proxy, executor };
}

type Everything = Awaited<ReturnType<typeof deployEverything>>;

async function gasOf(sending: Promise<ContractTransactionResponse>): Promise<number> {
  const receipt = await (await sending).wait();
  if (receipt === null) throw new Error("The transaction was not mined.");
  return Number(receipt.gasUsed);
}

/** Runs `action` twice: the first run warms what a first payment pays for, the second is the steady state. */
async function steadyGasOf(action: (run: number) => Promise<ContractTransactionResponse>): Promise<number> {
  await gasOf(action(1));
  return gasOf(action(2));
}

async function recordTerms(stage: Everything, currency: string, originAmount: bigint, run: number) {
  const { chainId } = await ethers.provider.getNetwork();
  const fields = {
    requestId: requestIdOf(run),
    originChainId: chainId,
    originUser: await stage.receiver.getAddress(),
    originCurrency: currency,
    originAmount,
    destinationChainId: DESTINATION_CHAIN_ID,
    destinationUser: stage.recipient.address,
  };
  return { fields, signature: signRecord(stage.solver, fields), user: padded(fields.destinationUser) };
}

async function nativeDeposit(stage: Everything): Promise<number> {
  return steadyGasOf(async (run) => {
    const { fields, signature, user } = await recordTerms(stage, ethers.ZeroAddress, NATIVE_AMOUNT, run);
    return stage.receiver
      .connect(stage.depositor)
      .depositNative(fields.requestId, DESTINATION_CHAIN_ID, user, signature, { value: NATIVE_AMOUNT });
  });
}

async function erc20Deposit(stage: Everything): Promise<number> {
  return steadyGasOf(async (run) => {
    const token = await stage.token.getAddress();
    const { fields, signature, user } = await recordTerms(stage, token, TOKEN_AMOUNT, run);
    return stage.receiver
      .connect(stage.depositor)
      .depositErc20(token, TOKEN_AMOUNT, fields.requestId, DESTINATION_CHAIN_ID, user, signature);
  });
}

/** `deposit(0, recipient)`: the amount is the word behind the selector. */
function depositCalldata(stage: Everything): string {
  return stage.vault.interface.encodeFunctionData("deposit", [0n, stage.recipient.address]);
}

async function pulledVaultDeposit(stage: Everything): Promise<number> {
  await stage.token.connect(stage.recipient).approve(stage.proxy, MaxUint256);
  return steadyGasOf(async () => {
    await stage.token.connect(stage.depositor).transfer(stage.recipient, TOKEN_AMOUNT);
    return stage.proxy
      .connect(stage.recipient)
      .spend(stage.token, TOKEN_AMOUNT, stage.vault, 4n, depositCalldata(stage), stage.recipient);
  });
}

async function prefundedVaultDeposit(stage: Everything): Promise<number> {
  return steadyGasOf(async () => {
    await stage.token.connect(stage.depositor).transfer(stage.executor, TOKEN_AMOUNT);
    return stage.executor
      .connect(stage.recipient)
      .spend(stage.token, TOKEN_AMOUNT, stage.vault, 4n, depositCalldata(stage), stage.recipient);
  });
}

const ROWS: Record<string, { target: number; measure: (stage: Everything) => Promise<number> }> = {
  "native-deposit-to-eoa-solver": { target: 60_900, measure: nativeDeposit },
  "erc20-deposit-infinite-allowance": { target: 70_000, measure: erc20Deposit },
  "proxy-spend-pull-approve-vault-deposit": { target: 91_000, measure: pulledVaultDeposit },
  "executor-spend-prefunded-approve-vault-deposit": { target: 69_500, measure: prefundedVaultDeposit },
};

function readSnapshot(): Record<string, Row> {
  return JSON.parse(readFileSync(SNAPSHOT, "utf8"));
}

async function measureEverything(): Promise<Record<string, Row>> {
  const rows: Record<string, Row> = {};
  for (const [name, { target, measure }] of Object.entries(ROWS)) {
    rows[name] = { gas: await measure(await networkHelpers.loadFixture(deployEverything)), target };
  }
  return rows;
}

// Coverage instruments the bytecode, so its figures say nothing.
if (!hre.globalOptions.coverage) {
  describe("gas of the core contracts in steady state", () => {
    if (process.env["UPDATE_SNAPSHOTS"] === "1") {
      before("refreshing the snapshot", async () => {
        writeFileSync(SNAPSHOT, `${JSON.stringify(await measureEverything(), null, 2)}\n`);
      });
    }

    for (const [name, { target, measure }] of Object.entries(ROWS)) {
      it(`of ${name} is what the snapshot says`, async () => {
        const stage = await networkHelpers.loadFixture(deployEverything);
        expect(readSnapshot()[name]).to.deep.equal({ gas: await measure(stage), target });
      });
    }

    it("is measured for every row of the snapshot", () => {
      expect(Object.keys(readSnapshot())).to.have.members(Object.keys(ROWS));
    });
  });
}
