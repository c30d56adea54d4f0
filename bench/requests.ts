import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { deriveAccounts } from "../emulator/chains/accounts.ts";
import { noControl } from "../emulator/control/noControl.ts";
import { mountRoutes } from "../emulator/http/route/Route.ts";
import { requestsRoutes } from "../emulator/http/routes/requests/requests.ts";
import { openApiKeys } from "../emulator/keys/openApiKeys.ts";
import { openStore } from "../emulator/store/openStore.ts";
import { postgresServer, stopPostgresServer } from "../test/helpers/postgresServer.ts";
import type { Report } from "./Report.ts";
import { randomNumbers } from "./requests/random.ts";
import { randomQuery } from "./requests/randomQuery.ts";
import { seedRequests } from "./requests/seedRequests.ts";

/** `WAYBILL_BENCH_REQUESTS` takes other numbers of requests, with commas between them. */
const sizes = (process.env.WAYBILL_BENCH_REQUESTS ?? "10000,1000000").split(",").map(Number);
const warmUp = 200;
const queries = Number(process.env.WAYBILL_BENCH_QUERIES ?? 2_000);
/** The best of them counts: what else the machine does is not measured. */
const runs = 3;

type Measured = { database: string; size: number; times: readonly { milliseconds: number; query: string }[] };

/** How long random queries of `GET /requests/v3` take, from the request to the bytes of the answer. */
export async function benchRequests(): Promise<Report> {
  const measured: Measured[] = [];
  try {
    for (const size of sizes) {
      const file = join(tmpdir(), `waybill-bench-${process.pid}-${size}.db`);
      measured.push({ database: "SQLite", size, times: await measure(file, size) });
      for (const end of ["", "-wal", "-shm"]) await rm(`${file}${end}`, { force: true });
      const server = await postgresServer();
      const url = await server.createDatabase();
      measured.push({ database: "PostgreSQL", size, times: await measure(url, size) });
      await server.dropDatabase(url);
    }
  } finally {
    await stopPostgresServer();
  }
  const header = ["requests/v3", "stored", "queries", "p50", "p95", "p99", "slowest"];
  const rows = measured.map(({ database, size, times }) => {
    const at = (share: number) => `${percentile(times, share).toFixed(1)} ms`;
    return [database, String(size), String(times.length), at(0.5), at(0.95), at(0.99), at(1)];
  });
  return { header, rows, values: measured.map(toValues) };
}

function toValues({ database, size, times }: Measured) {
  return {
    database,
    p50Milliseconds: percentile(times, 0.5),
    p95Milliseconds: percentile(times, 0.95),
    p99Milliseconds: percentile(times, 0.99),
    size,
    slowest: [...times].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 20),
  };
}

function percentile(times: Measured["times"], share: number): number {
  const sorted = times.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function measure(url: string, size: number): Promise<Measured["times"]> {
  const { close, onKeysChanged, store } = await openStore(url);
  try {
    const known = await seedRequests(store, size);
    const log = () => undefined;
    const now = () => known.lastAt;
    const random32 = () => `0x${"00".repeat(32)}` as const;
    const apiKeys = await openApiKeys({ log, now, onKeysChanged, random32, store });
    const app = mountRoutes(
      new Hono(),
      requestsRoutes({
        context: { accounts: deriveAccounts(), apiKeys, chains: new Map(), control: noControl, now, store },
      }),
    );
    const random = randomNumbers(1);
    const headers = { "x-api-key": known.apiKeys[0]?.key ?? "" };
    const times: { milliseconds: number; query: string }[] = [];
    for (let i = 0; i < warmUp + queries; i++) {
      const query = randomQuery(known, random).toString();
      let milliseconds = Number.POSITIVE_INFINITY;
      for (let run = 0; run < runs; run++) {
        const started = performance.now();
        const answer = await app.request(`/requests/v3?${query}`, { headers });
        await answer.arrayBuffer();
        milliseconds = Math.min(milliseconds, performance.now() - started);
        if (answer.status !== 200) throw new Error(`${answer.status} for ${query}`);
      }
      if (i >= warmUp) times.push({ milliseconds, query });
    }
    return times;
  } finally {
    await close();
  }
}
