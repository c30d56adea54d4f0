import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import type { Address, Hex } from "viem";
import type * as z from "zod/mini";
import type { EmulatorInfo } from "../../emulator/describe.ts";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import type { Client, RequestParameters } from "../../src/client/internal/Client.ts";
import { assertKeyStaysPrivate } from "../../src/internal/assertKeyStaysPrivate.ts";
import { readSeconds, readUrl } from "../flags/readFlags.ts";
import { keyError, usageError } from "../terminal/CommandError.ts";
import { type FlagsOf, type Work, withFlags, withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import type { SecretSource, WaybillConfig } from "./parseConfig.ts";
import { type ReadConfig, readConfig } from "./readConfig.ts";
import { readSecret } from "./readFiles.ts";

/** A call below `/admin` of an emulator. */
type AdminCall<Schema extends z.ZodMiniType> = Pick<
  RequestParameters<Schema>,
  "body" | "method" | "path" | "schema" | "signal" | "timeout"
>;

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
  /** The file of `waybill emulator --out`, where flags or configuration name one. */
  readonly emulator: EmulatorInfo | undefined;
  /** Contracts and solvers of the configuration, if it names this service. */
  readonly trust: TrustRoots | undefined;
  /** @throws CommandError without an admin key, InvalidParameterError for `http` to another machine. */
  adminKey(): string;
  /** Calls a route below `/admin` of an emulator. @throws errors of `adminKey` and of the client. */
  admin<Schema extends z.ZodMiniType>(call: AdminCall<Schema>): Promise<z.output<Schema>>;
  /**
   * Private key of the account that pays.
   *
   * @param account Chooses among the accounts of an emulator's file. @default the first one
   * @throws CommandError without a key, and for a malformed one.
   */
  privateKey(account?: Address): Hex;
};

const defaultUrl = "http://127.0.0.1:4000";

/** The flag of a running emulator, which `WAYBILL_EMULATOR` names too. */
export const emulatorFlag = (description: string) =>
  new Option("--emulator <file>", description).env("WAYBILL_EMULATOR");

/** Adds the flags that choose a service. */
export const serviceFlags = (command: Command) =>
  command
    .option(
      "--url <url>",
      "the service (default: WAYBILL_URL, waybill.config.ts, or http://127.0.0.1:4000)",
      readUrl,
    )
    .addOption(emulatorFlag("use the emulator that wrote this file by --out: URL, keys, chains and solver"))
    .option("--config <file>", "configuration file (default: waybill.config.ts, here or in a folder above)")
    .option("--timeout <seconds>", "limit of each call with its retries (default: 30)", readSeconds);

/** Flags of commands that talk to a service. */
export type ServiceOptions = FlagsOf<typeof serviceFlags>;

/** Gives a command the flags of a service, and its work the opened service. */
export function withService<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
  work: Work<Arguments, Options & ServiceOptions, Terminal & { readonly service: Service }>,
): CommandUnknownOpts {
  return withWork(withFlags(command, serviceFlags), async (terminal, options, ...args) =>
    work({ ...terminal, service: await openService(options) }, options, ...args),
  );
}

