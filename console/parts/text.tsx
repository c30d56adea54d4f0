import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { unitsToDecimal } from "../../src/internal/amounts.ts";
import { accountName, chainName } from "../data/chains.ts";
import { link } from "../data/router.ts";
import type { Amount } from "../data/types.ts";

/** `0x12345678…9abcdef0`; shorter text as it is. */
export function shorten(text: string): string {
  return text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
}

const copyMs = 1_200;

/** A short id that copies the whole one. */
export function Copy({
  text,
  name = "id",
  children,
}: {
  text: string;
  name?: string;
  children?: ComponentChildren;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), copyMs);
  };
  return (
    <span class="copy">
      {children ?? <code title={text}>{shorten(text)}</code>}
      <button
        type="button"
        class="quiet"
        onClick={copy}
        aria-label={`Copy ${name} ${text}`}
        title={`Copy the ${name}`}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          {isCopied ? <path d="M3 8.5l3.5 3.5L13 4.5" /> : <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" />}
        </svg>
      </button>
      <span class="hidden" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </span>
  );
}

/** An id that leads somewhere and copies. */
function LinkedId({
  href,
  text,
  name,
  shown,
}: {
  href: string;
  text: string;
  name: string;
  shown?: string | undefined;
}) {
  return (
    <Copy text={text} name={name}>
      <a href={href} title={text}>
        {shown ?? <code>{shorten(text)}</code>}
      </a>
    </Copy>
  );
}

export function TransactionLink({ chainId, hash }: { chainId: number; hash: string }) {
  return <LinkedId href={link(["chains", chainId, "tx", hash])} text={hash} name="transaction hash" />;
}

export function AccountLink({ chainId, address }: { chainId: number; address: string }) {
  const href = link(["chains", chainId, "address", address]);
  return <LinkedId href={href} text={address} name="address" shown={accountName(chainId, address)} />;
}

export function RequestLink({ id }: { id: string }) {
  return <LinkedId href={link(["requests", id])} text={id} name="request id" />;
}

/** A state in a word and a colour. */
export function Status({ value }: { value: string }) {
  return <span class={`status ${value}`}>{value}</span>;
}

/** An amount of a token, and its chain. */
export function AmountText({ amount, isBare = false }: { amount: Amount | null; isBare?: boolean }) {
  if (amount === null) return <span class="muted">nothing</span>;
  return (
    <span class="amount" title={`${amount.amount} units of ${amount.currency}`}>
      <b>{cut(amount.amountFormatted ?? amount.amount)}</b> {amount.symbol ?? shorten(amount.currency)}
      {!isBare && <span class="muted"> on {chainName(amount.chainId)}</span>}
    </span>
  );
}

const mostDigits = 8;

/** A decimal number with at most eight digits after the point. The title has all. */
function cut(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const kept = fraction.slice(0, mostDigits).replace(/0+$/, "");
  if (kept === "" && whole === "0" && /[1-9]/.test(fraction)) return `<0.${"0".repeat(mostDigits - 1)}1`;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return kept === "" ? grouped : `${grouped}.${kept}`;
}

/** Smallest units in whole tokens. */
export function units(amount: string, decimals: number): string {
  return cut(unitsToDecimal(BigInt(amount), decimals));
}

export function dollars(usd: string | null | undefined): string {
  if (usd === null || usd === undefined) return "";
  const value = Number(usd);
  const digits = value !== 0 && Math.abs(value) < 1 ? 4 : 2;
  return value.toLocaleString("en", {
    currency: "USD",
    maximumFractionDigits: digits,
    minimumFractionDigits: 2,
    style: "currency",
  });
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A time of the emulator's clock. */
export function Time({ at, isWhole = false }: { at: number; isWhole?: boolean }) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = clock.format(at);
  const text = isWhole ? `${date.format(at)}, ${time}` : isToday ? time : date.format(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toISOString()}>
      {text}
    </time>
  );
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  if (milliseconds < 86_400_000) return `${(milliseconds / 3_600_000).toFixed(1)} h`;
  return `${(milliseconds / 86_400_000).toFixed(1)} days`;
}

/** `DEPOSIT_CHAIN_MISMATCH` and `deposit-accepted` as words. */
export function words(name: string): string {
  const text = name.replaceAll(/[_-]/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
