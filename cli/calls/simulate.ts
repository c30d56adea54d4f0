import { Command } from "commander";
import type { Address } from "viem";
import type { SimulateCallsReturnType } from "../../src/calls/simulateCalls.ts";
import { readAddressFlag } from "../flags/readAddressFlag.ts";
import { openService, type Service, type ServiceOptions, withService } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";
import { type ExitCode, exitCodes } from "../terminal/exitCodes.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

type Options = ServiceOptions & { readonly recipient?: Address; readonly router?: Address };

/** `waybill calls simulate`: runs a quote's calls on the destination chain by `eth_call`. */
export function simulateCommand(): Command {
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
The router's arriving balance is \`amount\` of \`destinationCurrency\`. Exit code 0 means that every call succeeds, 1 that one fails.

Examples:
  waybill calls simulate quote-request.json --emulator emulator.json
  waybill calls simulate - --json < quote-request.json | jq .failedIndex`,
    );
  return withWork<Options, [string]>(withService(command), run);
}

async function run(terminal: Terminal, options: Options, file: string): Promise<ExitCode> {
  const { readCallsFile } = await import("./callsFile.ts");
  const { simulateCalls } = await import("../../src/calls/simulateCalls.ts");
  const { amount, destinationChainId, destinationCurrency, txs, ...given } = await readCallsFile(file);
  if (destinationChainId === undefined) throw usageError(`${file}: \`destinationChainId\` is missing.`);
  const recipient = options.recipient ?? given.recipient ?? given.user;
  if (recipient === undefined) throw usageError(`${file}: name a \`recipient\`, or pass --recipient.`);
  const { openReader } = await import("../settings/openNode.ts");
  const service = await openService(options);
  const router = options.router ?? (await routerOf(service, destinationChainId, terminal.signal));
  const simulated = await simulateCalls(await openReader(service, destinationChainId, terminal.signal), {
    balances: [{ amount, token: destinationCurrency }],
    recipient,
    router,
    txs,
  });
  const lines = simulated.calls.map((call, i) => {
    const gas = call.gasUsed === undefined ? "" : `  ${call.gasUsed} gas`;
    const text = call.success
      ? terminal.style("green", "succeeds")
      : terminal.style("red", `fails: ${call.revert.text}`);
    return `call ${i} ${text}${gas}`;
  });
  const total =
    simulated.gasUsed === undefined ? [] : [`the whole transaction uses ${simulated.gasUsed} gas`];
  terminal.result(simulated, [...lines, ...effectLines(simulated), ...total].join("\n"));
  return simulated.failedIndex === undefined ? exitCodes.ok : exitCodes.refused;
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
