import { existsSync } from "node:fs";
import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Address, Hex, PublicClient } from "viem";
import type { CallTree } from "../../src/calls/decodeCallTree.ts";
import type { SimulateCallsReturnType } from "../../src/calls/simulateCalls.ts";
import { printable } from "../../src/errors/printable.ts";
import { readAddressFlag } from "../flags/readFlags.ts";
import { type Service, withService } from "../settings/openService.ts";
import { exitCodes, usageError } from "../terminal/CommandError.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { CallsFile } from "./callsFile.ts";

/** `waybill calls`: commands for the `txs` of a quote. */
export function callsCommand(): CommandUnknownOpts {
  return new Command("calls")
    .description("check, simulate and decode the calls of a quote")
    .addCommand(checkCommand())
    .addCommand(simulateCommand())
    .addCommand(decodeCommand());
}

/** Finds errors in a quote's calls from their calldata alone. */
function checkCommand(): CommandUnknownOpts {
  const command = new Command("check")
    .description("find errors in the txs of a quote request, without a chain")
    .argument("<file>", "body of a quote request with txs, as JSON; - reads stdin")
    .addHelpText(
      "after",
      `
Exit code 0 means no errors (there may be warnings), 1 errors.

Examples:
  waybill calls check quote-request.json
  waybill calls check - --json < quote-request.json | jq -r '.findings[].code'`,
    );
  return withWork(command, async ({ result }, _, file) => {
    const { readCallsFile } = await import("./callsFile.ts");
    const { checkCalls } = await import("../../src/calls/checkCalls.ts");
    const given = await readCallsFile(file);
    const findings = checkCalls(given);
    const ok = findings.every(({ severity }) => severity !== "error");
    const lines = findings.map(({ code, fix, index, message, severity }) => {
      const place = index === undefined ? "all calls" : `call ${index}`;
      return printable(`${severity} ${place} ${code}: ${message} ${fix}`);
    });
    const summary = `calls: ${given.txs.length}, findings: ${findings.length}`;
    result({ calls: given.txs.length, findings, ok }, [...lines, summary].join("\n"));
    return ok ? exitCodes.ok : exitCodes.refused;
  });
}

/** Decodes calldata of the service's contracts, the proxy and tokens. */
function decodeCommand(): CommandUnknownOpts {
  const command = new Command("decode")
    .description("decode calldata of routers, depository, proxy and tokens, calls within calls included")
    .argument("<data>", "calldata in hexadecimal, or a JSON file with txs")
    .addHelpText(
      "after",
      `
Examples:
  waybill calls decode 0x095ea7b3…
  waybill calls decode quote-request.json
  waybill calls decode 0x095ea7b3… --json | jq .calls[0].functionName`,
    );
  return withWork(command, async ({ result }, _, given) => {
    const { decodeCallTree } = await import("../../src/calls/decodeCallTree.ts");
    const calls = (await dataOf(given)).map((data) => decodeCallTree(data));
    result({ calls }, calls.map((call, i) => decodedText(call, `${i}`)).join("\n"));
  });
}

async function dataOf(given: string): Promise<readonly Hex[]> {
  if (/^0x(?:[0-9a-fA-F]{2})*$/.test(given)) return [given as Hex];
  if (given.startsWith("0x")) throw usageError("The calldata is not whole bytes in hexadecimal.");
  const { readCallsFile } = await import("./callsFile.ts");
  if (given !== "-" && !existsSync(given))
    throw usageError(`${given} is neither calldata, which begins with 0x, nor a file.`);
  return (await readCallsFile(given)).txs.map(({ data }) => data);
}

function decodedText({ args, calls, functionName, selector, tag }: CallTree, place: string): string {
  const name = functionName ?? (selector === "0x" ? "no calldata" : `unknown function ${selector}`);
  return [
    `${place}  ${name}`,
    ...args.map((arg) => printable(`${" ".repeat(place.length + 4)}${arg.name} = ${arg.value}`)),
    ...(tag === undefined ? [] : [`${" ".repeat(place.length + 4)}trailing bytes = ${tag}`]),
    ...calls.map((call, i) => decodedText(call, `${place}.${i}`)),
  ].join("\n");
}

