import { useState } from "preact/hooks";
import { ApiError, call } from "../data/api.ts";
import { link } from "../data/router.ts";
import type { Delivery } from "../data/types.ts";
import { useData, usePath } from "../data/useData.ts";
import { Action, Await, Section } from "../parts/layout.tsx";
import { Copy, RequestLink, Time } from "../parts/text.tsx";
import { DeliveryItem } from "./request/Deliveries.tsx";

type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly isElevated: boolean;
  readonly createdAt: number;
};
type Webhook = { readonly url: string; readonly isEnabled: boolean };

/** API keys with their webhooks. */
export function Keys() {
  const loaded = usePath<{ keys: readonly ApiKey[] }>("/admin/keys");
  const [name, setName] = useState("");
  const [secret, setSecret] = useState<string>();
  const create = async () => {
    const { key } = await call<{ key: string }>("/admin/keys", { body: { name }, method: "POST" });
    setSecret(key);
    loaded.reload();
  };
  return (
    <>
      <h1 tabIndex={-1}>Keys and webhooks</h1>
      <Section title="New API key">
        <div class="line form">
          <label>
            <span>Name</span>
            <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <Action run={create} done="Created.">
            Create
          </Action>
        </div>
        {secret !== undefined && (
          <p class="notice good">
            Its secret, shown only now:{" "}
            <Copy text={secret} name="API key">
              <code>{secret}</code>
            </Copy>
          </p>
        )}
      </Section>
      <Await loaded={loaded}>
        {({ keys }) => keys.map((key) => <Key key={key.id} apiKey={key} reload={loaded.reload} />)}
      </Await>
    </>
  );
}

function Key({
  apiKey: { createdAt, id, isElevated, name },
  reload,
}: {
  apiKey: ApiKey;
  reload: () => void;
}) {
  const revoke = async () => {
    await call(`/admin/keys/${id}`, { method: "DELETE" });
    reload();
  };
  return (
    <Section
      title={name}
      aside={
        <Action run={revoke} isDangerous label={`Revoke ${name}`}>
          Revoke
        </Action>
      }
    >
      <p class="line">
        <Copy text={id} name="key id">
          <code>{id}</code>
        </Copy>
        <span class="muted">{isElevated ? "elevated limits" : "ordinary limits"}</span>
        <Time at={createdAt} isWhole />
        <a href={link(["requests"])}>Requests</a>
      </p>
      <WebhookForm id={id} name={name} />
      <Latest id={id} />
    </Section>
  );
}

function WebhookForm({ id, name }: { id: string; name: string }) {
  const base = `/admin/keys/${id}/webhook`;
  const loaded = useData<Webhook | null>(base, async (signal) => {
    try {
      return await call<Webhook>(base, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  });
  const [url, setUrl] = useState<string>();
  const save = async () => {
    await call(base, { body: { url: url ?? loaded.data?.url ?? "" }, method: "PUT" });
    loaded.reload();
  };
  const remove = async () => {
    await call(base, { method: "DELETE" });
    setUrl("");
    loaded.reload();
  };
  const test = () => call(`${base}/test`, { body: {}, method: "POST" });
  return (
    <Await loaded={loaded}>
      {(webhook) => (
        <div class="line form">
          <label class="wide">
            <span>Webhook of {name}</span>
            <input
              type="url"
              placeholder="http://127.0.0.1:3000/webhook"
              value={url ?? webhook?.url ?? ""}
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
          </label>
          <Action run={save} done="Saved." label={`Save the webhook of ${name}`}>
            Save
          </Action>
          {webhook !== null && (
            <>
              <Action run={test} done="Posted." label={`Test the webhook of ${name}`}>
                Test
              </Action>
              <Action run={remove} done="Removed." label={`Remove the webhook of ${name}`}>
                Remove
              </Action>
            </>
          )}
        </div>
      )}
    </Await>
  );
}

function Latest({ id }: { id: string }) {
  const loaded = usePath<{ deliveries: readonly Delivery[] }>(
    `/admin/keys/${id}/webhook/deliveries?limit=10`,
    ({ kind }) => kind === "webhook",
  );
  return (
    <Await loaded={loaded}>
      {({ deliveries }) => (
        <ul class="deliveries">
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <RequestLink id={delivery.requestId} />
              <DeliveryItem delivery={delivery} reload={loaded.reload} />
            </li>
          ))}
        </ul>
      )}
    </Await>
  );
}
