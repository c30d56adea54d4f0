import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { GetRequestsParameters } from "../../src/client/getRequests.ts";
import { printable } from "../../src/errors/printable.ts";
import type { RecordAmount } from "../../src/schema/record/recordAmount.ts";
import type { RequestRecord } from "../../src/schema/record/requestV3.ts";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import { readDate } from "../flags/readFlags.ts";
import { openService, serviceFlags } from "../settings/openService.ts";
import { type FlagsOf, withFlags, withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** An amount of a record: `0.5 ETH on 31337`; empty without one. */
export function amountText(amount: RecordAmount | null | undefined): string {
  if (!amount?.amountFormatted) return "";
  const { amountFormatted, currency } = amount;
  return printable(`${amountFormatted} ${currency?.symbol ?? "?"} on ${currency?.chainId ?? "?"}`);
}

/** A copy, because the schema would load zod for `--help`. The type names every status. */
const statuses = Object.keys({
  depositing: true,
  failure: true,
  pending: true,
  refund: true,
  submitted: true,
  success: true,
  waiting: true,
} satisfies Record<RequestStatus, true>) as RequestStatus[];

const defaultLimit = 20;
const pageSize = 50;
const milliseconds = 1_000;

/** Columns of a row, for people and for CSV. */
const columns = ["id", "status", "type", "paid", "received", "failReason", "createdAt"] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;

const filterFlags = (command: Command) =>
  command
    .addOption(new Option("--status <status>", "only this status").choices(statuses))
    .option("--user <account>", "only of this account")
    .option("--term <text>", "request id, wallet, deposit address or hash of any transaction")
    .option("--from-chain <chainId>", "only paid on this chain", readChainId)
    .option("--to-chain <chainId>", "only received on this chain", readChainId)
    .option("--from-symbol <symbol>", "only paid in this currency")
    .option("--to-symbol <symbol>", "only received in this currency")
    .option("--reason <failReason>", "only failed for this reason")
    .option("--since <date>", "only created from this date on, such as 2026-11-01", readDay)
    .option("--until <date>", "only created up to this date", readDay)
    .option("--limit <count>", `at most so many (default: ${defaultLimit})`, readLimit)
    .option("--all", "all of them, page by page")
    .addOption(
      new Option("--format <format>", "text or csv; --json prints a whole record a line").choices([
        "text",
        "csv",
      ]),
    );

/** `waybill requests`: lists, filters and exports the requests of an API key. */
export function requestsCommand(): CommandUnknownOpts {
  const filtered = new Command("requests").description(
    "list, filter and export the requests of an API key, newest first",
  );
  const command = withFlags(filtered, filterFlags).addHelpText(
    "after",
    `
Examples:
  waybill requests --emulator emulator.json
  waybill requests --status refund --since 2026-11-01 --limit 100
  waybill requests --all --format csv > requests.csv
  waybill requests --all --json | jq -r 'select(.data.failReason == "SLIPPAGE") | .id'`,
  );
  return withWork(withFlags(command, serviceFlags), async (terminal, options) => {
    const { client } = await openService(options);
    const { iterateRequests } = await import("../../src/client/iterateRequests.ts");
    const most = options.all === true ? Number.POSITIVE_INFINITY : (options.limit ?? defaultLimit);
    const isCsv = options.format === "csv" && !terminal.isJson;
    if (isCsv) terminal.line(undefined, columns.join(","));
    let count = 0;
    const query = { ...queryOf(options), limit: Math.min(most, pageSize), signal: terminal.signal };
    for await (const record of iterateRequests(client, query)) {
      if (terminal.signal.aborted) throw terminal.signal.reason;
      const row = rowOf(record);
      terminal.line(record, isCsv ? csvOf(row) : textOf(row, terminal));
      if (++count >= most) break;
    }
    if (count === 0) terminal.note("No request matches.");
  });
}

function queryOf(options: FlagsOf<typeof filterFlags>): GetRequestsParameters {
  return {
    currencyInSymbol: options.fromSymbol,
    currencyOutSymbol: options.toSymbol,
    destinationChainId: options.toChain,
    endTimestamp: secondsOf(options.until),
    failReason: options.reason as GetRequestsParameters["failReason"],
    originChainId: options.fromChain,
    startTimestamp: secondsOf(options.since),
    status: options.status as GetRequestsParameters["status"],
    term: options.term,
    user: options.user,
  };
}

function secondsOf(date: Date | undefined): number | undefined {
  return date === undefined ? undefined : Math.floor(date.getTime() / milliseconds);
}

function rowOf({ createdAt, data, id, requestType, status }: RequestRecord): Row {
  const route = data?.route?.actual ?? data?.route?.quoted;
  const paid = route?.origin?.inputCurrency;
  const received = route?.destination?.outputCurrency ?? route?.origin?.outputCurrency;
  return {
    createdAt: printable(createdAt ?? ""),
    failReason: printable(data?.failReason ?? ""),
    id: printable(id),
    paid: amountText(paid),
    received: amountText(received),
    status: printable(status),
    type: printable(requestType ?? ""),
  };
}

function textOf(
  { createdAt, failReason, id, paid, received, status, type }: Row,
  { style }: Terminal,
): string {
  const facts = [createdAt.slice(0, 19).padEnd(19), id, status.padEnd(10), type.padEnd(15)];
  return `${style("dim", facts[0] ?? "")}  ${facts.slice(1).join("  ")}  ${paid} → ${received}  ${failReason}`.trimEnd();
}

/** A cell that begins like a formula is quoted as text, because spreadsheets would run it. */
function csvOf(row: Row): string {
  return columns
    .map((name) => (/^[=+\-@]/.test(row[name]) ? `'${row[name]}` : row[name]))
    .map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",");
}

function readChainId(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("A chain id is a whole number.");
}

function readLimit(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("A limit is a whole number from 1 to 999999.");
}

function readDay(value: string): Date {
  const date = readDate(value);
  if (date !== undefined) return date;
  throw new InvalidArgumentError("A date is such as 2026-11-01 or 2026-11-01T12:00:00Z.");
}
