import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { CorsOrigins } from "../../access/hostRule.ts";
import type { LogEntry } from "../../log/LogEntry.ts";
import type { Store } from "../../store/tables.ts";
import type { LocalAccounts } from "../accounts.ts";
import type { Chain, RunningChain } from "../Chain.ts";
import { definitionsOf, type Fork } from "../chainDefinitions.ts";
import { assertSameChain, loadChainRecord, saveChainRecord } from "../chainRecords.ts";
import { connectChain, type ExternalChain } from "../evm/connectChain.ts";
import type { OpenedForks, openForks } from "../fork/openForks.ts";
import type { ChainPace } from "../local/startChain.ts";
import { startChains } from "../local/startChains.ts";
import { deployService, findOrDeployService } from "./findService.ts";

type OpenChainsParameters = {
  readonly accounts: LocalAccounts;
  readonly store: Store;
  readonly hostname: string;
  /** Origins whose pages may use the JSON-RPC of chains started here. */
  readonly cors?: CorsOrigins | undefined;
  /** Receives refused calls of the JSON-RPC of chains started here. */
  readonly log: (entry: LogEntry) => void;
  readonly chainCount: number | undefined;
  readonly chainIds: readonly number[] | undefined;
  readonly chainPorts: readonly number[] | undefined;
  /** External chains, instead of the default ones. */
  readonly external: readonly ExternalChain[] | undefined;
  /** Forks of public chains, in addition to the local chains. */
  readonly forks: readonly Fork[] | undefined;
  /** Makes local chains repeatable. */
  readonly pace?: ChainPace | undefined;
  /** Start of local chains in unix milliseconds. @default the machine's time */
  readonly startAt: number | undefined;
  /** Latest allowed time of external chains, in unix milliseconds. */
  readonly latestHead: number | undefined;
  /** Receives the close function of each opened chain as soon as it is open. */
  readonly onOpened: (close: () => Promise<void>) => void;
};

/** Starts or connects to the chains concurrently, and deploys the service to those without it. */
export async function openChains(parameters: OpenChainsParameters): Promise<readonly Chain[]> {
  const { accounts, chainCount, chainIds, chainPorts, external, forks, onOpened, store } = parameters;
  if (external === undefined) return openLocal(parameters);
  assertDistinct(external);
  for (const [parameter, given] of Object.entries({ chainCount, chainIds, chainPorts, forks })) {
    if (given === undefined) continue;
    const reason = "it is of local chains, and others are given that run elsewhere";
    throw new InvalidParameterError({ parameter, reason });
  }
  // A failure waits for the other connections: one that opened after the caller's cleanup would stay open.
  const opened = await Promise.allSettled(
    external.map(async (each) => {
      const chain = await connectChain(each);
      onOpened(chain.close);
      assertNotLater(chain, parameters.latestHead);
      return findOrDeployService(chain, accounts, store);
    }),
  );
  return opened.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** Starts chains in this process: local ones, then forks. */
async function openLocal(parameters: OpenChainsParameters): Promise<readonly Chain[]> {
  const {
    accounts,
    chainIds,
    chainPorts,
    cors,
    forks = [],
    hostname,
    log,
    onOpened,
    startAt,
    store,
  } = parameters;
  const isForked = forks.length > 0;
  const chainCount = parameters.chainCount ?? chainIds?.length ?? (isForked ? 1 : undefined);
  const ids = definitionsOf({ chainCount, chainIds }).map(({ id }) => id);
  // Chains in this process are new, so stored chains with their ids are other chains.
  for (const id of [...ids, ...forks.map((fork) => fork.id)]) {
    assertSameChain(await loadChainRecord(store, id), { chainId: id });
  }
  const opened = isForked ? await forksOf({ forks, startAt, takenIds: ids }) : undefined;
  if (opened !== undefined) onOpened(opened.close);
  const start = async () => {
    const { chains, close } = await startChains({
      ...{ chainCount, chainIds, chainPorts, cors, hostname, log },
      forks: opened?.definitions,
      now: startAt,
      pace: parameters.pace,
    });
    onOpened(close);
    const deployed = await Promise.all(chains.map((chain) => deployService(chain, accounts)));
    for (const chain of deployed) await remember(chain, store);
    return deployed;
  };
  return opened === undefined ? start() : opened.during(start);
}

/** Loaded only for forks. */
async function forksOf(parameters: Parameters<typeof openForks>[0]): Promise<OpenedForks> {
  const { openForks } = await import("../fork/openForks.ts");
  return openForks(parameters);
}

/** Asserts that a chain is not ahead of the clock: its time cannot go back. */
function assertNotLater({ definition, head }: RunningChain, latest: number | undefined): void {
  const at = Number(head().timestamp) * 1_000;
  if (latest === undefined || at <= latest) return;
  const reason = `the newest block of ${definition.name} is of ${new Date(at).toISOString()}, and its time does not go back`;
  throw new InvalidParameterError({ parameter: "now", reason });
}

async function remember(chain: Chain, store: Store): Promise<void> {
  const chainId = chain.definition.id;
  const { hash } = await chain.client.getBlock({ blockNumber: 0n });
  // Another process that started at the same time may have stored its own chains under these ids.
  assertSameChain(await saveChainRecord(store, { ...chain, chainId, genesisHash: hash }), { chainId });
}

function assertDistinct(external: readonly ExternalChain[]): void {
  const ids = new Set(external.map(({ id }) => id));
  if (external.length > 0 && ids.size === external.length) return;
  const reason = external.length === 0 ? "there is none" : "two of them have the same id";
  throw new InvalidParameterError({ parameter: "chains", reason });
}
