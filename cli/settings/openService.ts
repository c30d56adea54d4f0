import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { EmulatorInfo } from "../../emulator/EmulatorInfo.ts";
import type { Client } from "../../src/client/internal/Client.ts";
import { readSeconds } from "../flags/readSeconds.ts";
import { readUrl } from "../flags/readUrl.ts";
import { keyError, usageError } from "../terminal/CommandError.ts";
import { type ReadConfig, readConfig } from "./readConfig.ts";
import { readSecret } from "./readSecret.ts";
import type { SecretSource, WaybillConfig } from "./WaybillConfig.ts";

/** Flags of commands that talk to a service. */
export type ServiceOptions = {
  readonly config?: string;
  readonly emulator?: string;
  readonly timeout?: number;
  readonly url?: string;
};

/** The service that a command talks to. Keys are read at their first use. */
export type Service = {
  readonly client: Client;
  readonly url: string;
  /** URL of the stream of statuses, if it is known. */
  readonly wsUrl: string | undefined;
  /** The expected signer, if a trusted source names it: never the service itself. */
  readonly solver: string | undefined;
  /** Nodes by chain id that the user named. */
  readonly rpcUrls: ReadonlyMap<number, string>;
  readonly config: WaybillConfig;
  readonly folder: string;
  /** @throws CommandError without an admin key. */
  adminKey(): string;
};

const defaultUrl = "http://127.0.0.1:4000";

/** Adds the flags that choose a service. */
export function withService(command: Command): Command {
  return command
    .option(
      "--url <url>",
      "the service (default: WAYBILL_URL, waybill.config.ts, or http://127.0.0.1:4000)",
      readUrl,
    )
    .option(
      "--emulator <file>",
      "use the emulator that wrote this file by --out: URL, keys, chains and solver",
    )
    .option("--config <file>", "configuration file (default: waybill.config.ts, here or in a folder above)")
    .option("--timeout <seconds>", "limit of each call with its retries (default: 30)", readSeconds);
}

/**
 * Opens the service that flags, environment and configuration name, in this order. A service that a flag or `WAYBILL_URL`
 * names gets no key of the configuration, which belongs to another service.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const read = await readConfig(options.config);
  const place = choosePlace(options, read);
  const keyOf = (name: string, variable: string, source: SecretSource | string | undefined) => {
    if (process.env[variable] !== undefined) return readSecret({ env: variable }, read.folder, name);
    return typeof source === "object" ? readSecret(source, read.folder, name) : source;
  };
  const { createClient } = await import("../../src/client/createClient.ts");
  return {
    adminKey: () => {
      const key = keyOf("admin key", "WAYBILL_ADMIN_KEY", place.adminKey);
      if (key !== undefined) return key;
      throw keyError(
        "This needs the emulator's admin key: --emulator <file of --out>, or WAYBILL_ADMIN_KEY.",
      );
    },
    client: createClient({
      apiKey: keyOf("API key", "WAYBILL_API_KEY", place.apiKey),
      baseUrl: place.url,
      retry: { count: 1 },
      timeout: options.timeout,
    }),
    config: read.config,
    folder: read.folder,
    rpcUrls: place.rpcUrls ?? new Map(),
    solver: place.solver,
    url: place.url,
    wsUrl: place.wsUrl,
  };
}

type Place = Partial<Pick<Service, "rpcUrls" | "solver" | "wsUrl">> & {
  readonly adminKey?: SecretSource | string | undefined;
  readonly apiKey?: SecretSource | string | undefined;
  readonly url: string;
};

function choosePlace(options: ServiceOptions, { config, folder }: ReadConfig): Place {
  const { WAYBILL_URL: fromEnvironment } = process.env;
  if (options.url !== undefined) return { url: options.url };
  if (options.emulator !== undefined) return readEmulatorFile(resolve(options.emulator));
  if (fromEnvironment !== undefined && fromEnvironment !== "") return { url: readUrl(fromEnvironment) };
  const { adminKey, apiKey, chains = {}, emulator, solver, url, wsUrl } = config;
  if (emulator !== undefined) return { ...readEmulatorFile(resolve(folder, emulator)) };
  const rpcUrls = new Map(Object.entries(chains).map(([id, { rpcUrl }]) => [Number(id), rpcUrl]));
  return { adminKey, apiKey, rpcUrls, solver, url: url ?? defaultUrl, wsUrl };
}

/** Reads the file that `waybill emulator --out` wrote. */
function readEmulatorFile(file: string): Place {
  let info: Partial<EmulatorInfo>;
  try {
    info = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw usageError(
      `${file} is not a file that \`waybill emulator --out\` wrote, or cannot be read.`,
      cause,
    );
  }
  const { adminKey, apiKeys = [], apiUrl, chains = [], solver, wsUrl } = info ?? {};
  if (apiUrl === undefined || !URL.canParse(apiUrl)) {
    throw usageError(`${file} is not a file that \`waybill emulator --out\` wrote.`);
  }
  const rpcUrls = new Map(chains.map(({ id, rpcUrl }) => [id, rpcUrl]));
  return { adminKey, apiKey: apiKeys[0]?.key, rpcUrls, solver, url: apiUrl, wsUrl };
}
