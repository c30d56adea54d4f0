import { type Address, encodeEventTopics, type Hex, type PublicClient, parseEventLogs } from "viem";
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
  const receiver = { abi: managedReceiverAbi, address, blockNumber: toBlock } as const;
  const topics = [
    listEvents.map((eventName) => encodeEventTopics({ abi: managedReceiverAbi, eventName })[0]),
  ];
  const [logs, { timestamp }] = await Promise.all([
    readLogs(client, { address, fromBlock, toBlock, topics: topics as Hex[][] }),
    client.getBlock({ blockNumber: toBlock }),
  ]);
  const named = namedIn(logs);
  const read = (functionName: "attributor" | "coSigner" | "isPaused" | "isRecipientListOpen" | "owner") =>
    client.readContract({ ...receiver, functionName });
  const [owner, coSigner, attributor, isPaused, isRecipientListOpen] = await Promise.all([
    read("owner"),
    read("coSigner"),
    read("attributor"),
    read("isPaused"),
    read("isRecipientListOpen"),
  ]);
  const solvers = await Promise.all(
    named.solvers.map(async (solver) => {
      const entry = await client.readContract({ ...receiver, args: [solver], functionName: "solverOf" });
      return { ...entry, solver };
    }),
  );
  const limits = await Promise.all(
    named.currencies.map(async (currency) => {
      const args = [currency] as const;
      const [minimum, maximum] = await client.readContract({
        ...receiver,
        args,
        functionName: "currencyLimits",
      });
      return { currency, maximum, minimum };
    }),
  );
  const recipients = await Promise.all(
    named.recipients.map(async ({ account, chainId }) => {
      const args = [chainId, account] as const;
      const isListed = await client.readContract({ ...receiver, args, functionName: "isRecipientListed" });
      return { account, chainId, isListed };
    }),
  );
  const handovers = await Promise.all(
    named.pendingOwners.map(async (account) => {
      const args = [account] as const;
      const functionName = "ownershipHandoverExpiresAt";
      return { account, expiresAt: await client.readContract({ ...receiver, args, functionName }) };
    }),
  );
  const settings = {
    activationDelay,
    attributor,
    binding,
    coSigner,
    isPaused,
    isRecipientListOpen,
    limits: limits.filter(({ maximum }) => maximum > 0n),
    owner,
    pendingOwners: handovers.filter(({ expiresAt }) => expiresAt >= timestamp),
    recipients: recipients
      .filter(({ isListed }) => isListed)
      .map(({ account, chainId }) => ({ account, chainId })),
    solvers: solvers
      .filter(({ activeUntil }) => BigInt(activeUntil) > timestamp)
      .map((entry) => solverSetting(entry, timestamp)),
  };
  return { areLogsMissing: lacksLogs(named, configured), settings };
}

/** A node that prunes logs, or a search that starts late, gives fewer logs without an error. */
function lacksLogs(
  { currencies, solvers }: Named,
  configured: NonNullable<DeploymentParameters["ManagedReceiver"]>,
): boolean {
  const seen = new Set([...currencies, ...solvers].map((each) => each.toLowerCase()));
  const logged = [
    ...configured.limits.map(({ currency }) => currency),
    ...configured.solvers.map(({ solver }) => solver),
  ];
  return logged.some((each) => !seen.has(each.toLowerCase()));
}

/** Events that name the keys of the receiver's mappings. */
const listEvents = [
  "CurrencyLimitsChanged",
  "OwnershipHandoverRequested",
  "RecipientChanged",
  "SolverAdded",
] as const;

type Named = {
  readonly currencies: readonly Address[];
  readonly pendingOwners: readonly Address[];
  readonly recipients: readonly { readonly account: Hex; readonly chainId: bigint }[];
  readonly solvers: readonly Address[];
};

function namedIn(logs: Awaited<ReturnType<typeof readLogs>>): Named {
  const parsed = parseEventLogs({
    abi: managedReceiverAbi,
    eventName: [...listEvents],
    logs: [...logs] as never,
  });
  const currencies = new Set<Address>();
  const pendingOwners = new Set<Address>();
  const recipients = new Map<string, { account: Hex; chainId: bigint }>();
  const solvers = new Set<Address>();
  for (const { args, eventName } of parsed) {
    if (eventName === "SolverAdded") solvers.add(args.solver);
    else if (eventName === "CurrencyLimitsChanged") currencies.add(args.currency);
    else if (eventName === "OwnershipHandoverRequested") pendingOwners.add(args.pendingOwner);
    else recipients.set(`${args.chainId} ${args.account}`, { account: args.account, chainId: args.chainId });
  }
  return {
    currencies: [...currencies],
    pendingOwners: [...pendingOwners],
    recipients: [...recipients.values()],
    solvers: [...solvers],
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
