import type { ExternalChain } from "../../emulator/index.ts";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { docsRoot } from "../../src/errors/docsRoot.ts";
import { printable } from "../../src/errors/printable.ts";
import type { QuoteMismatch } from "../../src/errors/QuoteMismatchError.ts";
import { type JsonQuotePolicy, type ProveQuoteParameters, proveQuote } from "../../src/prove/proveQuote.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import { openNode } from "../settings/openNode.ts";
import { openService, type Service, type ServiceOptions, trustOf } from "../settings/openService.ts";
import { readJsonFile } from "../settings/readFiles.ts";
import { type ExitCode, exitCodes, usageError } from "../terminal/CommandError.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** Flags of `waybill prove`. */
type ProveOptions = Pick<ServiceOptions, "config" | "emulator" | "url"> & {
  readonly file: string;
  readonly request: string;
  readonly rpcUrl?: readonly ExternalChain[] | undefined;
};

/** Proves the quote of a file, and prints it or every difference. */
export async function runProof(terminal: Terminal, options: ProveOptions): Promise<ExitCode> {
  if (options.file === "-" && options.request === "-") {
    throw usageError("Only one of --file and --request can be stdin.");
  }
  const { policy, request } = await readTerms(options.request);
  const readers = await openReaders(options, request);
  // The quote's file is read as nothing but a quote: a request or policy in it would be the service's own.
  const quote = await readJsonFile(options.file);
  const trust = policy.trust ?? (await readTrust(options));
  const result = await proveQuote({ policy: { ...policy, ...readers, trust }, quote, request });
  if (result.proven) {
    terminal.result(result, describeProof(result.quote));
    return exitCodes.ok;
  }
  terminal.result(result, describeRefusal(result.differences));
  return exitCodes.refused;
}

type Fields = Readonly<Record<string, unknown>>;

/** The request and the policy of a file. */
async function readTerms(
  file: string,
): Promise<Pick<ProveQuoteParameters, "request"> & { readonly policy: JsonQuotePolicy }> {
  const { policy = {}, request, ...others } = await readFields(file);
  const [stray] = Object.keys(others);
  if (stray !== undefined)
    throw usageError(`${file}: \`${printable(stray)}\` is neither request nor policy.`);
  return {
    policy: policy as JsonQuotePolicy,
    request: request as ProveQuoteParameters["request"],
  };
}

async function readFields(file: string): Promise<Fields> {
  const value = await readJsonFile(file);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw usageError(`${file} is not a JSON object.`);
}

/** Trust roots of the named service; of the public service if none is named. */
async function readTrust(options: ProveOptions): Promise<TrustRoots | undefined> {
  const service = await openService(options);
  return isNamed(options, service) ? trustOf(service) : undefined;
}

function isNamed({ emulator, url }: ProveOptions, { config }: Service): boolean {
  const fromEnvironment = process.env["WAYBILL_URL"] ?? "";
  return (
    [emulator, url, config.emulator, config.trust, config.url].some((each) => each !== undefined) ||
    fromEnvironment !== ""
  );
}

/** Opens the nodes of `--rpc-url`, and no other. */
async function openReaders({ rpcUrl = [] }: ProveOptions, request: ProveQuoteParameters["request"]) {
  const { destinationChainId, originChainId } = request ?? {};
  const stray = rpcUrl.find(({ id }) => id !== originChainId && id !== destinationChainId);
  if (stray !== undefined) throw usageError(`--rpc-url: chain ${stray.id} is no chain of the request.`);
  const open = (chainId: number) =>
    rpcUrl.some(({ id }) => id === chainId) ? openNode({ rpcUrls: new Map() }, chainId, rpcUrl) : undefined;
  const reader = await open(originChainId);
  const destinationReader = await open(destinationChainId);
  return { ...(reader && { reader }), ...(destinationReader && { destinationReader }) };
}

function describeProof({ protocol, steps }: Quote): string {
  const orderId = protocol?.v2?.orderId;
  const what = orderId === undefined ? "" : `: order ${orderId}`;
  const items = steps.reduce((sum, { items: each }) => sum + each.length, 0);
  return `proven${what}\nSteps: ${steps.length}, with ${items} items to sign or send. --json prints the quote to sign.`;
}

function describeRefusal(differences: readonly QuoteMismatch[]): string {
  const count = differences.length;
  const lines = differences.flatMap(({ actual, code, expected, path }) => [
    `${code} ${printable(path)}`,
    `  expected ${printable(expected)}`,
    `  actual   ${printable(actual)}`,
  ]);
  return [
    ...lines,
    `refused, with ${count} difference${count === 1 ? "" : "s"}: sign nothing of this quote`,
    `Each code is explained in ${docsRoot}reference/codes.md`,
  ].join("\n");
}
