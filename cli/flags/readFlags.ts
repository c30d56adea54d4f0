import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { Address, Hex } from "viem";

/**
 * Creates the parser of a flag or argument. It refuses a text that does not match, and one without a value.
 *
 * @param sentence The form that is expected, with an example.
 */
export function parserOf<Value>(
  pattern: RegExp,
  sentence: string,
  read: (match: RegExpExecArray) => Value | undefined,
): (text: string) => Value {
  return (text) => {
    const match = pattern.exec(text);
    const value = match === null ? undefined : read(match);
    if (value === undefined) throw new InvalidArgumentError(sentence);
    return value;
  };
}

/** Creates the parser of a repeatable flag, which appends to the values of earlier ones. */
export function repeated<Value>(parse: (text: string) => Value) {
  return (text: string, before: readonly Value[] = []): readonly Value[] => [...before, parse(text)];
}

/** Creates the parser of comma-separated values. */
function listed<Value>(parse: (text: string) => Value): (text: string) => Value[] {
  return (text) => text.split(",").map(parse);
}

/** A number up to a maximum. */
const upTo = (text: string, most: number): number | undefined =>
  Number(text) > most ? undefined : Number(text);

/** Parses an EVM address. */
export const readAddressFlag = parserOf(
  /^0x[0-9a-fA-F]{40}$/,
  "An address is 0x and 40 hexadecimal digits.",
  ([text]) => text as Address,
);

/** Parses a request id, or another hash, to lower case. */
export const readRequestId = parserOf(
  /^0x[0-9a-fA-F]{64}$/,
  "An id is 0x and 64 hexadecimal digits.",
  ([text]) => text.toLowerCase() as Hex,
);

/** Parses chain flags `id=url`. */
export const readChain = repeated(
  parserOf(
    /^(\d{1,15})=(https?:\/\/\S+)$/,
    "A chain is its id and the address of a node, as in 31337=http://127.0.0.1:8545.",
    ([, id, rpcUrl = ""]) => ({ id: Number(id), rpcUrl }),
  ),
);

/** Parses a chain's id. */
export const readChainId = parserOf(
  /^[1-9]\d{0,14}$/,
  "A chain id is a whole number above zero, such as 8453.",
  ([text]) => Number(text),
);

/** Parses comma-separated chain ids. */
export const readIds = listed(readChainId);

/** Parses the number of chains. */
export const readCount = parserOf(/^[1-8]$/, "There can be 1 to 8 chains.", ([text]) => Number(text));

/** Parses a delay in milliseconds. */
export const readDelay = parserOf(/^\d{1,5}$/, "A delay is milliseconds from 0 to 60000.", ([text]) =>
  upTo(text, 60_000),
);

/** Names of the chains that the emulator has addresses of. */
const ids = new Map([
  ["arbitrum", 42_161],
  ["base", 8_453],
  ["ethereum", 1],
  ["optimism", 10],
]);

/** Parses fork flags `chain=url[@block]`. */
export const readFork = repeated(
  parserOf(
    /^(\d{1,15}|[a-z]+)=(https?:\/\/\S+?)(?:@(\d{1,15}))?$/,
    `A fork is a chain's id or name (${[...ids.keys()].join(", ")}), the address of a node and perhaps a block, as in ethereum=https://node.example@23000000.`,
    ([, chain = "", rpcUrl = "", block]) => {
      const id = ids.get(chain) ?? Number(chain);
      return id >= 1 ? { id, rpcUrl, ...(block !== undefined && { block: Number(block) }) } : undefined;
    },
  ),
);

/** Parses a date or a time in UTC; `undefined` for an invalid one, such as 30 February. */
function dateOf(text: string): Date | undefined {
  const moment = new Date(text);
  // `Date` would roll an invalid day over to the next month.
  const isDay = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.slice(0, 10));
  return isDay ? moment : undefined;
}

const dates = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/;

/** Parses the time at which something ends: `never`, or a date. */
export const readSunset = parserOf(
  new RegExp(`^never$|${dates.source}`),
  "A sunset is never, or a date such as 2026-12-31 or 2026-12-31T12:00:00Z.",
  ([text]) => (text === "never" ? text : dateOf(text)?.toISOString()),
);

/** Parses a start time, a date or unix seconds, to unix milliseconds. */
export const readMoment = parserOf(
  new RegExp(`^\\d{1,11}$|${dates.source}`),
  "A time is a date such as 2026-12-31 or 2026-12-31T12:00:00Z, or unix seconds.",
  ([text]) => (/^\d+$/.test(text) ? Number(text) * 1_000 : dateOf(text)?.getTime()),
);

/** Parses comma-separated origins, in the format of browsers. */
export const readOrigins = parserOf<boolean | readonly string[]>(
  /^.*$/s,
  "An origin is scheme, host and port, as in http://localhost:3000.",
  ([text]) => {
    if (text === "any" || text === "none") return text === "any";
    const origins = text.split(",");
    const isOrigin = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;
    return origins.every(isOrigin) ? origins : undefined;
  },
);

/** Parses a port. */
export const readPort = parserOf(/^\d{1,5}$/, "A port is a number from 0 to 65535.", ([text]) =>
  upTo(text, 65_535),
);

/** Parses comma-separated ports. */
export const readPorts = listed(readPort);

/** Parses seconds, up to a day, to milliseconds. */
export const readSeconds = parserOf(
  /^(?=.*[1-9])\d{1,5}(\.\d{1,3})?$/,
  "A time is seconds above 0 and up to 86400, such as 30 or 0.5.",
  ([text]) => upTo(`${Number(text) * 1_000}`, 86_400_000),
);

/** Parses a URL of http or https. */
export const readUrl = parserOf(
  /^https?:.*$/i,
  "A URL begins with http:// or https://, as in http://127.0.0.1:4000.",
  ([text]) => (URL.canParse(text) ? text : undefined),
);

/** Parses a decimal amount of whole tokens. */
export const readAmount = parserOf(
  /^(?=.*[1-9])\d{1,60}(\.\d{1,60})?$/,
  "An amount is a decimal number above zero, such as 0.5.",
  ([text]) => text,
);
