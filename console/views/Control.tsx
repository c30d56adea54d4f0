import { useState } from "preact/hooks";
import { call } from "../data/api.ts";
import { chains } from "../data/chains.ts";
import { controlSeq, epoch } from "../data/live.ts";
import type { Activity } from "../data/types.ts";
import { useData, usePath } from "../data/useData.ts";
import { Action, Await, Facts, Section, Table } from "../parts/layout.tsx";
import { RequestLink, Time, words } from "../parts/text.tsx";

const isControl = ({ kind }: Activity) => kind === "control" || kind === "fault";

/** Clock, faults, health, configuration and states of the emulator. */
export function Control() {
  return (
    <>
      <h1 tabIndex={-1}>Control</h1>
      <div class="columns">
        <Clock />
        <States />
      </div>
      <Faults />
      <Health />
      <div class="columns">
        <Configuration />
        <Log />
      </div>
    </>
  );
}

type Reading = { readonly now: number; readonly isFrozen: boolean };
const minute = 60_000;
const leaps = [
  ["1 min", minute],
  ["1 h", 60 * minute],
  ["1 day", 24 * 60 * minute],
] as const;

function Clock() {
  const loaded = usePath<Reading>("/admin/clock", isControl);
  const change = (body: object) => async () => {
    await call("/admin/clock", { body, method: "POST" });
    loaded.reload();
  };
  return (
    <Section title="Clock">
      <Await loaded={loaded}>
        {({ isFrozen, now }) => (
          <>
            <Facts
              rows={[
                ["Time", <Time key="time" at={now} isWhole />],
                ["State", isFrozen ? "stopped" : "runs"],
              ]}
            />
            <div class="line">
              <Action run={change({ frozen: !isFrozen })} done="">
                {isFrozen ? "Let it run" : "Stop it"}
              </Action>
              {leaps.map(([name, advance]) => (
                <Action key={name} run={change({ advance })} done="" label={`+${name}: advance the clock`}>
                  +{name}
                </Action>
              ))}
            </div>
          </>
        )}
      </Await>
    </Section>
  );
}

type Snapshot = { readonly id: string; readonly at?: number };

function States() {
  const loaded = usePath<{ snapshots: readonly Snapshot[] }>("/admin/snapshots", isControl);
  const post = (path: string) => async () => {
    await call(path, { method: "POST" });
    epoch.value++;
    loaded.reload();
  };
  return (
    <Section title="States">
      <Await loaded={loaded}>
        {({ snapshots }) => (
          <ul class="plain">
            {snapshots.map(({ id }) => (
              <li key={id} class="line">
                <code>{id}</code>
                <Action run={post(`/admin/snapshots/${id}/restore`)} done="Restored." label={`Restore ${id}`}>
                  Restore
                </Action>
              </li>
            ))}
          </ul>
        )}
      </Await>
      <div class="line">
        <Action run={post("/admin/snapshots")} done="Taken.">
          Take a snapshot
        </Action>
        <Action run={post("/admin/reset")} done="The emulator is as at its start." isDangerous>
          Reset everything
        </Action>
      </div>
    </Section>
  );
}

type Fault = {
  readonly id: string;
  readonly fired: number;
  readonly spec: { readonly kind: string; readonly requestId?: string };
};

/** A start for each kind of fault; every field of `docs/reference/control.md` may be added. */
const templates: Readonly<Record<string, object>> = {
  "fill-fails": { failReason: "SLIPPAGE" },
  "fill-slow": { delayMs: 10_000 },
  "fill-unconfirmed": { delayMs: 10_000 },
  "solver-broke": { destinationChainId: 31_338 },
  "refund-rejected": {},
  "transient-failure": {},
  "deposit-ignored": { delayMs: 10_000 },
  "signed-deposit-slow": { delayMs: 10_000 },
  "quote-refused": { errorCode: "AMOUNT_TOO_LOW" },
  "delivery-dropped": { channel: "webhook" },
  "delivery-duplicated": { channel: "webhook" },
  "delivery-reordered": { channel: "webhook" },
  "route-limited": { path: "/quote/v2" },
  "route-broken": { path: "/quote/v2", status: 503 },
  "route-slow": { delayMs: 2_000, path: "/quote/v2" },
};

