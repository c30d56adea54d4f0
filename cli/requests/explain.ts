import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { ExplainFailureReturnType } from "../../src/calls/explainFailure.ts";
import type { RequestRecord } from "../../src/schema/record/requestV3.ts";
import { readRequestId } from "../flags/readFlags.ts";
import { type Service, withService } from "../settings/openService.ts";
import { checkFailed } from "../terminal/CommandError.ts";
import { table } from "../terminal/table.ts";
import { amountText } from "./requests.ts";

/** `waybill explain`: the story of a request, and why it failed. */
export function explainCommand(): CommandUnknownOpts {
  const command = new Command("explain")
    .description(
      "tell what happened to a request, and replay its failed call to name the reason and the remedy",
    )
    .addArgument(new Argument("<requestId>", "32 bytes in hexadecimal").argParser(readRequestId))
    .addHelpText(
      "after",
      `
Needs an API key that sees the request. The failed call is replayed on the destination chain's node, which must have the state
of its block: \`chains\` of the configuration names nodes, else the service does.

Examples:
  waybill explain 0x9101…8e2a --emulator emulator.json
  waybill explain 0x9101…8e2a --json | jq .failure.fix`,
    );
  return withService(command, async ({ result, service, signal }, _, requestId) => {
    const { getRequests } = await import("../../src/client/getRequests.ts");
    const { requests } = await getRequests(service.client, { id: requestId, signal });
    const record = requests.find(({ id }) => id.toLowerCase() === requestId);
    if (record === undefined)
      throw checkFailed(`This API key sees no request ${requestId}.`, "REQUEST_NOT_FOUND");
    const failure = await failureOf(service, record, signal);
    const remedy = await remedyOf(record, failure);
    result({ failure, record, remedy }, describe(record, failure, remedy));
  });
}

/** The failure of a request; `undefined` if it has none, or none that a call shows. */
async function failureOf(
  service: Service,
  { data }: RequestRecord,
  signal: AbortSignal,
): Promise<ExplainFailureReturnType | undefined> {
  if (data === null || data === undefined || (data.failedCallData ?? data.failedTxHash ?? null) === null) {
    return undefined;
  }
  const route = data.route?.quoted;
  const chainId = route?.destination?.outputCurrency?.currency?.chainId;
  if (chainId === undefined || chainId === null) return undefined;
  const { explainFailure } = await import("../../src/calls/explainFailure.ts");
  const { openReader } = await import("../settings/openNode.ts");
  return explainFailure(await openReader(service, chainId, signal), data);
}

const usualFix =
  "Ask for a new quote. If a fault of the emulator forced this, remove it: waybill fault list, waybill fault clear.";

async function remedyOf(
  { data }: RequestRecord,
  failure: ExplainFailureReturnType | undefined,
): Promise<string | undefined> {
  const reason = data?.failReason;
  if (failure?.fix !== undefined || !reason || reason === "N/A") return failure?.fix;
  const { fixes } = await import("../../src/calls/failureFixes.ts");
  return fixes[reason] ?? usualFix;
}

function describe(
  record: RequestRecord,
  failure: ExplainFailureReturnType | undefined,
  remedy: string | undefined,
): string {
  const { data } = record;
  const route = data?.route?.actual ?? data?.route?.quoted;
  const hashes = (each: "inTxs" | "outTxs") =>
    (data?.[each] ?? []).map(({ txHash }) => txHash ?? "").join(" ");
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ["request", record.id],
    ["status", record.status],
    ["type", record.requestType],
    ["user", record.user],
    ["recipient", record.recipient],
    ["paid", amountText(route?.origin?.inputCurrency)],
    ["paid by", hashes("inTxs")],
    ["received", record.status === "success" ? amountText(route?.destination?.outputCurrency) : ""],
    ["sent by", hashes("outTxs")],
    ["created", record.createdAt],
    ["updated", record.updatedAt],
    ["reason", data?.failReason],
    ["no refund", data?.refundFailReason],
    ["failed tx", data?.failedTxHash],
    ["failure", failure?.text],
    ["call", failure?.callIndex === undefined ? "" : `number ${failure.callIndex} of the router's calls`],
    ["revert", failure?.revert?.text],
    ["replayed", failure === undefined ? "" : failure.reproduced ? "it fails again" : "it succeeds now"],
    ["remedy", remedy],
  ];
  const shown = rows.filter((row): row is readonly [string, string] => Boolean(row[1]));
  return table(shown);
}
