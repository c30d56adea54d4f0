import { setTimeout } from "node:timers/promises";
import { type Address, encodeFunctionData, type Hex, parseAbi, toHex, zeroAddress } from "viem";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { bytes32Schema, evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { lockSetup } from "../../store/locks.ts";
import type { Store } from "../../store/tables.ts";
import type { LocalAccounts, LocalKey } from "../accounts.ts";
import type { Chain, Deployment, RunningChain } from "../Chain.ts";
import { type ChainRecord, loadChainRecord, saveChainRecord } from "../chainRecords.ts";
import { latestHead, pendingNonce, type Rpc, wasSuccessful } from "../rpc.ts";
import { clearAccounts, findStanding, grantTokens } from "./findStanding.ts";
import { fundService } from "./fundService.ts";
import { placeCalibur, placeDepositFactory, placePermit2 } from "./placeContracts.ts";
import { type SetupCall, sendSigned, sendUnlocked } from "./sendSetup.ts";
import { planSetup, planVenue, type Standing } from "./setupCalls.ts";

const routerAbi = parseAbi([
  "function factory() view returns (address)",
  "function WETH() view returns (address)",
]);

/**
 * A stored chain whose contracts are missing, or that has another first block.
 *
 * @example
 * import { ServiceMissingError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, database: ":memory:" });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof ServiceMissingError) console.log(error.message);
 * }
 */
export class ServiceMissingError extends BaseError {
  override readonly name = "ServiceMissingError";

  constructor({ chainId, reason }: { chainId: number; reason: string }) {
    super(
      `Chain ${chainId} is not the one that the database was used with: ${reason}. ` +
        "Its requests cannot go on: use another database, the chain as it was, or --reset (`reset: true`) to forget them.",
      { code: "SERVICE_MISSING" },
    );
  }
}

/**
 * Finds the service at its stored addresses, or deploys it and stores them with the first block to search for deposits.
 * Processes that start together on one database deploy once: the others wait and use that deployment.
 */
export async function findOrDeployService(
  chain: RunningChain,
  accounts: LocalAccounts,
  store: Store,
): Promise<Chain> {
  const chainId = chain.definition.id;
  const genesisHash = await genesisHashOf(chain);
  const findRecorded = async (record: ChainRecord) => {
    if (record.genesisHash.toLowerCase() !== genesisHash.toLowerCase()) {
      throw new ServiceMissingError({ chainId, reason: "it begins with another block" });
    }
    return { ...chain, ...(await find(chain, record)) };
  };
  const record = await loadChainRecord(store, chainId);
  if (record !== undefined) return findRecorded(record);
  return lockSetup(store, chainId, async (locked) => {
    const recorded = await loadChainRecord(locked, chainId);
    if (recorded !== undefined) return findRecorded(recorded);
    const deployment = await deployServiceSigned(chain, accounts);
    // The lock is lost if the connection broke meanwhile: another process may have stored its deployment.
    const standing = await saveDeployment(locked, deployment, { chainId, genesisHash });
    return standing === undefined ? { ...chain, ...deployment } : findRecorded(standing);
  });
}

/** Stores a deployment, unless another one is stored: that one is returned. */
async function saveDeployment(
  store: Store,
  { contracts, currencies, firstBlock }: Deployment,
  { chainId, genesisHash }: Pick<ChainRecord, "chainId" | "genesisHash">,
): Promise<ChainRecord | undefined> {
  return store.transaction().execute(async (transaction) => {
    const standing = await saveChainRecord(transaction, { chainId, contracts, currencies, genesisHash });
    if (standing !== undefined) return standing;
    // Stored at once: after a crash before the first search, the next run would search the whole chain.
    await transaction
      .insertInto("cursors")
      .values({ chain_id: chainId, next_block: Number(firstBlock) })
      .onConflict((conflict) => conflict.column("chain_id").doUpdateSet({ next_block: Number(firstBlock) }))
      .execute();
    return undefined;
  });
}

async function find(
  chain: RunningChain,
  { contracts, currencies }: Pick<Deployment, "contracts" | "currencies">,
): Promise<Deployment> {
  const { v3, ...rest } = contracts;
  const tokens = currencies.map(({ address }) => address).filter((address) => address !== zeroAddress);
  const addresses: readonly Address[] = [...Object.values(rest), ...Object.values(v3), ...tokens];
  const codes = await Promise.all(addresses.map((address) => chain.client.getCode({ address })));
  const missing = addresses.find((_, index) => codes[index] === undefined);
  if (missing !== undefined) {
    throw new ServiceMissingError({ chainId: chain.definition.id, reason: `nothing is at ${missing}` });
  }
  const router = contracts.uniswapV2Router;
  const [factory, wrappedNative] = await Promise.all([
    chain.client.readContract({ abi: routerAbi, address: router, functionName: "factory" }),
    chain.client.readContract({ abi: routerAbi, address: router, functionName: "WETH" }),
  ]);
  const swap = planVenue({ currencies, factory, router, wrappedNative });
  // The cursor of the search is stored. Deposits can be in any block of the chain.
  return { contracts, currencies, firstBlock: 0n, swap };
}

async function genesisHashOf({ rpc }: RunningChain): Promise<Hex> {
  const block = (await rpc("eth_getBlockByNumber", ["0x0", false])) as { hash?: unknown };
  return bytes32Schema.parse(block.hash);
}

type Send = (chain: RunningChain, from: LocalKey, calls: readonly SetupCall[]) => Promise<void>;

/**
 * Deploys the service's contracts, currencies and pools to a chain in this process, and funds the accounts. On a fork, the
 * contracts that stand there are used.
 */
export async function deployService(chain: RunningChain, accounts: LocalAccounts): Promise<Chain> {
  const { fork } = chain.definition;
  if (fork === undefined) return { ...chain, ...(await deploy(chain, accounts, sendUnlocked)) };
  return { ...chain, ...(await deploy(chain, accounts, sendUnlocked, await takeStanding(chain, accounts))) };
}

/**
 * Deploys the same to an external chain, which may lack development methods. On a fork of a development node, the contracts that
 * stand there are used.
 */
async function deployServiceSigned(chain: RunningChain, accounts: LocalAccounts): Promise<Deployment> {
  if (chain.definition.fork === undefined) return deploy(chain, accounts, sendSigned);
  return deploy(chain, accounts, sendSigned, await takeStanding(chain, accounts));
}

/** Finds what stands on a fork, and takes over the accounts and the depository. */
async function takeStanding(chain: RunningChain, accounts: LocalAccounts): Promise<Standing> {
  await clearAccounts(chain, accounts);
  const standing = await findStanding(chain);
  if (standing.depository !== undefined) {
    await takeDepository(chain.rpc, standing.depository, accounts.allocator.account.address);
  }
  return standing;
}

async function deploy(
  chain: RunningChain,
  accounts: LocalAccounts,
  send: Send,
  standing?: Standing,
): Promise<Deployment> {
  const { rpc } = chain;
  await placeCalibur(rpc);
  const grants = await fundService(chain, accounts, (from, calls) => send(chain, from, calls));
  const { deployer, granted, solver, ...rest } = planSetup({
    accounts,
    grants,
    hasPermit2: await placePermit2(rpc),
    nonce: await pendingNonce(rpc, accounts.deployer.account.address),
    standing,
  });
  await grantTokens(chain, granted);
  await send(chain, accounts.deployer, deployer);
  await send(chain, accounts.solver, solver);
  await placeDepositFactory(chain, accounts, (from, calls) => send(chain, from, calls));
  const { number } = await latestHead(rpc);
  return { ...rest, firstBlock: number + 1n };
}

const depositoryAbi = parseAbi(["function owner() view returns (address)", "function setAllocator(address)"]);
/** Gas money of the owner, in wei. */
const ownerGas = 10n ** 18n;
/** Longest time until a node mines a transaction, in milliseconds. */
const mostWait = 5_000;

/**
 * Makes an account the allocator of a fork's depository, as its impersonated owner, so that the account's signature moves funds
 * out of it. A depository of other code keeps its allocator.
 */
async function takeDepository(rpc: Rpc, depository: Address, allocator: Address): Promise<void> {
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "owner" });
  const answer = await rpc("eth_call", [{ data, to: depository }, "latest"]).catch(() => undefined);
  const word = bytes32Schema.safeParse(answer);
  if (!word.success) return;
  const owner = evmAddressSchema.parse(`0x${word.data.slice(26)}`);
  const held = await rpc("eth_getBalance", [owner, "latest"]);
  await rpc("hardhat_impersonateAccount", [owner]);
  try {
    await rpc("hardhat_setBalance", [owner, toHex(ownerGas)]);
    const call = { abi: depositoryAbi, args: [allocator], functionName: "setAllocator" } as const;
    const transaction = { data: encodeFunctionData(call), from: owner, gas: toHex(200_000), to: depository };
    // Nodes refuse a call that reverts, or mine it without effect.
    const hash = await rpc("eth_sendTransaction", [transaction]).catch(() => undefined);
    if (hash !== undefined) await untilMined(rpc, bytes32Schema.parse(hash));
  } finally {
    await rpc("hardhat_setBalance", [owner, held]);
    await rpc("hardhat_stopImpersonatingAccount", [owner]);
  }
}

/** Anvil answers before it mines, and drops a transaction whose sender has no money or authority any more. */
async function untilMined(rpc: Rpc, hash: Hex): Promise<void> {
  const end = performance.now() + mostWait;
  while ((await wasSuccessful(rpc, hash)) === undefined && performance.now() < end) await setTimeout(10);
}