function Faults() {
  const loaded = usePath<{ faults: readonly Fault[] }>("/admin/faults", isControl);
  const [kind, setKind] = useState("fill-fails");
  const [fields, setFields] = useState(JSON.stringify(templates[kind]));
  const remove = (path: string) => async () => {
    await call(path, { method: "DELETE" });
    loaded.reload();
  };
  const add = async () => {
    await call("/admin/faults", { body: { ...JSON.parse(fields), kind }, method: "POST" });
    loaded.reload();
  };
  const choose = (next: string) => {
    setKind(next);
    setFields(JSON.stringify(templates[next] ?? {}));
  };
  return (
    <Section title="Faults">
      <Await loaded={loaded}>
        {({ faults }) =>
          faults.length === 0 ? (
            <p class="muted">No fault waits to fire.</p>
          ) : (
            <Table
              caption="Faults"
              columns={["Kind", "Fields", "Request", "Fired", "Action"]}
              rows={faults.map(({ fired, id, spec: { kind: name, requestId, ...rest } }) => ({
                cells: [
                  <b key="kind">{name}</b>,
                  <code key="fields">{JSON.stringify(rest)}</code>,
                  requestId === undefined ? "any" : <RequestLink key="request" id={requestId} />,
                  fired,
                  <Action key="remove" run={remove(`/admin/faults/${id}`)} label={`Remove the fault ${name}`}>
                    Remove
                  </Action>,
                ],
                key: id,
              }))}
            />
          )
        }
      </Await>
      <div class="line form">
        <label>
          <span>Kind</span>
          <select value={kind} onChange={(event) => choose(event.currentTarget.value)}>
            {Object.keys(templates).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="wide">
          <span>Fields as JSON</span>
          <input
            spellcheck={false}
            value={fields}
            onInput={(event) => setFields(event.currentTarget.value)}
          />
        </label>
        <Action run={add} done="Added.">
          Add the fault
        </Action>
        <Action run={remove("/admin/faults")} done="Removed.">
          Remove all
        </Action>
      </div>
    </Section>
  );
}

type HealthFlags = Readonly<Record<string, boolean | number | string | null>>;

function Health() {
  return (
    <div class="columns">
      {chains.value.map(({ displayName, id, vmType }) => (
        <ChainHealth key={id} id={id} name={displayName} isEvm={vmType === "evm"} />
      ))}
    </div>
  );
}

function ChainHealth({ id, name, isEvm }: { id: number; name: string; isEvm: boolean }) {
  const loaded = usePath<HealthFlags>(`/admin/chains/${id}/health`, isControl);
  const [blocks, setBlocks] = useState("1");
  const change = (flag: string, value: boolean) => async () => {
    await call(`/admin/chains/${id}/health`, { body: { [flag]: value }, method: "PATCH" });
    loaded.reload();
  };
  const reorg = async () => {
    const report = await call<{ transactions?: readonly unknown[] }>(`/admin/chains/${id}/reorg`, {
      body: { blocks: Number(blocks) },
      method: "POST",
    });
    return `Gone: ${report.transactions?.length ?? 0} transactions.`;
  };
  return (
    <Section title={`Health of ${name}`}>
      <Await loaded={loaded}>
        {(health) => (
          <ul class="plain">
            {Object.entries(health).map(([flag, value]) =>
              typeof value === "boolean" ? (
                <li key={flag} class="line">
                  {words(flag.replaceAll(/([A-Z])/g, " $1"))}: <b>{value ? "yes" : "no"}</b>
                  <Action run={change(flag, !value)} done="" label={`Change ${flag} of ${name}`}>
                    Change
                  </Action>
                </li>
              ) : (
                <li key={flag}>
                  {words(flag.replaceAll(/([A-Z])/g, " $1"))}: <b>{String(value)}</b>
                </li>
              ),
            )}
          </ul>
        )}
      </Await>
      {isEvm && (
        <div class="line form">
          <label>
            <span>Blocks</span>
            <input
              inputMode="numeric"
              class="short"
              value={blocks}
              onInput={(event) => setBlocks(event.currentTarget.value)}
            />
          </label>
          <Action run={reorg} isDangerous label={`Reorganise ${name}`}>
            Reorganise
          </Action>
        </div>
      )}
    </Section>
  );
}

function Configuration() {
  const loaded = usePath<Readonly<Record<string, boolean | string>>>("/admin/config", isControl);
  const change = (name: string, value: boolean | string) => async () => {
    await call("/admin/config", { body: { [name]: value }, method: "PATCH" });
    loaded.reload();
  };
  return (
    <Section title="Configuration">
      <Await loaded={loaded}>
        {(config) => (
          <ul class="plain">
            {Object.entries(config).map(([name, value]) => (
              <li key={name} class="line">
                {words(name.replaceAll(/([A-Z])/g, " $1"))}:{" "}
                <b>{typeof value === "boolean" ? (value ? "on" : "off") : value}</b>
                {typeof value === "boolean" && (
                  <Action run={change(name, !value)} done="" label={`Turn ${value ? "off" : "on"} ${name}`}>
                    {value ? "Turn off" : "Turn on"}
                  </Action>
                )}
              </li>
            ))}
          </ul>
        )}
      </Await>
    </Section>
  );
}

type LogEntry = {
  readonly at: number;
  readonly kind: string;
  readonly seq: number;
  readonly data?: object;
  readonly requestId?: string;
};
const shownEntries = 50;

function Log() {
  const after = Math.max(0, controlSeq.value - shownEntries);
  const loaded = useData(
    "log",
    (signal) => call<{ entries: readonly LogEntry[] }>(`/admin/log?after=${after}`, { signal }),
    isControl,
  );
  return (
    <Section title="Log of control and faults">
      <Await loaded={loaded}>
        {({ entries }) => (
          <ol class="log">
            {entries.toReversed().map(({ at, data, kind, requestId, seq }) => (
              <li key={seq}>
                <Time at={at} /> <b>{kind}</b> {requestId !== undefined && <RequestLink id={requestId} />}{" "}
                {data !== undefined && <code title={JSON.stringify(data)}>{JSON.stringify(data)}</code>}
              </li>
            ))}
          </ol>
        )}
      </Await>
    </Section>
  );
}
