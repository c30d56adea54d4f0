import type { RequestDetail } from "../../data/types.ts";
import { Section } from "../../parts/layout.tsx";
import { dollars } from "../../parts/text.tsx";

const names = {
  app: "App fees",
  execution: "Execution gas",
  platform: "Service",
  sponsored: "Sponsored",
  swap: "Swap impact",
} as const;

/** Where the payment went: what arrived, and the fees by their kind. */
export function Fees({ detail: { quote, record } }: { detail: RequestDetail }) {
  const fees = record.data?.fees?.actual ?? record.data?.fees?.quoted;
  const paid = Number(quote.details?.currencyIn?.amountUsd ?? 0);
  const arrived = Number(quote.details?.currencyOut?.amountUsd ?? 0);
  if (fees == null || paid === 0) return null;
  const parts = (Object.keys(names) as (keyof typeof names)[]).flatMap((name) => {
    const usd = Number(fees[name]?.usd ?? 0);
    return usd === 0 ? [] : [{ name, usd }];
  });
  const costs = parts.filter(({ usd }) => usd < 0);
  const sum = costs.reduce((all, { usd }) => all - usd, 0);
  const isActual = record.data?.fees?.actual != null;
  return (
    <Section title="Fees" aside={<span class="muted">{isActual ? "as paid" : "as quoted"}</span>}>
      <Bar
        label={`Of ${dollars(String(paid))} paid, ${dollars(String(arrived))} arrive and ${dollars(String(sum))} are fees`}
        parts={[
          { name: "received", size: Math.max(0, paid - sum) },
          { name: "fees", size: sum },
        ]}
      />
      {costs.length > 0 && (
        <Bar label="The fees by their kind" parts={costs.map(({ name, usd }) => ({ name, size: -usd }))} />
      )}
      <ul class="legend">
        <li>
          <span class="swatch received" aria-hidden="true" /> Received <b>{dollars(String(arrived))}</b>{" "}
          <span class="muted">{((arrived / paid) * 100).toFixed(2)} %</span>
        </li>
        {parts.map(({ name, usd }) => (
          <li key={name}>
            <span class={`swatch ${name}`} aria-hidden="true" /> {names[name]} <b>{dollars(String(usd))}</b>{" "}
            <span class="muted">{((Math.abs(usd) / paid) * 100).toFixed(2)} %</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Bar({
  label,
  parts,
}: {
  label: string;
  parts: readonly { readonly name: string; readonly size: number }[];
}) {
  const sum = parts.reduce((all, { size }) => all + size, 0);
  let from = 0;
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      {parts.map(({ name, size }) => {
        const width = (size / sum) * 100;
        const x = from;
        from += width;
        return <rect key={name} class={name} x={x} y="0" width={Math.max(width, 0.6)} height="8" />;
      })}
    </svg>
  );
}
