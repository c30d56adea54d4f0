import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { Address, Hex } from "viem";
import type { ExternalChain, Fork, StartEmulatorParameters } from "../../emulator/index.ts";

/** Parses an EVM address. */
export function readAddressFlag(value: string): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return value as Address;
  throw new InvalidArgumentError("An address is 0x and 40 hexadecimal digits.");
}

/** Parses a chain flag `id=url`, and appends it to those of earlier flags. */
export function readChain(value: string, before: readonly ExternalChain[] = []): readonly ExternalChain[] {
  const match = /^(\d{1,15})=(https?:\/\/\S+)$/.exec(value);
  const [, id, rpcUrl] = match ?? [];
  if (id === undefined || rpcUrl === undefined) {
    throw new InvalidArgumentError(
      "A chain is its id and the address of a node, as in 31337=http://127.0.0.1:8545.",
    );
  }
  return [...before, { id: Number(id), rpcUrl }];
}

/** Parses the number of chains. */
export function readCount(value: string): number {
  if (!/^[1-8]$/.test(value)) throw new InvalidArgumentError("There can be 1 to 8 chains.");
  return Number(value);
}

/** Parses a delay in milliseconds. */
export function readDelay(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 60_000) {
    throw new InvalidArgumentError("A delay is milliseconds from 0 to 60000.");
  }
  return Number(value);
}

/** Names of the chains that the emulator has addresses of. */
const ids: Readonly<Record<string, number>> = { arbitrum: 42_161, base: 8_453, ethereum: 1, optimism: 10 };

/** Parses a fork flag `chain=url[@block]`, and appends it to those of earlier flags. */
export function readFork(value: string, before: readonly Fork[] = []): readonly Fork[] {
  const match = /^(\d{1,15}|[a-z]+)=(https?:\/\/\S+?)(?:@(\d{1,15}))?$/.exec(value);
  const [, chain = "", rpcUrl, block] = match ?? [];
  const id = ids[chain] ?? Number(chain);
  if (rpcUrl === undefined || !Number.isInteger(id) || id < 1) {
    throw new InvalidArgumentError(
      `A fork is a chain's id or name (${Object.keys(ids).join(", ")}), the address of a node and perhaps a block, as in ethereum=https://node.example@23000000.`,
    );
  }
  return [...before, { id, rpcUrl, ...(block !== undefined && { block: Number(block) }) }];
}

/** Parses comma-separated chain ids. */
export function readIds(value: string): number[] {
  return value.split(",").map((id) => {
    if (!/^\d{1,15}$/.test(id)) {
      throw new InvalidArgumentError("A chain id is a whole number, and a comma is between two of them.");
    }
    return Number(id);
  });
}

/** Parses a date or a time in UTC; `undefined` for an invalid one, such as 30 February. */
export function readDate(value: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(value)) return undefined;
  const moment = new Date(value);
  // `Date` would roll an invalid day over to the next month.
  const isDay = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value.slice(0, 10));
  return isDay ? moment : undefined;
}

/** Parses a start time, a date or unix seconds, to unix milliseconds. */
export function readMoment(value: string): number {
  const at = /^\d{1,11}$/.test(value) ? Number(value) * 1_000 : readDate(value)?.getTime();
  if (at !== undefined) return at;
  throw new InvalidArgumentError(
    "A time is a date such as 2026-12-31 or 2026-12-31T12:00:00Z, or unix seconds.",
  );
}

/** Parses comma-separated origins, in the format of browsers. */
export function readOrigins(value: string): boolean | readonly string[] {
  if (value === "any" || value === "none") return value === "any";
  const origins = value.split(",");
  if (origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)) return origins;
  throw new InvalidArgumentError("An origin is scheme, host and port, as in http://localhost:3000.");
}

/** Parses a port. */
export function readPort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return Number(value);
}

/** Parses comma-separated ports. */
export function readPorts(value: string): number[] {
  return value.split(",").map(readPort);
}

type PrivateChains = NonNullable<StartEmulatorParameters["privateChains"]>;

/** Parses a flag `id=uuid` of a private chain, and appends it to those of earlier flags. */
export function readPrivateChain(value: string, before: PrivateChains = []): PrivateChains {
  const match = /^(\d{1,15})=([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i.exec(
    value,
  );
  const [, id, uuid] = match ?? [];
  if (id === undefined || uuid === undefined) {
    throw new InvalidArgumentError(
      "A private chain is its id and a UUID, as in 31338=0b6f1c1e-6f0a-4c55-9d6c-2f3f7f0b8a11.",
    );
  }
  return [...before, { id: Number(id), uuid }];
}

/** Parses a request id to lower case. */
export function readRequestId(value: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase() as Hex;
  throw new InvalidArgumentError("A request id is 0x and 64 hexadecimal digits.");
}

/** Parses seconds, up to a day, to milliseconds. */
export function readSeconds(value: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(value) || Number(value) <= 0 || Number(value) > 86_400) {
    throw new InvalidArgumentError("A time is seconds above 0 and up to 86400, such as 30 or 0.5.");
  }
  return Number(value) * 1_000;
}

/** Parses a URL of http or https. */
export function readUrl(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new InvalidArgumentError("A URL begins with http:// or https://, as in http://127.0.0.1:4000.");
}

/** Parses a decimal amount of whole tokens. */
export function readAmount(value: string): string {
  if (/^\d{1,60}(\.\d{1,60})?$/.test(value) && /[1-9]/.test(value)) return value;
  throw new InvalidArgumentError("An amount is a decimal number above zero, such as 0.5.");
}
