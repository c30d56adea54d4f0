import { type ContractTransactionResponse, MaxUint256, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { padded, requestIdOf, signRecord, testWallet } from "../../test/helpers/contracts/signedRecord.ts";
import type { GasRowName } from "./rows.ts";

const DESTINATION_CHAIN_ID = 8453n;
// Two zero bytes fewer or more in an amount move the figure by 24; these are what such deposits look like.
const NATIVE_AMOUNT = 700_000_000_000_000_000n;
const TOKEN_AMOUNT = 123_456_789n;

type Connection = Awaited<ReturnType<typeof network.create>>;

async function deployEverything({ ethers }: Connection) {
  const [depositor, recipient] = await ethers.getSigners();
  if (!depositor || !recipient) throw new Error("The local chain has too few accounts.");
  const solver = testWallet(9);
  const receiver = await ethers.deployContract("PinnedReceiver", [solver.address, solver.address, 0]);
  const token = await ethers.deployContract("PlainToken");
  const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
  const proxy = await ethers.deployContract("BalanceProxy");
  const executor = await ethers.getContractAt("BalanceExecutor", await proxy.executor());
  await token.mint(depositor, TOKEN_AMOUNT * 10n);
  await token.connect(depositor).approve(receiver, MaxUint256);
  return { depositor, ethers, executor, proxy, receiver, recipient, solver, token, vault };
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
  const { chainId } = await stage.ethers.provider.getNetwork();
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
    const { fields, signature, user } = await recordTerms(stage, ZeroAddress, NATIVE_AMOUNT, run);
    return stage.receiver
      .connect(stage.depositor)
      .deposit(fields.requestId, DESTINATION_CHAIN_ID, user, signature, { value: NATIVE_AMOUNT });
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

const measurements: Readonly<Record<GasRowName, (stage: Everything) => Promise<number>>> = {
  "erc20-deposit-infinite-allowance": erc20Deposit,
  "executor-spend-prefunded-approve-vault-deposit": prefundedVaultDeposit,
  "native-deposit-to-eoa-solver": nativeDeposit,
  "proxy-spend-pull-approve-vault-deposit": pulledVaultDeposit,
};

/** Measures every path, each on a chain of its own. */
export async function measureGas(): Promise<Readonly<Record<string, number>>> {
  const measured: Record<string, number> = {};
  for (const [name, measure] of Object.entries(measurements)) {
    const connection = await network.create();
    try {
      measured[name] = await measure(await deployEverything(connection));
    } finally {
      await connection.close();
    }
  }
  return measured;
}
