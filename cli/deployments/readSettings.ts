import {
  type Address,
  encodeEventTopics,
  getContract,
  type Hex,
  type PublicClient,
  parseEventLogs,
} from "viem";
import { managedReceiverAbi } from "../../src/abi/ManagedReceiver.ts";
import { orderArguments, pinnedArguments } from "../../src/deployment/constructorArguments.ts";
import type { ContractName } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import type { Origin } from "./proveOrigin.ts";
import { readLogs } from "./readLogs.ts";

/** A setting: a value, or a list or record of settings. Amounts, times and ids are bigints. */
export type Setting =
  | bigint
  | boolean
  | number
  | string
  | readonly Setting[]
  | { readonly [name: string]: Setting };

/** Settings of a contract by name. */
export type Settings = { readonly [name: string]: Setting };

/** What {@link readSettings} found. */
export type ReadSettings = {
  /** Whether logs of the constructor are missing, so that later ones may be missing too. */
  readonly areLogsMissing: boolean;
  readonly settings: Settings;
};

const never = 2n ** 40n - 1n;

/** Names of the arguments that a contract keeps for good. */
const fixedSettings: Partial<Record<ContractName, readonly string[]>> = {
  OrderReceiver: orderArguments,
  PinnedReceiver: pinnedArguments,
};

/**
 * Reads what a contract is set to, at one block. Lists of a managed receiver are found in its logs and read from its state.
 *
 * @param range First block with logs of the contract, and the block of the state.
 * @throws ChainReadFailedError when the node does not give the logs.
 */
export async function readSettings(
  client: PublicClient,
  { address, args, contract }: Origin,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<ReadSettings> {
  const [configured] = args as readonly DeploymentParameters["ManagedReceiver"][];
  if (contract !== "ManagedReceiver" || configured === undefined) {
    const names = fixedSettings[contract] ?? [];
    const settings = Object.fromEntries(names.map((name, i) => [name, args[i] as Setting]));
    return { areLogsMissing: false, settings };
  }
  const { activationDelay, binding } = configured;
  const topics = [
    listEvents.map((eventName) => encodeEventTopics({ abi: managedReceiverAbi, eventName })[0]),
  ];
  const [logs, { timestamp }] = await Promise.all([
    readLogs(client, { address, fromBlock, toBlock, topics: topics as Hex[][] }),
    client.getBlock({ blockNumber: toBlock }),
  ]);
  const named = namedIn(logs);
  const { read } = getContract({ abi: managedReceiverAbi, address, client });
  const at = { blockNumber: toBlock };
  const all = <Key, Read>(keys: readonly Key[], readOne: (key: Key) => Promise<Read>) =>
    Promise.all(keys.map(readOne));
  const [limits, pendingOwners, recipients, solvers] = await Promise.all([
    all(named.currencies, async (currency) => {
      const [minimum, maximum] = await read.currencyLimits([currency], at);
      return { currency, maximum, minimum };
    }),
    all(named.pendingOwners, async (account) => {
      return { account, expiresAt: await read.ownershipHandoverExpiresAt([account], at) };
    }),
    all(named.recipients, async ({ account, chainId }) => {
      const isListed = await read.isRecipientListed([chainId, account], at);
      return isListed ? [{ account, chainId }] : [];
    }),
    all(named.solvers, async (solver) => ({ ...(await read.solverOf([solver], at)), solver })),
  ]);
  const settings = {
    activationDelay,
    attributor: await read.attributor(at),
    binding,
    coSigner: await read.coSigner(at),
    isPaused: await read.isPaused(at),
    isRecipientListOpen: await read.isRecipientListOpen(at),
    limits: limits.filter(({ maximum }) => maximum > 0n),
    owner: await read.owner(at),
    pendingOwners: pendingOwners.filter(({ expiresAt }) => expiresAt >= timestamp),
    recipients: recipients.flat(),
    solvers: solvers
      .filter(({ activeUntil }) => BigInt(activeUntil) > timestamp)
      .map((entry) => solverSetting(entry, timestamp)),
  };
  // A node that prunes logs, or a search that starts late, gives fewer logs without an error.
  const seen = [...named.currencies, ...named.solvers].map((each) => each.toLowerCase());
  const logged = [
    ...configured.limits.map(({ currency }) => currency),
    ...configured.solvers.map(({ solver }) => solver),
  ];
  return { areLogsMissing: logged.some((each) => !seen.includes(each.toLowerCase())), settings };
}

/** Events that name the keys of the receiver's mappings. */
const listEvents = [
  "CurrencyLimitsChanged",
  "OwnershipHandoverRequested",
  "RecipientChanged",
  "SolverAdded",
] as const;

/** The keys of the receiver's mappings, each once. */
function namedIn(given: Awaited<ReturnType<typeof readLogs>>) {
  const logs = [...given] as never;
  const eventsOf = <Name extends (typeof listEvents)[number]>(eventName: Name) =>
    parseEventLogs({ abi: managedReceiverAbi, eventName, logs });
  const recipients = new Map(
    eventsOf("RecipientChanged").map(({ args: { account, chainId } }) => [
      `${chainId} ${account}`,
      { account, chainId },
    ]),
  );
  return {
    currencies: [...new Set(eventsOf("CurrencyLimitsChanged").map(({ args }) => args.currency))],
    pendingOwners: [...new Set(eventsOf("OwnershipHandoverRequested").map(({ args }) => args.pendingOwner))],
    recipients: [...recipients.values()],
    solvers: [...new Set(eventsOf("SolverAdded").map(({ args }) => args.solver))],
  };
}

type SolverEntry = {
  readonly activeFrom: number;
  readonly activeUntil: number;
  readonly nativePayee: Address;
  readonly solver: Address;
  readonly usesErc1271: boolean;
};

function solverSetting(
  { activeFrom, activeUntil, nativePayee, solver, usesErc1271 }: SolverEntry,
  now: bigint,
): Setting {
  const isRetired = BigInt(activeUntil) !== never;
  const running = isRetired ? "retiring" : "active";
  return {
    activeFrom: BigInt(activeFrom),
    ...(isRetired && { activeUntil: BigInt(activeUntil) }),
    nativePayee,
    solver,
    state: BigInt(activeFrom) > now ? "scheduled" : running,
    usesErc1271,
  };
}
