import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Hex } from "viem";
import { printable } from "../../src/errors/printable.ts";
import type { RequestProgress } from "../../src/track/reduceStatus.ts";
import { readRequestId, readSeconds } from "../flags/readFlags.ts";
import { type Service, withService } from "../settings/openService.ts";
import { type ExitCode, exitCodes } from "../terminal/CommandError.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { table } from "../terminal/table.ts";

/** `waybill status`: the status of a request, once or until it ends. */
export function statusCommand(): CommandUnknownOpts {
  const command = new Command("status")
    .description("show the status of a request")
    .addArgument(new Argument("<requestId>", "32 bytes in hexadecimal").argParser(readRequestId))
    .option("--watch", "print each change until the request ends; exit code 1 unless it succeeds")
    .option("--for <seconds>", "longest wait of --watch (default: no limit)", readSeconds)
    .addHelpText(
      "after",
      `
Examples:
  waybill status 0x9101…8e2a
  waybill status 0x9101…8e2a --watch --for 120
  waybill status 0x9101…8e2a --json | jq -r .status
  waybill status 0x9101…8e2a --url https://api.relay.link`,
    );
  return withService(command, async (terminal, options, requestId) => {
    const { service } = terminal;
    const { getStatus } = await import("../../src/client/getStatus.ts");
    // A watch retries for ever: an unreachable service or an unknown request fails here.
    const answer = await getStatus(service.client, { requestId, signal: terminal.signal });
    if (options.watch === true) return watch(terminal, service, requestId, options.for);
    const { reduceStatus } = await import("../../src/track/reduceStatus.ts");
    const progress = reduceStatus(undefined, answer);
    const text = progress === undefined ? printable(answer.status) : describe(progress, requestId);
    terminal.result({ requestId, ...answer }, text);
    return exitCodes.ok;
  });
}

async function watch(
  terminal: Terminal,
  { client, wsUrl }: Service,
  requestId: Hex,
  timeout: number | undefined,
): Promise<ExitCode> {
  const { watchRequest } = await import("../../src/track/watchRequest.ts");
  const { websocketStream } = await import("../../src/track/websocketStream.ts");
  const stream = wsUrl === undefined ? undefined : websocketStream({ url: wsUrl });
  let last: RequestProgress | undefined;
  for await (const progress of watchRequest(client, {
    requestId,
    signal: terminal.signal,
    stream,
    timeout,
  })) {
    terminal.line({ requestId, ...progress }, lineOf(progress));
    last = progress;
  }
  return last?.status === "success" ? exitCodes.ok : exitCodes.refused;
}

/** One change in one line. */
function lineOf(progress: RequestProgress): string {
  const { failReason, refundFailReason, status, txHashes, updatedAt } = progress;
  const time = updatedAt === undefined ? "" : `${new Date(updatedAt).toISOString().slice(11, 23)}  `;
  const facts = [failReason, refundFailReason, ...txHashes].filter((fact) => fact !== undefined);
  return `${time}${printable(status).padEnd(10)} ${printable(facts.join("  "))}`.trimEnd();
}

function describe(shown: RequestProgress, requestId: Hex): string {
  const { destinationChainId, details, inTxHashes, originChainId, status, txHashes } = shown;
  const facts: readonly (readonly [string, string])[] = [
    ["request", requestId],
    ["status", status],
    ["reason", shown.failReason ?? ""],
    ["refund", shown.refundFailReason ?? ""],
    ["details", details ?? ""],
    ["chains", originChainId === undefined ? "" : `${originChainId} → ${destinationChainId ?? "?"}`],
    ["paid by", inTxHashes.join(" ")],
    ["sent by", txHashes.join(" ")],
  ];
  return table(facts.filter(([, fact]) => fact !== ""));
}
