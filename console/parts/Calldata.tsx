import type { Argument, Decoded } from "../data/types.ts";
import { AccountLink, Copy } from "./text.tsx";

/** A call or an event with the names of its arguments, and the calls inside it. */
export function DecodedCall({ call, chainId }: { call: Decoded; chainId: number }) {
  return (
    <div class="decoded">
      <code class="name">{call.name}</code>
      <Arguments list={call.arguments} chainId={chainId} />
    </div>
  );
}

function Arguments({ list, chainId }: { list: readonly Argument[]; chainId: number }) {
  if (list.length === 0) return null;
  return (
    <ul class="arguments">
      {list.map((argument, place) => (
        <li key={`${place}${argument.name}`}>
          <span class="name">{argument.name}</span> <span class="muted">{argument.type}</span>{" "}
          <Value argument={argument} chainId={chainId} />
        </li>
      ))}
    </ul>
  );
}

function Value({
  argument: { call, fields, type, value = "" },
  chainId,
}: {
  argument: Argument;
  chainId: number;
}) {
  if (call !== undefined) return <DecodedCall call={call} chainId={chainId} />;
  if (fields !== undefined) {
    return fields.length === 0 ? <code>[]</code> : <Arguments list={fields} chainId={chainId} />;
  }
  if (type === "address") return <AccountLink chainId={chainId} address={value} />;
  if (value.length > 40) return <Copy text={value} name="value" />;
  return <code>{value}</code>;
}
