import { solverOf } from "../data/chains.ts";
import { explain } from "../data/failures.ts";
import { link } from "../data/router.ts";
import type { Activity, ApiCall, Delivery, History, RequestDetail } from "../data/types.ts";
import { usePath } from "../data/useData.ts";
import { Await, Facts, Fold, Json, Section } from "../parts/layout.tsx";
import { AccountLink, AmountText, Copy, duration, RequestLink, Status, Time, words } from "../parts/text.tsx";
import { Outcome } from "./Requests.tsx";
import { Deliveries } from "./request/Deliveries.tsx";
import { Faults } from "./request/Faults.tsx";
import { Fees } from "./request/Fees.tsx";
import { Signed } from "./request/Signed.tsx";
import { Timeline } from "./request/Timeline.tsx";
import { type Parties, TransactionFold } from "./TransactionBody.tsx";

/** Everything about one request. */
export function Request({ id }: { id: string }) {
  const concerns = (activity: Activity) => activity.requestId === id;
  const path = `/admin/requests/${encodeURIComponent(id)}`;
  const detail = usePath<RequestDetail>(path, concerns);
  const history = usePath<History>(`${path}/events`, concerns);
  return (
    <>
      <p class="crumbs">
        <a href={link(["requests"])}>Requests</a>
      </p>
      <h1 tabIndex={-1}>
        Request <Copy text={id} name="request id" />
      </h1>
      <Await loaded={detail}>
        {(shown) => (
          <>
            <Summary detail={shown} />
            <Await loaded={history}>{(known) => <Body detail={shown} history={known} />}</Await>
          </>
        )}
      </Await>
    </>
  );
}

function Summary({ detail: { record, request } }: { detail: RequestDetail }) {
  const { apiKeyId, createdAt, paid, parentId, quoted, recipient, referrer, updatedAt, user } = request;
  const [origin, destination] = [quoted.paid?.chainId, quoted.received?.chainId];
  return (
    <section class="card summary" aria-label="Summary">
      <p class="headline">
        <Status value={request.status} />{" "}
        {paid === null ? <AmountText amount={quoted.paid} /> : <AmountText amount={paid} />}
        {paid === null && <em class="muted"> quoted</em>} <span aria-hidden="true">→</span>{" "}
        <Outcome row={request} />
      </p>
      <Facts
        rows={[
          ["Type", request.requestType],
          ["User", origin && <AccountLink key="user" chainId={origin} address={user} />],
          [
            "Recipient",
            destination && <AccountLink key="recipient" chainId={destination} address={recipient} />,
          ],
          [
            "Refunds to",
            origin && record.refundTo && (
              <AccountLink key="refund" chainId={origin} address={record.refundTo} />
            ),
          ],
          [
            "Deposit address",
            origin && record.depositAddress?.address && (
              <AccountLink key="address" chainId={origin} address={record.depositAddress.address} />
            ),
          ],
          ["Quoted", <Time key="time" at={createdAt} isWhole />],
          ["Took", updatedAt > createdAt ? duration(updatedAt - createdAt) : undefined],
          ["Features", (record.features ?? []).map(words).join(", ")],
          ["Referrer", referrer],
          [
            "API key",
            apiKeyId && (
              <a key="key" href={link(["keys"])}>
                {apiKeyId}
              </a>
            ),
          ],
          ["Came of", parentId && <RequestLink key="parent" id={parentId} />],
        ]}
      />
    </section>
  );
}

