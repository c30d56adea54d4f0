import { call } from "../../data/api.ts";
import type { Delivery } from "../../data/types.ts";
import { Action, Fold, Json, Section } from "../../parts/layout.tsx";
import { duration, Status, Time } from "../../parts/text.tsx";

/** Deliveries to the webhook with their attempts, newest first. */
export function Deliveries({ deliveries, reload }: { deliveries: readonly Delivery[]; reload: () => void }) {
  return (
    <Section title="Webhook deliveries">
      {deliveries.length === 0 && <p class="muted">None: the request's API key had no webhook.</p>}
      <ul class="deliveries">
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryItem delivery={delivery} reload={reload} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function DeliveryItem({ delivery, reload }: { delivery: Delivery; reload: () => void }) {
  const { apiKeyId, attempts, createdAt, id, kind, nextAttemptAt, payload, state, status } = delivery;
  const resend = async () => {
    await call(`/admin/keys/${apiKeyId}/webhook/deliveries/${id}/resend`, { method: "POST" });
    reload();
  };
  return (
    <>
      <p class="line">
        <Status value={state} /> <b>{status}</b> <span class="muted">{kind}</span> <Time at={createdAt} />
        <Action run={resend} done="Sent again." label={`Resend delivery ${id}`}>
          Resend
        </Action>
      </p>
      <ol class="attempts">
        {attempts.map(({ answer, at, durationMs, error, statusCode }) => (
          <li key={at}>
            <span class={statusCode !== null && statusCode < 300 ? "good" : "bad"}>
              {statusCode ?? "no answer"}
            </span>{" "}
            in {duration(durationMs)} <span class="muted">{error}</span> <Time at={at} />
            {answer !== null && answer !== "" && <code class="answer">{answer}</code>}
          </li>
        ))}
      </ol>
      {nextAttemptAt !== null && (
        <p class="muted">
          Next attempt: <Time at={nextAttemptAt} isWhole />
        </p>
      )}
      <Fold title="Body">
        <Json label="Body" value={payload} />
      </Fold>
    </>
  );
}
