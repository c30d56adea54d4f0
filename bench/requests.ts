import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { deriveAccounts } from "../emulator/chains/accounts.ts";
import { noControl } from "../emulator/context/Context.ts";
import { mountRoutes } from "../emulator/http/route/Route.ts";
import { requestsRoutes } from "../emulator/http/routes/requests/requests.ts";
import { openApiKeys } from "../emulator/keys/openApiKeys.ts";
import { openStore } from "../emulator/store/openStore.ts";
import { postgresServer, stopPostgresServer } from "../test/helpers/processes/postgresServer.ts";
import type { Report } from "./Report.ts";
import type { Known } from "./requests/makeRows.ts";
import { type Random, randomNumbers } from "./requests/random.ts";
import { namedQuery, randomQuery } from "./requests/randomQuery.ts";
import { seedRequests } from "./requests/seedRequests.ts";

/** `WAYBILL_BENCH_REQUESTS` overrides the numbers of requests, comma-separated. */
const sizes = (process.env.WAYBILL_BENCH_REQUESTS ?? "10000,1000000").split(",").map(Number);
const warmUp = 200;
const queries = Number(process.env.WAYBILL_BENCH_QUERIES ?? 2_000);
/** The best counts, to exclude other load of the machine. */
const runs = 3;

/** Kinds of queries. Totals scan all stored requests and have no goal. */
const kinds = {
  "named lookups": { make: namedQuery, targets: { p95: 5, p99: undefined } },
  "random combinations": { make: randomQuery, targets: { p95: 20, p99: 150 } },
  "random combinations with totals": {
    make: (known: Known, random: Random) => {
      const query = randomQuery(known, random);
      query.set("includeTotal", "true");
      return query;
    },
    targets: { p95: undefined, p99: undefined },
  },
};
type Kind = keyof typeof kinds;

type Timed = { readonly milliseconds: number; readonly query: string };
type Measured = {
  readonly database: string;
  readonly size: number;
  /** From opening a filled database to the first response. */
  readonly firstMilliseconds: number;
  readonly times: Readonly<Record<Kind, readonly Timed[]>>;
};

/** Measures queries of `GET /requests/v3`, from the request to the bytes of the response. */
export async function benchRequests(): Promise<Report> {
  const measured: Measured[] = [];
  try {
    for (const size of sizes) {
      const file = join(tmpdir(), `waybill-bench-${process.pid}-${size}.db`);
      measured.push({ database: "SQLite", size, ...(await measure(file, size)) });
      for (const end of ["", "-wal", "-shm"]) await rm(`${file}${end}`, { force: true });
      const server = await postgresServer();
      const url = await server.createDatabase();
      measured.push({ database: "PostgreSQL", size, ...(await measure(url, size)) });
      await server.dropDatabase(url);
    }
  } finally {
    await stopPostgresServer();
  }
  const columns = [
    "database",
    "stored",
    "first answer",
    "queries",
    "p50",
    "p95",
    "goal",
    "p99",
    "goal",
    "slowest",
  ];
  return {
    header: ["requests/v3", ...columns],
    rows: measured.flatMap((one) => kindNames.map((kind) => rowOf(kind, one))),
    values: measured.flatMap((one) => kindNames.map((kind) => valuesOf(kind, one))),
  };
}

const kindNames = Object.keys(kinds) as Kind[];

function rowOf(kind: Kind, { database, firstMilliseconds, size, times }: Measured): readonly string[] {
  const at = (share: number) => `${percentile(times[kind], share).toFixed(1)} ms`;
  const goal = (target: number | undefined) => (target === undefined ? "" : `< ${target} ms`);
  const { p95, p99 } = kinds[kind].targets;
  return [
    ...[kind, database, String(size), `${firstMilliseconds.toFixed(0)} ms`, String(times[kind].length)],
    ...[at(0.5), at(0.95), goal(p95), at(0.99), goal(p99), at(1)],
  ];
}

function valuesOf(kind: Kind, { database, firstMilliseconds, size, times }: Measured) {
  return {
    database,
    firstMilliseconds,
    kind,
    p50Milliseconds: percentile(times[kind], 0.5),
    p95Milliseconds: percentile(times[kind], 0.95),
    p99Milliseconds: percentile(times[kind], 0.99),
    size,
    slowest: [...times[kind]].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 20),
  };
}

function percentile(times: readonly Timed[], share: number): number {
  const sorted = times.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function measure(url: string, size: number): Promise<Pick<Measured, "firstMilliseconds" | "times">> {
  const known = await seed(url, size);
  const started = performance.now();
  const { ask, close } = await openListing(url, known);
  try {
    await ask("");
    const firstMilliseconds = performance.now() - started;
    const random = randomNumbers(1);
    for (let i = 0; i < warmUp; i++) await ask(randomQuery(known, random).toString());
    const timesOf = async (kind: Kind) => {
      const times: Timed[] = [];
      for (let i = 0; i < queries; i++) {
        const query = kinds[kind].make(known, random).toString();
        let milliseconds = Number.POSITIVE_INFINITY;
        for (let run = 0; run < runs; run++) milliseconds = Math.min(milliseconds, await ask(query));
        times.push({ milliseconds, query });
      }
      return times;
    };
    const times: Partial<Record<Kind, readonly Timed[]>> = {};
    for (const kind of kindNames) times[kind] = await timesOf(kind);
    return { firstMilliseconds, times: times as Measured["times"] };
  } finally {
    await close();
  }
}

async function seed(url: string, size: number): Promise<Known> {
  const { close, store } = await openStore(url);
  try {
    return await seedRequests(store, size);
  } finally {
    await close();
  }
}

/** A listing over a filled database. `ask` returns milliseconds. */
async function openListing(url: string, known: Known) {
  const { close, onKeysChanged, store } = await openStore(url);
  const now = () => known.lastAt;
  const random32 = () => `0x${"00".repeat(32)}` as const;
  const apiKeys = await openApiKeys({ log: () => undefined, now, onKeysChanged, random32, store });
  const app = mountRoutes(
    new Hono(),
    requestsRoutes({
      context: { accounts: deriveAccounts(), apiKeys, chains: new Map(), control: noControl, now, store },
    }),
  );
  const headers = { "x-api-key": known.apiKeys[0]?.key ?? "" };
  const ask = async (query: string) => {
    const started = performance.now();
    const answer = await app.request(`/requests/v3?${query}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.status} for ${query}`);
    return performance.now() - started;
  };
  return { ask, close };
}
