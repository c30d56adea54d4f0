import { type Address, erc20Abi, type Hex, hexToString, size, trim, zeroAddress } from "viem";
import { call, getChainId, getCode, readContract } from "viem/actions";
import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import { hashRecord } from "../../records/encodeRecord.ts";
import { recoverSigner } from "../../records/recoverSigner.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import type { ChainClient } from "../callChain.ts";
import { Coded, mustHold, normalizeForComparison, pick, Unmet } from "./compareWhole.ts";
import { findDifferences } from "./findDifferences.ts";
import type { Terms } from "./Terms.ts";
import type { SignedRecord } from "./VerifyQuoteParameters.ts";

/** Fetches the solver's signature of a request's record; undefined if there is none. */
export type FetchRecord = (requestId: Hex) => Promise<SignedRecord | undefined>;

type Shown = Quote["details"]["currencyIn"]["currency"];

/** In place of what a node did not say in time. Equals no value, so that a failed read is a difference. */
const unreadable = new Unmet("a value that the node can read");
/** Longest wait for a node, in milliseconds. */
const patience = 10_000;

/** What a node says in time. */
export async function readable<Value>(read: Promise<Value>): Promise<Value | Unmet> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Unmet>((resolve) => {
    timer = setTimeout(() => resolve(unreadable), patience);
  });
  return Promise.race([read.catch(() => unreadable), late]).finally(() => clearTimeout(timer));
}

/** Compares what a quote shows with what the chains say. A reader of another chain would show other tokens. */
export async function findReadMismatches(
  { isSameChain, policy: { destinationReader, reader }, quote, request }: Terms,
  codeless: Address | undefined,
): Promise<readonly QuoteMismatch[]> {
  const { currencyIn, currencyOut } = quote.details;
  const outputReader = isSameChain ? reader : destinationReader;
  const [origin, destination, input, output, code] = await Promise.all([
    reader && readable(getChainId(reader)),
    destinationReader && readable(getChainId(destinationReader)),
    compareToken(reader, currencyIn.currency),
    compareToken(outputReader, currencyOut.currency),
    codeless && (reader ? readable(getCode(reader, { address: codeless })) : "no reader"),
  ]);
  // The recipient gets calldata that the service chose: its code would run it in the user's name.
  const text = "a recipient without code, as the service chose the calldata; name `reader` to prove it";
  const expected = {
    conditions: {
      ...mustHold(code === undefined, text, "QUOTE_CALL", code instanceof Unmet ? code.text : `${code}`),
    },
    destinationReader: destinationReader && new Coded(request.destinationChainId, "QUOTE_CHAIN"),
    details: { currencyIn: { currency: input.expected }, currencyOut: { currency: output.expected } },
    reader: reader && new Coded(request.originChainId, "QUOTE_CHAIN"),
  };
  const actual = {
    conditions: {},
    destinationReader: destination,
    details: { currencyIn: { currency: input.actual }, currencyOut: { currency: output.actual } },
    reader: origin,
  };
  return findDifferences(expected, actual);
}

/** What a token says of itself, beside what the quote shows. */
async function compareToken(reader: ChainClient | undefined, shown: Shown) {
  if (reader === undefined || normalizeForComparison(shown.address) === zeroAddress) return {};
  const token = { abi: erc20Abi, address: shown.address as Address } as const;
  const asked = readContract(reader, { ...token, functionName: "symbol" });
  const [decimals, symbol] = await Promise.all([
    readable(readContract(reader, { ...token, functionName: "decimals" })),
    readable(asked.catch(() => readOldSymbol(reader, token.address))),
  ]);
  return {
    actual: { decimals: shown.decimals, symbol: shown.symbol },
    expected: { decimals, symbol: symbol ?? shown.symbol },
  };
}

/** Some tokens return 32 bytes in place of text. Undefined for a few that have no symbol. */
async function readOldSymbol(reader: ChainClient, to: Address): Promise<string | Unmet | undefined> {
  const { data } = await call(reader, { data: "0x95d89b41", to });
  if (data === undefined) return undefined;
  return size(data) === 32 ? hexToString(trim(data, { dir: "right" })) : unreadable;
}

/**
 * Checks the solver's record for a payment under a request id. The record holds payer, input, recipient and chain, but
 * no output amount. It is rebuilt from the request, so a signature of other values recovers another signer.
 */
export async function findRecordMismatches(
  { amountIn, policy, recipient, request, requestId, trust }: Terms,
  fetchRecord?: FetchRecord,
): Promise<readonly QuoteMismatch[]> {
  const record = {
    destinationChainId: request.destinationChainId,
    destinationUser: recipient as Hex,
    originAmount: amountIn,
    originChainId: request.originChainId,
    originCurrency: request.originCurrency as Hex,
    originUser: request.user as Hex,
    requestId: requestId as Hex,
  };
  const { signature = "0x" } = policy.record ?? (await fetchRecord?.(record.requestId)) ?? {};
  const hashed = Promise.resolve({ record }).then(hashRecord);
  const signer = await hashed.then(({ digest }) => recoverSigner({ digest, signature })).catch(() => "none");
  const solver = pick(trust.solvers, signer) ?? "a trusted solver";
  const path = "record.signature";
  return findDifferences({ [path]: new Coded(solver, "QUOTE_RECORD") }, { [path]: signer });
}
