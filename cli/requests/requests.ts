import { Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { GetRequestsParameters } from "../../src/client/getRequests.ts";
import { printable } from "../../src/errors/printable.ts";
import type { RecordAmount } from "../../src/schema/record/recordAmount.ts";
import type { RequestRecord } from "../../src/schema/record/requestV3.ts";
import { parserOf } from "../flags/readFlags.ts";
import { withService } from "../settings/openService.ts";

/** An amount of a record: `0.5 ETH on 31337`; empty without one. */
export function amountText(amount: RecordAmount | null | undefined): string {
  if (!amount?.amountFormatted) return "";
  const { amountFormatted, currency } = amount;
  return printable(`${amountFormatted} ${currency?.symbol ?? "?"} on ${currency?.chainId ?? "?"}`);
}

type Status = NonNullable<GetRequestsParameters["status"]>;

/** A copy, because the schema would load zod for `--help`. The type names every status. */
const statuses = Object.keys({
  depositing: true,
  failure: true,
  pending: true,
  refund: true,
  success: true,
} satisfies Record<Status, true>) as Status[];

const readLimit = parserOf(/^[1-9]\d{0,5}$/, "A limit is a whole number from 1 to 999999.", ([text]) =>
  Number(text),
);

const defaultLimit = 20;
const pageSize = 50;

/** `waybill requests`: lists and filters the requests of an API key. */
export function requestsCommand(): CommandUnknownOpts {
  const command = new Command("requests")
    .description("list and filter the requests of an API key, newest first")
    .addOption(new Option("--status <status>", "only this status").choices(statuses))
    .option("--user <account>", "only of this account")
    .option("--term <text>", "request id, wallet, deposit address or hash of any transaction")
    .option("--limit <count>", `at most so many (default: ${defaultLimit})`, readLimit)
    .option("--all", "all of them, page by page")
    .addHelpText(
      "after",
      `
Examples:
  waybill requests --emulator emulator.json
  waybill requests --status refund --limit 100
  waybill requests --all --json | jq -r 'select(.data.failReason == "SLIPPAGE") | .id'`,
    );
  return withService(command, async (terminal, options) => {
    const { client } = terminal.service;
    const { iterateRequests } = await import("../../src/client/iterateRequests.ts");
    const most = options.all === true ? Number.POSITIVE_INFINITY : (options.limit ?? defaultLimit);
    let count = 0;
    const { status, term, user } = options;
    const query = { limit: Math.min(most, pageSize), signal: terminal.signal, status, term, user };
    for await (const record of iterateRequests(client, query)) {
      if (terminal.signal.aborted) throw terminal.signal.reason;
      terminal.line(record, textOf(record));
      if (++count >= most) break;
    }
    if (count === 0) terminal.note("No request matches.");
  });
}

/** A request in one line. */
function textOf({ createdAt, data, id, requestType, status }: RequestRecord): string {
  const route = data?.route?.actual ?? data?.route?.quoted;
  const received = amountText(route?.destination?.outputCurrency ?? route?.origin?.outputCurrency);
  const facts = [
    printable(id),
    printable(status).padEnd(10),
    printable(requestType ?? "").padEnd(15),
    `${amountText(route?.origin?.inputCurrency)} → ${received}`,
    printable(data?.failReason ?? ""),
  ];
  const time = printable(createdAt ?? "").slice(0, 19);
  return `${time.padEnd(19)}  ${facts.join("  ")}`.trimEnd();
}
