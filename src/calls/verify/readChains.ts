import {
  type Address,
  encodeAbiParameters,
  erc20Abi,
  type Hex,
  hashMessage,
  hexToString,
  keccak256,
  pad,
  parseAbiParameters,
  size,
  trim,
  zeroAddress,
} from "viem";
import { call, getChainId, getCode, readContract } from "viem/actions";
import type { QuoteMismatch, QuoteMismatchCode } from "../../errors/QuoteMismatchError.ts";
import { recoverSigner } from "../../records/recoverSigner.ts";
import type { ChainClient } from "../callChain.ts";
import { isSame, normalizeForComparison, Unmet } from "./compareWhole.ts";
import { isSameChain, type Terms } from "./Terms.ts";
import type { SignedRecord } from "./VerifyQuoteParameters.ts";

/** Fetches the solver's signature of a request's record; undefined if there is none. */
export type FetchRecord = (requestId: Hex) => Promise<SignedRecord | undefined>;

type Shown = { readonly address: string; readonly decimals: number; readonly symbol: string };

/** In place of what a node did not say in time. Equals no value, so that a failed read is a difference. */
const unreadable = new Unmet("a value that the node can read");
/** Longest wait for a node, in milliseconds. */
const patience = 10_000;

async function readable<Value>(read: Promise<Value>): Promise<Value | Unmet> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Unmet>((resolve) => {
    timer = setTimeout(() => resolve(unreadable), patience);
  });
  return Promise.race([read.catch(() => unreadable), late]).finally(() => clearTimeout(timer));
}

/** Compares what a quote shows with what the chains say. A reader of another chain would show other tokens. */
export async function findReadMismatches(
  terms: Terms,
  codeless: Address | undefined,
): Promise<readonly QuoteMismatch[]> {
  const { policy, quote, request } = terms;
  const { currencyIn, currencyOut } = quote.details;
  const { destinationReader, reader } = policy;
  const outputReader = isSameChain(terms) ? reader : destinationReader;
  const found = await Promise.all([
    compareChain("reader", reader, request.originChainId),
    compareChain("destinationReader", destinationReader, request.destinationChainId),
    compareToken("details.currencyIn.currency", currencyIn.currency, reader),
    compareToken("details.currencyOut.currency", currencyOut.currency, outputReader),
    codeless === undefined ? [] : expectCodeless(reader, codeless),
  ]);
  return found.flat();
}

function differenceOf(
  code: QuoteMismatchCode,
  path: string,
  expected: unknown,
  actual: unknown,
): readonly QuoteMismatch[] {
  const isRead = !(expected instanceof Unmet || actual instanceof Unmet);
  if (isRead && isSame(expected, actual)) return [];
  const [wanted, shown] = [expected, actual].map((value) =>
    value instanceof Unmet ? value.text : `${value}`,
  );
  return [{ actual: shown ?? "", code, expected: wanted ?? "", path }];
}

async function compareChain(path: string, reader: ChainClient | undefined, chainId: number) {
  if (reader === undefined) return [];
  return differenceOf("QUOTE_CHAIN", path, chainId, await readable(getChainId(reader)));
}

async function compareToken(path: string, shown: Shown, reader: ChainClient | undefined) {
  if (reader === undefined || normalizeForComparison(shown.address) === zeroAddress) return [];
  const token = { abi: erc20Abi, address: shown.address as Address } as const;
  const [decimals, symbol] = await Promise.all([
    readable(readContract(reader, { ...token, functionName: "decimals" })),
    readable(
      readContract(reader, { ...token, functionName: "symbol" }).catch(() =>
        readOldSymbol(reader, token.address),
      ),
    ),
  ]);
  return [
    ...differenceOf("QUOTE_DISPLAY", `${path}.decimals`, decimals, shown.decimals),
    ...differenceOf("QUOTE_DISPLAY", `${path}.symbol`, symbol ?? shown.symbol, shown.symbol),
  ];
}

/** Some tokens return 32 bytes in place of text. Undefined for a few that have no symbol. */
async function readOldSymbol(reader: ChainClient, to: Address): Promise<string | Unmet | undefined> {
  const { data } = await call(reader, { data: "0x95d89b41", to });
  if (data === undefined) return undefined;
  return size(data) === 32 ? hexToString(trim(data, { dir: "right" })) : unreadable;
}

/** The recipient gets calldata that the service chose: its code would run it in the user's name. */
async function expectCodeless(reader: ChainClient | undefined, address: Address) {
  const text = "a recipient without code, as the service chose the calldata; name `reader` to prove it";
  const code = reader === undefined ? "no reader" : await readable(getCode(reader, { address }));
  return code === undefined ? [] : differenceOf("QUOTE_CALL", "steps", text, code);
}

const members = /* @__PURE__ */ parseAbiParameters(
  "bytes32, uint256, bytes32, bytes32, uint256, uint256, bytes32",
);

/**
 * Checks the solver's record for a payment under a request id. The record holds payer, input, recipient and chain, but
 * no output amount. It is rebuilt from the request, so a signature of other values recovers another signer.
 */
export async function findRecordMismatches(
  { amountIn, policy, recipient, request, requestId, trust }: Terms,
  fetchRecord: FetchRecord,
): Promise<readonly QuoteMismatch[]> {
  const { destinationChainId, originChainId, originCurrency, user } = request;
  const word = (address: string) => pad(address as Hex);
  const record = encodeAbiParameters(members, [
    requestId as Hex,
    BigInt(originChainId),
    word(user),
    word(originCurrency),
    amountIn,
    BigInt(destinationChainId),
    word(recipient),
  ]);
  const signed = policy.record ?? (await fetchRecord(requestId as Hex));
  const digest = hashMessage({ raw: keccak256(record) });
  const signer = await recoverSigner({ digest, signature: signed?.signature ?? "0x" }).catch(() => "none");
  if (trust.solvers.some((solver) => isSame(solver, signer))) return [];
  return differenceOf("QUOTE_RECORD", "record.signature", trust.solvers.join(" or "), signer);
}
