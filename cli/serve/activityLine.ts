import type { Activity, ActivityAmount, RequestActivity, WebhookActivity } from "../../emulator/index.ts";
import { printable } from "../../src/errors/printable.ts";
import { shortId } from "../terminal/shortId.ts";
import type { Style, Tone } from "../terminal/style.ts";

const tones: Readonly<Record<Activity["kind"], Tone>> = {
  control: "magenta",
  deposit: "cyan",
  failure: "red",
  fault: "magenta",
  fill: "green",
  quote: "dim",
  refund: "yellow",
  reorg: "magenta",
  webhook: "cyan",
};

/** Longest text of a foreign error or reason. */
const longestText = 120;

/** An activity in one line: time, kind, short id, and what happened. */
export function activityLine(activity: Activity, style: Style): string {
  const { at, kind, requestId } = activity;
  const tone = activity.level === "warn" && kind !== "failure" ? "yellow" : tones[kind];
  const id = requestId === undefined ? "" : shortId(requestId);
  const time = new Date(at).toISOString().slice(11, 23);
  return `${style("dim", time)} ${style(tone, kind.padEnd(7))} ${id.padEnd(11)} ${factsOf(activity)}`.trimEnd();
}

function factsOf(activity: Activity): string {
  if ("action" in activity) return printable(activity.action);
  return "trigger" in activity ? requestFacts(activity) : webhookFacts(activity);
}

function requestFacts({
  kind,
  paid,
  reason,
  received,
  sinceQuoteMs,
  trigger,
  txHash,
}: RequestActivity): string {
  const amounts: Readonly<Record<RequestActivity["kind"], string>> = {
    deposit: amountText(paid),
    failure: "",
    fill: amountText(received),
    quote: `${amountText(paid)} → ${amountText(received)}`,
    refund: amountText(paid),
    reorg: "",
  };
  const facts = [
    amounts[kind],
    isUsual(kind, trigger) ? "" : trigger,
    reason ?? "",
    txHash === undefined ? "" : `tx ${shortId(txHash)}`,
    kind === "quote" ? "" : `+${sinceQuoteMs} ms`,
  ];
  return printable(facts.filter((fact) => fact !== "").join("  "));
}

/** Whether the kind says all about the trigger. */
function isUsual(kind: RequestActivity["kind"], trigger: string): boolean {
  return (
    ["quoted", "deposit-accepted", "fill-succeeded", "refund-succeeded"].includes(trigger) &&
    kind !== "failure"
  );
}

function webhookFacts({ attempt, durationMs, error, status, statusCode }: WebhookActivity): string {
  const answer = statusCode === null ? printable(error ?? "no answer", longestText) : String(statusCode);
  return `${status} → ${answer}  in ${Math.round(durationMs)} ms${attempt > 1 ? `  attempt ${attempt}` : ""}`;
}

function amountText({ amount, chain, symbol }: ActivityAmount): string {
  return `${amount} ${symbol} on ${chain}`;
}