function Body({ detail, history }: { detail: RequestDetail; history: History }) {
  const { apiKeyId, requestId } = detail.request;
  const path = `/admin/keys/${apiKeyId}/webhook/deliveries?limit=50&requestId=${requestId}`;
  const deliveries = usePath<{ deliveries: readonly Delivery[] }>(
    apiKeyId === null ? `/admin/requests/${requestId}/events` : path,
    (activity) => activity.requestId === requestId,
  );
  const known = deliveries.data?.deliveries ?? [];
  const calls = usePath<{ calls: readonly ApiCall[] }>(
    `/admin/requests/${requestId}/calls`,
    (activity) => activity.requestId === requestId,
  );
  return (
    <>
      <Failure history={history} detail={detail} />
      <div class="columns">
        <Timeline detail={detail} history={history} deliveries={known} calls={calls.data?.calls ?? []} />
        <div>
          <Fees detail={detail} />
          <Faults id={requestId} />
        </div>
      </div>
      <Moves detail={detail} history={history} />
      <Signed detail={detail} />
      <Deliveries deliveries={known} reload={deliveries.reload} />
      {history.children.length > 0 && (
        <Section title="Requests that came of it">
          <ul>
            {history.children.map(({ requestId: child, status }) => (
              <li key={child}>
                <RequestLink id={child} /> <Status value={status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="As JSON">
        <Fold title="Record of GET /requests/v3">
          <Json label="Record" value={detail.record} />
        </Fold>
        <Fold title="Stored quote">
          <Json label="Quote" value={detail.quote} />
        </Fold>
        <Fold title="History">
          <Json label="History" value={history} />
        </Fold>
      </Section>
    </>
  );
}

/** Why it did not succeed, in words, and what to do about it. */
function Failure({ detail, history }: { detail: RequestDetail; history: History }) {
  const { request } = detail;
  const { failReason, refundFailReason, quoted } = request;
  const reason = failReason ?? refundFailReason;
  if (reason === null) return null;
  const { cause, cure } = explain(reason);
  const destination = quoted.received?.chainId;
  return (
    <section class={`card failure ${request.status}`} aria-labelledby="why">
      <header>
        <h2 id="why">{words(reason)}</h2>
        <code>{reason}</code>
      </header>
      {cause !== undefined && <p>Cause: {cause}.</p>}
      <p>
        <b>{cure}</b>
      </p>
      <Facts
        rows={[
          ["Revert", history.details && <code key="details">{history.details}</code>],
          ["No refund", refundFailReason && words(refundFailReason)],
          ["Block", history.failedTxBlockNumber?.toString()],
        ]}
      />
      {history.failedTxHash !== null && destination !== undefined && (
        <Fold title="The failed transaction">
          <TransactionFold
            chainId={destination}
            hash={history.failedTxHash}
            parties={partiesOf(detail, history)}
          />
        </Fold>
      )}
      {history.failedCallData !== null && (
        <Fold title="The failed call, to replay by eth_call">
          <Json label="Failed call" value={history.failedCallData} />
        </Fold>
      )}
    </section>
  );
}

/** The transactions that moved money, with balances before and after. */
function Moves({ detail, history }: { detail: RequestDetail; history: History }) {
  const chainId = detail.request.quoted.paid?.chainId;
  const parties = partiesOf(detail, history);
  const moves = [
    ...history.deposits.map(({ chainId, txHash }) => ({ chainId, hash: txHash, title: "Deposit" })),
    ...history.transactions
      .filter(({ state }) => state !== "signed")
      .map(({ chainId, hash, kind }) => ({ chainId, hash, title: words(kind) })),
    ...history.events.flatMap(({ trigger, txHash }) =>
      trigger.startsWith("own-") && txHash !== undefined && chainId !== undefined
        ? [{ chainId, hash: txHash, title: "Transaction of the user" }]
        : [],
    ),
  ];
  if (moves.length === 0) return null;
  return (
    <Section title="Transactions">
      {moves.map(({ chainId, hash, title }) => (
        <article key={`${title}${hash}`} class="transaction">
          <h3>{title}</h3>
          <TransactionFold chainId={chainId} hash={hash} parties={parties} />
        </article>
      ))}
    </Section>
  );
}

/** The accounts whose balances a request is about. One account may have several parts. */
function partiesOf({ record, request }: RequestDetail, history: History): Parties {
  const { quoted, recipient, user } = request;
  const parts = [
    [solverOf(quoted.paid?.chainId ?? 0), "solver"],
    [solverOf(quoted.received?.chainId ?? 0), "solver"],
    [record.depositAddress?.address, "deposit address"],
    ...history.deposits.map(({ depositor }) => [depositor, "depositor"] as const),
    [user, "user"],
    [recipient, "recipient"],
    [record.refundTo, "refund"],
  ] as const;
  const parties = new Map<string, string>();
  for (const [address, part] of parts) {
    if (!address) continue;
    const key = address.toLowerCase();
    const known = parties.get(key)?.split(", ") ?? [];
    parties.set(key, [...new Set([...known, part])].join(", "));
  }
  return parties;
}
