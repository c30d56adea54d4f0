import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Loaded } from "../data/useData.ts";

/** A titled part of a view. */
export function Section({
  title,
  children,
  aside,
}: {
  title: string;
  children: ComponentChildren;
  aside?: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Names and values. Values that are `undefined` are left out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== undefined && value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A table that scrolls sideways where it is too wide. */
export function Table({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section would be one more landmark.
    <div class="scroll" role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, key }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                <td key={columns[place]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Waiting, failure, or the data. */
export function Await<Data>({
  loaded: { data, error, reload },
  children,
}: {
  loaded: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
}) {
  return (
    <>
      {error !== undefined && (
        <p class="notice bad" role="alert">
          {error.message}{" "}
          <button type="button" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {data !== undefined ? children(data) : error === undefined && <p class="muted">Loading…</p>}
    </>
  );
}

/** A button that runs something, and says how it ended. A dangerous one must be pressed twice. */
export function Action({
  children,
  run,
  done = "Done.",
  isDangerous = false,
  label,
}: {
  children: ComponentChildren;
  run: () => Promise<unknown>;
  done?: string;
  isDangerous?: boolean;
  label?: string;
}) {
  const [state, setState] = useState<{ text: string; isBad: boolean } | "asked" | "busy" | undefined>();
  const start = async () => {
    if (isDangerous && state !== "asked") return setState("asked");
    setState("busy");
    try {
      const said = await run();
      setState({ isBad: false, text: typeof said === "string" ? said : done });
    } catch (error) {
      setState({ isBad: true, text: (error as Error).message });
    }
  };
  const isBusy = state === "busy";
  const said = typeof state === "object" ? state.text : "";
  return (
    <span class="action">
      <button
        type="button"
        class={isDangerous ? "dangerous" : undefined}
        aria-label={label}
        aria-disabled={isBusy}
        onBlur={() => state === "asked" && setState(undefined)}
        onClick={() => !isBusy && start()}
      >
        {isBusy ? "Working…" : children}
      </button>
      <span role="status" class={typeof state === "object" && state.isBad ? "bad" : "muted"}>
        {state === "asked" ? "Press again to do it." : said}
      </span>
    </span>
  );
}

/** Text behind a heading that opens. */
export function Fold({
  title,
  children,
  onOpen,
}: {
  title: ComponentChildren;
  children: ComponentChildren;
  onOpen?: () => void;
}) {
  return (
    <details onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section would be one more landmark.
    <pre class="scroll" role="group" aria-label={label} tabIndex={0}>
      {typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}
    </pre>
  );
}
