import { useState } from "preact/hooks";
import { accountName, chainName } from "../../data/chains.ts";
import type { Delivery, History, RequestDetail } from "../../data/types.ts";
import { Fold, Json, Section } from "../../parts/layout.tsx";
import { duration, Status, Time, TransactionLink, words } from "../../parts/text.tsx";

type Lane = "origin" | "destination" | "service" | "webhook";

type Item = {
  readonly at: number;
  readonly lane: Lane;
  readonly title: string;
  readonly key: string;
  readonly status?: string | undefined;
  readonly note?: string | undefined;
  readonly transaction?: { readonly chainId: number; readonly hash: string } | undefined;
  readonly bodies?: { readonly payload: unknown; readonly answer: string | null } | undefined;
};

/** What happened, on both chains, in the service and to the webhook. */
export function Timeline(properties: {
  detail: RequestDetail;
  history: History;
  deliveries: readonly Delivery[];
}) {
  const { detail } = properties;
  const { paid, received } = detail.request.quoted;
  const isOneChain = paid?.chainId === received?.chainId;
  const lanes: readonly (readonly [Lane, string])[] = [
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
                  <Json label="Body" value={item.bodies.payload} />
                  <Json label="Answer" value={item.bodies.answer ?? "no answer"} />
                </Fold>
              )}
            </li>
          ))}
      </ol>
    </Section>
  );
}

function itemsOf({
  deliveries,
  detail: { request },
  history,
}: {
  detail: RequestDetail;
  history: History;
  deliveries: readonly Delivery[];
}): readonly Item[] {
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
  return [...events, ...deposits, ...transactions, ...posts].toSorted((one, other) => one.at - other.at);
}
