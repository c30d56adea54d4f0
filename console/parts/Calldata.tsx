import { accountName, nativeOf } from "../data/chains.ts";
import { type Decoded, decodeCalldata, describeRevert } from "../data/decode.ts";
import type { CallFrame } from "../data/types.ts";
import { AccountLink, Copy, shorten, units } from "./text.tsx";

/** A call or an event with the names of its arguments, and the calls inside it. */
export function DecodedCall({ call, chainId }: { call: Decoded; chainId: number }) {
  const { args, calls = [], name } = call;
  return (
    <div class="decoded">
      <code class="name">{name}</code>
      <Arguments args={args} chainId={chainId} />
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

function Arguments({ args, chainId }: Pick<Decoded, "args"> & { chainId: number }) {
  if (args.length === 0) return null;
  return (
    <ul class="arguments">
      {args.map((argument) => (
        <li key={argument.name}>
          <span class="name">{argument.name}</span> <span class="muted">{argument.type}</span>{" "}
          <Value value={parse(argument)} chainId={chainId} />
        </li>
      ))}
    </ul>
  );
}

/** A call as the node traced it, and the calls that it made. Arguments and failure of each show on demand. */
export function Trace({ frame, chainId }: { frame: CallFrame; chainId: number }) {
  const { calls = [], error, input, output, to, type, value = "0x0" } = frame;
  const call = decodeCalldata(input);
  const { decimals, symbol } = nativeOf(chainId);
  return (
    <li>
      <details>
        <summary>
          <span class="muted">{type.toLowerCase()}</span>{" "}
          {to === undefined ? "" : (accountName(chainId, to) ?? shorten(to))}{" "}
          <code class="name">{call?.name ?? (input === "0x" ? "" : input.slice(0, 10))}</code>
          {BigInt(value) > 0n && ` ${units(BigInt(value).toString(), decimals)} ${symbol}`}
          {error !== undefined && <span class="bad"> {error}</span>}
        </summary>
        {to !== undefined && <AccountLink chainId={chainId} address={to} />}
        {call !== null && <Arguments args={call.args} chainId={chainId} />}
        {call === null && input !== "0x" && <Value value={input} />}
        {error !== undefined && output !== undefined && <p class="bad">{describeRevert(output)}</p>}
      </details>
      {calls.length > 0 && (
        <ol class="arguments">
          {calls.map((inner, place) => (
            <Trace key={`${place}${inner.input}`} frame={inner} chainId={chainId} />
          ))}
        </ol>
      )}
    </li>
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
