import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type FailReason, failReasons } from "../../src/schema/request/failReason.ts";
import { requestStatuses } from "../../src/schema/request/requestStatus.ts";
import { requestTypes } from "../../src/schema/request/requestType.ts";
import { chains } from "../data/chains.ts";
import { epoch } from "../data/live.ts";
import { type Filters, openRequestList, type RequestList } from "../data/requestList.ts";
import { go, link, place } from "../data/router.ts";
import type { RequestRow } from "../data/types.ts";
import { AmountText, Copy, Status, shorten, Time, words } from "../parts/text.tsx";
import { Windowed } from "../parts/Windowed.tsx";

const wideRow = 44;
const narrowRow = 92;
const narrow = matchMedia("(max-width: 800px)");

/** All requests, live. */
export function Requests() {
  const { query } = place.value;
  const filters: Filters = {
    chain: query.get("chain") ?? "",
    reason: query.get("reason") ?? "",
    status: query.get("status") ?? "",
    term: query.get("term") ?? "",
    type: query.get("type") ?? "",
  };
  const key = JSON.stringify([filters, epoch.value]);
  const list = useMemo(() => openRequestList(filters), [key]);
  useEffect(() => () => list.close(), [list]);
  const set = (change: Partial<Filters>) =>
    go(link(["requests"], { ...filters, ...change }), { replace: true });
  return (
    <div class="requests">
      <h1 tabIndex={-1}>Requests</h1>
      <StatusFilter list={list} filters={filters} set={set} />
      <OtherFilters filters={filters} set={set} />
      {list.error.value !== undefined && (
        <p class="notice bad" role="alert">
          {list.error.value.message}
        </p>
      )}
      <List list={list} isFiltered={Object.values(filters).some((value) => value !== "")} />
    </div>
  );
}

type Set = (change: Partial<Filters>) => void;

function StatusFilter({ list, filters, set }: { list: RequestList; filters: Filters; set: Set }) {
  const counts = list.counts.value;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const options = [
    { count: all, label: "all", value: "" },
    ...requestStatuses.map((status) => ({ count: counts[status] ?? 0, label: status, value: status })),
  ];
  return (
    <fieldset class="chips">
      <legend class="hidden">Status</legend>
      {options.map(({ count, label, value }) => (
        <button
          key={label}
          type="button"
          class={`status ${label}`}
          aria-pressed={filters.status === value}
          onClick={() => set({ status: value })}
        >
          {label} <b>{count.toLocaleString("en")}</b>
        </button>
      ))}
    </fieldset>
  );
}

const typingMs = 250;

function OtherFilters({ filters, set }: { filters: Filters; set: Set }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = (term: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set({ term: term.trim() }), typingMs);
  };
  return (
    <search class="filters" aria-label="Requests">
      <label>
        <span>Request, wallet, deposit address or transaction</span>
        <input
          type="search"
          id="term"
          spellcheck={false}
          autocomplete="off"
          placeholder="0x…  (press / )"
          defaultValue={filters.term}
          onInput={(event) => search(event.currentTarget.value)}
        />
      </label>
      <Choice
        label="Chain"
        value={filters.chain}
        options={chains.value.map(({ displayName, id }) => [String(id), displayName])}
        onChange={(chain) => set({ chain })}
      />
      <Choice
        label="Type"
        value={filters.type}
        options={requestTypes.map((type) => [type, type])}
        onChange={(type) => set({ type })}
      />
      <Choice
        label="Reason"
        value={filters.reason}
        options={failReasons
          .filter((reason: FailReason) => reason !== "N/A")
          .toSorted()
          .map((reason) => [reason, words(reason)])}
        onChange={(reason) => set({ reason })}
      />
    </search>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function List({ list, isFiltered }: { list: RequestList; isFiltered: boolean }) {
  const element = useRef<HTMLUListElement>(null);
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const change = () => setNarrow(narrow.matches);
    narrow.addEventListener("change", change);
    return () => narrow.removeEventListener("change", change);
  }, []);
  const rows = list.rows.value;
  const total = list.total.value;
  const held = list.held.value.length;
  const top = () => {
    element.current?.parentElement?.scrollTo({ top: 0 });
    list.setTop(true);
  };
  return (
    <>
      <p class="line">
        <span class="muted">
          {total === undefined
            ? "Loading…"
            : `${total.toLocaleString("en")} ${total === 1 ? "request" : "requests"}, newest first`}
        </span>
        <span class="muted keys">
          <kbd>/</kbd> search <kbd>↓</kbd> <kbd>↑</kbd> move <kbd>Enter</kbd> open <kbd>c</kbd> copy
        </span>
        {held > 0 && (
          <button type="button" class="new" onClick={top}>
            {held} new
          </button>
        )}
      </p>
      {total === 0 && (
        <p class="empty">
          {isFiltered ? "No request matches." : "There are no requests yet: ask for a quote."}
        </p>
      )}
      <Windowed
        items={rows}
        keyOf={({ requestId }) => requestId}
        label="Requests"
        list={element}
        onEnd={list.more}
        onKeyDown={(event) => moveByKey(event, element.current, rows)}
        onTop={list.setTop}
        render={(row) => <Row row={row} />}
        rowHeight={isNarrow ? narrowRow : wideRow}
        total={total ?? -1}
      />
    </>
  );
}

/** Moves between rows, and copies the id of the present one. */
function moveByKey(event: KeyboardEvent, list: HTMLUListElement | null, rows: readonly RequestRow[]): void {
  const item = (event.target as Element).closest("li");
  const now = Number(item?.dataset["place"]);
  if (Number.isNaN(now) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "c") void navigator.clipboard.writeText(rows[now]?.requestId ?? "");
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  list?.querySelector<HTMLElement>(`li[data-place="${now + step}"] a`)?.focus();
}

function Row({ row }: { row: RequestRow }) {
  const { createdAt, failReason, paid, quoted, refundFailReason, requestId, requestType, status } = row;
  return (
    <>
      <a href={link(["requests", requestId])} class="row">
        <Status value={status} />
        <span class="pays">
          {paid === null ? (
            <Quoted>{<AmountText amount={quoted.paid} />}</Quoted>
          ) : (
            <AmountText amount={paid} />
          )}
        </span>
        <span class="arrow" aria-hidden="true">
          →
        </span>
        <span class="gets">
          <Outcome row={row} />
        </span>
        <span class="why">{words(refundFailReason ?? failReason ?? "")}</span>
        <span class="type">{requestType}</span>
        <Time at={createdAt} />
      </a>
      <Copy text={requestId} name="request id">
        <code class="id">{shorten(requestId)}</code>
      </Copy>
    </>
  );
}

/** What a request came to; before its end, what was quoted. */
export function Outcome({ row: { quoted, received, refunded, status } }: { row: RequestRow }) {
  if (received !== null) return <AmountText amount={received} />;
  if (refunded !== null) {
    return (
      <>
        <AmountText amount={refunded} /> <em>refunded</em>
      </>
    );
  }
  if (status === "failure" || status === "refund") return <span class="muted">nothing</span>;
  return (
    <Quoted>
      <AmountText amount={quoted.received} />
    </Quoted>
  );
}

function Quoted({ children }: { children: ComponentChildren }) {
  return (
    <span class="quoted">
      {children} <em>quoted</em>
    </span>
  );
}
