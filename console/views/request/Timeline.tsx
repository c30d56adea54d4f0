import { useState } from "preact/hooks";
import { accountName, chainName } from "../../data/chains.ts";
import type { ApiCall, Delivery, History, RequestDetail } from "../../data/types.ts";
import { Fold, Json, Section } from "../../parts/layout.tsx";
import { duration, Status, Time, TransactionLink, words } from "../../parts/text.tsx";

type Lane = "api" | "origin" | "destination" | "service" | "webhook";

type Item = {
  readonly at: number;
  readonly lane: Lane;
  readonly title: string;
  readonly key: string;
  readonly status?: string | undefined;
  readonly note?: string | undefined;
  readonly transaction?: { readonly chainId: number; readonly hash: string } | undefined;
  readonly bodies?: { readonly payload: unknown; readonly answer: unknown } | undefined;
};

type Known = {
  readonly detail: RequestDetail;
  readonly history: History;
  readonly deliveries: readonly Delivery[];
  readonly calls: readonly ApiCall[];
};

/** What happened: calls of the API, on both chains, in the service and to the webhook. */
export function Timeline(properties: Known) {
  const { detail } = properties;
  const { paid, received } = detail.request.quoted;
  const isOneChain = paid?.chainId === received?.chainId;
  const lanes: readonly (readonly [Lane, string])[] = [
    ["api", "API"],
    ["service", "Service"],
    ["origin", paid === null ? "Origin" : chainName(paid.chainId)],
    ...(isOneChain || received === null ? [] : [["destination", chainName(received.chainId)] as const]),
    ["webhook", "Webhook"],
  ];
  const [hidden, setHidden] = useState<ReadonlySet<Lane>>(new Set());
  const items = itemsOf(properties);
  const start = detail.request.createdAt;
  const end = Math.max(start + 1, ...items.map(({ at }) => at));
  const toggle = (lane: Lane) => {
    const next = new Set(hidden);
    if (!next.delete(lane)) next.add(lane);
    setHidden(next);
  };
  return (
    <Section
      title="Timeline"
      aside={
        <fieldset class="chips small">
          <legend class="hidden">Shown</legend>
          {lanes.map(([lane, name]) => (
            <button
              key={lane}
              type="button"
              class={`lane ${lane}`}
              aria-pressed={!hidden.has(lane)}
              onClick={() => toggle(lane)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      }
    >
      <ol class="timeline">
        {items
          .filter(({ lane }) => !hidden.has(lane))
          .map((item) => (
            <li key={item.key} class={`lane ${item.lane}`}>
              <div class="line">
                <b>{item.title}</b>
                {item.status !== undefined && <Status value={item.status} />}
                {item.transaction !== undefined && <TransactionLink {...item.transaction} />}
                <span class="muted">{lanes.find(([lane]) => lane === item.lane)?.[1]}</span>
              </div>
              {item.note !== undefined && <p class="note">{item.note}</p>}
              <div class="when muted">
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect x="0" y="2.5" width="100" height="1" />
                  <rect
                    x={Math.max(0, Math.min(97, ((item.at - start) / (end - start)) * 97))}
                    y="0"
                    width="3"
                    height="6"
                    class="mark"
                  />
                </svg>
                <span>+{duration(Math.max(0, item.at - start))}</span>
                <Time at={item.at} />
              </div>
              {item.bodies !== undefined && (
                <Fold title="Body and answer">
                  {item.bodies.payload !== "" && <Json label="Body" value={item.bodies.payload} />}
                  <Json label="Answer" value={item.bodies.answer ?? "no answer"} />
                </Fold>
              )}
            </li>
          ))}
      </ol>
    </Section>
  );
}

function itemsOf({ calls, deliveries, detail: { request }, history }: Known): readonly Item[] {
  const destination = request.quoted.received?.chainId;
  const origin = request.quoted.paid?.chainId;
  const laneOf = (chainId: number): Lane =>
    chainId === destination && chainId !== origin ? "destination" : "origin";
  const events = history.events.map(
    ({ at, details, failReason, refundFailReason, seq, status, trigger, txHash }): Item => {
      const isOwn = trigger.startsWith("own-") && origin !== undefined && txHash !== undefined;
      return {
        at,
        key: `event ${seq}`,
        lane: isOwn ? "origin" : "service",
        note: [refundFailReason ?? failReason, details].filter(Boolean).join(": ") || undefined,
        status,
        title: words(trigger),
        transaction: isOwn ? { chainId: origin, hash: txHash } : undefined,
      };
    },
  );
  const deposits = history.deposits.map(
    ({ at, chainId, id, outcome, reason, txHash, depositor }): Item => ({
      at,
      key: `deposit ${id}`,
      lane: laneOf(chainId),
      note: reason === null ? undefined : `${outcome}: ${reason}`,
      title: `Deposit found, by ${accountName(chainId, depositor) ?? `${depositor.slice(0, 8)}…`}`,
      transaction: { chainId, hash: txHash },
    }),
  );
  const transactions = history.transactions.map(
    ({ at, chainId, hash, id, kind, state }): Item => ({
      at,
      key: `transaction ${id}`,
      lane: laneOf(chainId),
      title: `${words(kind)} ${state}`,
      transaction: { chainId, hash },
    }),
  );
  const posts = deliveries.flatMap(({ attempts, id, kind, payload, status }) =>
    attempts.map(
      ({ answer, at, durationMs, error, statusCode }, place): Item => ({
        at,
        bodies: { answer, payload },
        key: `post ${id} ${place}`,
        lane: "webhook",
        note: error ?? undefined,
        title: `${kind === "event" ? "Posted" : words(kind)} ${status}: ${statusCode ?? "no answer"} in ${duration(durationMs)}`,
      }),
    ),
  );
  const asked = calls.map(
    ({ answer, at, body, count, durationMs, lastAt, method, path, status }, place): Item => ({
      at,
      bodies: { answer: parse(answer), payload: parse(body) },
      key: `call ${place}`,
      lane: "api",
      note: count > 1 ? `${count} times in ${duration(lastAt - at)}, with the same answer` : undefined,
      title: `${method} ${path.replace(/\?.*/, "")}: ${status} in ${duration(durationMs)}`,
    }),
  );
  return [...asked, ...events, ...deposits, ...transactions, ...posts].toSorted(
    (one, other) => one.at - other.at,
  );
}

/** JSON as its value; another text as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
