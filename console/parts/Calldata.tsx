import type { Decoded } from "../data/types.ts";
import { AccountLink, Copy } from "./text.tsx";

/** A call or an event with the names of its arguments, and the calls inside it. */
export function DecodedCall({ call, chainId }: { call: Decoded; chainId: number }) {
  const { args, calls = [], name } = call;
  return (
    <div class="decoded">
      <code class="name">{name}</code>
      {args.length > 0 && (
        <ul class="arguments">
          {args.map((argument) => (
            <li key={argument.name}>
              <span class="name">{argument.name}</span> <span class="muted">{argument.type}</span>{" "}
              <Value value={parse(argument)} chainId={chainId} />
            </li>
          ))}
        </ul>
      )}
      {calls.length > 0 && (
        <ol class="arguments">
          {calls.map((inner, place) => (
            <li key={`${place}${inner.name}`}>
              <DecodedCall call={inner} chainId={chainId} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Lists and tuples arrive as JSON. */
function parse({ type, value }: Decoded["args"][number]): unknown {
  return /\]$|^tuple/.test(type) ? JSON.parse(value) : value;
}

/** Any value as a tree, with links to accounts. */
export function Value({ value, chainId }: { value: unknown; chainId?: number | undefined }) {
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return <span class="muted">none</span>;
    return (
      <ul class="arguments">
        {entries.map(([name, each]) => (
          <li key={name}>
            <span class="name">{name}</span> <Value value={each} chainId={chainId} />
          </li>
        ))}
      </ul>
    );
  }
  const text = String(value ?? "none");
  if (chainId !== undefined && /^0x[0-9a-f]{40}$/i.test(text)) {
    return <AccountLink chainId={chainId} address={text} />;
  }
  return text.length > 24 ? <Copy text={text} name="value" /> : <code>{text}</code>;
}