/**
 * Opens the service that flags, environment and configuration name, in this order. A service that a flag or `WAYBILL_URL`
 * names gets no key of the configuration, which belongs to another service.
 *
 * @throws InvalidParameterError for an API key and `http` to another machine.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const read = await readConfig(options.config);
  const place = choosePlace(options, read);
  const keyOf = (name: string, variable: string, source: SecretSource | string | undefined) => {
    if (process.env[variable] !== undefined) return readSecret({ env: variable }, read.folder, name);
    return typeof source === "object" ? readSecret(source, read.folder, name) : source;
  };
  const adminKey = () => {
    const key = keyOf("admin key", "WAYBILL_ADMIN_KEY", place.adminKey);
    assertKeyStaysPrivate(key, new URL(place.url), "url");
    if (key !== undefined) return key;
    throw keyError("This needs the emulator's admin key: --emulator <file of --out>, or WAYBILL_ADMIN_KEY.");
  };
  const { createClient } = await import("../../src/client/createClient.ts");
  return {
    admin: async ({ path, ...call }) => {
      const key = adminKey();
      // Called once. The admin key follows no redirect.
      const client = createClient({
        baseUrl: place.url,
        fetch: (url, init) => {
          const headers = new Headers(init.headers);
          headers.set("x-admin-key", key);
          return fetch(url, { ...init, headers });
        },
        retry: { count: 0 },
        timeout: options.timeout,
      });
      const operation = `calling ${path}`;
      return client.request({ ...call, operation, path: `/admin${path}`, safe: call.method === "GET" });
    },
    adminKey,
    client: createClient({
      apiKey: keyOf("API key", "WAYBILL_API_KEY", place.apiKey),
      baseUrl: place.url,
      retry: { count: 1 },
      timeout: options.timeout,
    }),
    config: read.config,
    emulator: place.emulator,
    folder: read.folder,
    privateKey: (account) => {
      const key = keyOf("private key", "WAYBILL_PRIVATE_KEY", place.privateKey?.(account));
      if (key !== undefined) return parsePrivateKey(key);
      throw keyError(
        "This needs the private key of the account that pays: WAYBILL_PRIVATE_KEY, or `privateKey` of the configuration.",
      );
    },
    rpcUrls: place.rpcUrls ?? new Map(),
    solver: place.solver,
    trust: place.trust,
    url: place.url,
    wsUrl: place.wsUrl,
  };
}

/**
 * Trust roots for quotes of a service: of the configuration, of an emulator's file, or of the public service. Never of the
 * service itself.
 *
 * @throws CommandError where no trusted source names contracts and solvers.
 */
export async function trustOf({ emulator, trust, url }: Service): Promise<TrustRoots> {
  if (trust !== undefined) return trust;
  if (emulator !== undefined) {
    const { trustOfEmulator } = await import("../../emulator/trustOfEmulator.ts");
    return trustOfEmulator(emulator);
  }
  const { production } = await import("../../src/internal/serviceAddresses.ts");
  if (new URL(url).origin === new URL(production.baseUrl).origin) {
    const { productionTrust } = await import("../../src/calls/verify/productionTrust.ts");
    return productionTrust;
  }
  throw usageError(
    `No trusted source names the contracts of ${url}: use --emulator <file of --out>, or \`trust\` of the configuration.`,
  );
}

type Place = Partial<Pick<Service, "emulator" | "rpcUrls" | "solver" | "trust" | "wsUrl">> & {
  readonly adminKey?: SecretSource | string | undefined;
  readonly apiKey?: SecretSource | string | undefined;
  readonly privateKey?: (account: Address | undefined) => SecretSource | string | undefined;
  readonly url: string;
};

function choosePlace(options: ServiceOptions, { config, folder }: ReadConfig): Place {
  const { WAYBILL_URL: fromEnvironment } = process.env;
  if (options.url !== undefined) return { url: options.url };
  if (options.emulator !== undefined) return readEmulatorFile(resolve(options.emulator));
  if (fromEnvironment !== undefined && fromEnvironment !== "") return { url: readUrl(fromEnvironment) };
  const { adminKey, apiKey, chains = {}, emulator, privateKey, solver, trust, url, wsUrl } = config;
  if (emulator !== undefined) {
    const place = readEmulatorFile(resolve(folder, emulator));
    return { ...place, privateKey: (account) => privateKey ?? place.privateKey?.(account) };
  }
  const rpcUrls = new Map(Object.entries(chains).map(([id, { rpcUrl }]) => [Number(id), rpcUrl]));
  return {
    adminKey,
    apiKey,
    privateKey: () => privateKey,
    rpcUrls,
    solver,
    trust,
    url: url ?? defaultUrl,
    wsUrl,
  };
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
  const accounts = chains.flatMap(({ accounts: funded = [] }) => funded);
  return {
    adminKey,
    apiKey: apiKeys[0]?.key,
    emulator: info as EmulatorInfo,
    privateKey: (account) =>
      accounts.find(({ address }) => account === undefined || address.toLowerCase() === account.toLowerCase())
        ?.privateKey,
    rpcUrls,
    solver,
    url: apiUrl,
    wsUrl,
  };
}

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The error never contains the key. */
function parsePrivateKey(text: string): Hex {
  const [, digits = ""] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text) ?? [];
  const number = digits === "" ? 0n : BigInt(`0x${digits}`);
  if (number > 0n && number < curveOrder) return `0x${digits}`;
  throw usageError("The private key is not a private key: 64 hexadecimal digits, with or without 0x.");
}