/** Runs a quote's calls on the destination chain by `eth_call`. */
function simulateCommand(): CommandUnknownOpts {
  const command = new Command("simulate")
    .description("run the txs of a quote request on the destination chain, without sending anything")
    .argument("<file>", "body of a quote request with txs, as JSON; - reads stdin")
    .option(
      "--router <address>",
      "router that makes the calls (default: the service's v3 router)",
      readAddressFlag,
    )
    .option(
      "--recipient <address>",
      "gets what is left (default: recipient or user of the file)",
      readAddressFlag,
    )
    .addHelpText(
      "after",
      `
The router's arriving balance is \`amount\` of \`destinationCurrency\`. Exit code 0 means that every call succeeds and leaves nothing on the router.
Exit code 1 means that one fails, that one calls an address without code (NO_CODE), or that tokens stay on the router.

Examples:
  waybill calls simulate quote-request.json --emulator emulator.json
  waybill calls simulate - --json < quote-request.json | jq .failedIndex`,
    );
  return withService(command, async ({ result, service, signal }, options, file) => {
    const { readCallsFile } = await import("./callsFile.ts");
    const { simulateCalls } = await import("../../src/calls/simulateCalls.ts");
    const { amount, destinationChainId, destinationCurrency, txs, ...given } = await readCallsFile(file);
    if (destinationChainId === undefined) throw usageError(`${file}: \`destinationChainId\` is missing.`);
    const recipient = options.recipient ?? given.recipient ?? given.user;
    if (recipient === undefined) throw usageError(`${file}: name a \`recipient\`, or pass --recipient.`);
    const { openReader } = await import("../settings/openNode.ts");
    const router = options.router ?? (await routerOf(service, destinationChainId, signal));
    const balances = [{ amount, token: destinationCurrency }];
    const reader = await openReader(service, destinationChainId, signal);
    const simulated = await simulateCalls(reader, { balances, recipient, router, txs });
    const { calls, failedIndex, gasUsed } = simulated;
    const withoutCode = await findEmptyTargets(reader, txs);
    const lines = calls.map((call, i) => {
      const gas = call.gasUsed === undefined ? "" : `  ${call.gasUsed} gas`;
      const text = call.success ? "succeeds" : printable(`fails: ${call.revert.text}`);
      return `call ${i} ${text}${gas}`;
    });
    const total = gasUsed === undefined ? [] : [`the whole transaction uses ${gasUsed} gas`];
    const empty = withoutCode.map(
      (i) => `call ${i} NO_CODE: ${txs[i]?.to} has no code: the call succeeds and does nothing`,
    );
    result(
      { ...simulated, withoutCode },
      [...lines, ...empty, ...effectLines(simulated), ...total].join("\n"),
    );
    const isGood = failedIndex === undefined && withoutCode.length === 0 && simulated.leftovers.length === 0;
    return isGood ? exitCodes.ok : exitCodes.refused;
  });
}

/** Indexes of calls whose target has no code: a low-level call to it succeeds without effect. */
async function findEmptyTargets(reader: PublicClient, txs: CallsFile["txs"]): Promise<readonly number[]> {
  const { ChainReadFailedError } = await import("../../src/errors/ChainReadFailedError.ts");
  const isEmpty = await Promise.all(
    txs.map(async ({ data, to }) => data !== "0x" && (await reader.getCode({ address: to })) === undefined),
  ).catch((cause: unknown) => {
    throw new ChainReadFailedError({ cause, operation: "reading the code of the calls' targets" });
  });
  return isEmpty.flatMap((each, i) => (each ? [i] : []));
}

/** What the calls change, and what they leave on the router. */
function effectLines({
  allowances,
  balances,
  events,
  leftovers,
}: SimulateCallsReturnType): readonly string[] {
  const signed = (change: bigint) => (change > 0n ? `+${change}` : String(change));
  const changed = balances.filter(({ after, before }) => after !== before);
  return [
    ...changed.map(({ account, after, before, token }) => `${account} ${signed(after - before)} of ${token}`),
    ...allowances.map(
      ({ after, spender, token }) => `${spender} may take ${after} of ${token} from the router`,
    ),
    ...leftovers.map(({ amount, token }) => `${amount} of ${token} stays on the router, for anyone to take`),
    ...(events === undefined ? [] : [`${events.length} ${events.length === 1 ? "event" : "events"}`]),
  ];
}

async function routerOf({ client }: Service, chainId: number, signal: AbortSignal): Promise<Address> {
  const { getChains } = await import("../../src/client/getChains.ts");
  const chain = (await getChains(client, { signal })).chains.find(({ id }) => id === chainId);
  const router = chain?.contracts?.v3?.erc20Router;
  if (router === undefined || router === null)
    throw usageError(`The service names no router of chain ${chainId}: pass --router.`);
  return readAddressFlag(router);
}
