import type { ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { connection } from "./data/live.ts";
import { go, link, place } from "./data/router.ts";
import { adminKey, setKey } from "./data/session.ts";
import { Account, Chain, Chains, Search, TransactionView } from "./views/Chains.tsx";
import { Control } from "./views/Control.tsx";
import { KeyForm } from "./views/KeyForm.tsx";
import { Keys } from "./views/Keys.tsx";
import { Request } from "./views/Request.tsx";
import { Requests } from "./views/Requests.tsx";
import { Scenarios } from "./views/Scenarios.tsx";
import { Solver } from "./views/Solver.tsx";

const tabs = [
  ["requests", "Requests"],
  ["chains", "Chains"],
  ["solver", "Solver"],
  ["scenarios", "Scenarios"],
  ["control", "Control"],
  ["keys", "Keys"],
] as const;

/** Views that show public data alone. */
const open: ReadonlySet<string> = new Set(["chains", "search"]);

export function App() {
  const main = useRef<HTMLElement>(null);
  const { path, query } = place.value;
  const [tab = "requests"] = path;
  const address = path.join("/");
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${tabs.find(([name]) => name === tab)?.[1] ?? "Search"} · Waybill console`;
    if (isFirst.current) isFirst.current = false;
    else main.current?.querySelector<HTMLElement>("h1")?.focus();
  }, [address]);
  useEffect(() => {
    addEventListener("keydown", focusSearch);
    return () => removeEventListener("keydown", focusSearch);
  }, []);
  const needsKey = !open.has(tab) && adminKey.value === undefined;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header tab={tab} />
      <main ref={main} tabIndex={-1} data-view={tab}>
        {needsKey ? <KeyForm /> : view(path, query)}
      </main>
    </>
  );
}

function focusSearch(event: KeyboardEvent): void {
  const isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test((event.target as Element).tagName);
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  document.querySelector<HTMLElement>("#term, #find")?.focus();
}

function view(path: readonly string[], query: URLSearchParams): ComponentChild {
  const [tab = "requests", first, kind, value] = path;
  switch (tab) {
    case "requests":
      return first === undefined ? <Requests /> : <Request key={first} id={first} />;
    case "chains": {
      if (first === undefined) return <Chains />;
      const id = Number(first);
      if (kind === undefined || value === undefined)
        return <Chain key={first} id={id} before={query.get("before") ?? ""} />;
      return kind === "tx" ? (
        <TransactionView key={value} chainId={id} hash={value} />
      ) : (
        <Account key={value} chainId={id} address={value} />
      );
    }
    case "search":
      return <Search key={query.get("term")} term={query.get("term") ?? ""} />;
    case "solver":
      return <Solver />;
    case "scenarios":
      return <Scenarios />;
    case "control":
      return <Control />;
    case "keys":
      return <Keys />;
    default:
      return (
        <>
          <h1 tabIndex={-1}>Not found</h1>
          <p>
            The console has no such view. <a href={link(["requests"])}>Requests</a>
          </p>
        </>
      );
  }
}

function Header({ tab }: { tab: string }) {
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const term = String(new FormData(form).get("term") ?? "").trim();
    if (term !== "") go(link(["search"], { term }));
    form.reset();
  };
  return (
    <header class="top">
      <a class="brand" href={link(["requests"])}>
        Waybill <span>emulator</span>
      </a>
      <nav aria-label="Views">
        {tabs.map(([name, title]) => (
          <a key={name} href={link([name])} aria-current={tab === name ? "page" : undefined}>
            {title}
          </a>
        ))}
        <a href="/docs">API</a>
      </nav>
      <search aria-label="Everything">
        <form onSubmit={find}>
          <input
            id="find"
            name="term"
            type="search"
            aria-label="Hash or address"
            placeholder="Hash or address"
            autocomplete="off"
            spellcheck={false}
          />
        </form>
      </search>
      <Connection />
    </header>
  );
}

const states = { connecting: "connecting", live: "live", off: "no key" } as const;

function Connection() {
  return (
    <span class="connection">
      <span role="status" class={connection.value}>
        {states[connection.value]}
      </span>
      {adminKey.value !== undefined && (
        <button
          type="button"
          class="quiet"
          onClick={() => setKey(undefined)}
          title="Forget the admin key in this tab"
        >
          Lock
        </button>
      )}
    </span>
  );
}
