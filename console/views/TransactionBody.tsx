import { nativeOf } from "../data/chains.ts";
import { decodeCalldata, decodeEvent } from "../data/decode.ts";
import type { Transaction } from "../data/types.ts";
import { type Loaded, usePath } from "../data/useData.ts";
import { DecodedCall, Trace } from "../parts/Calldata.tsx";
import { Await, Facts, Fold, Json, Table } from "../parts/layout.tsx";
import { AccountLink, RequestLink, Status, Time, TransactionLink, units } from "../parts/text.tsx";

export function useTransaction(chainId: number, hash: string): Loaded<Transaction> {
  return usePath<Transaction>(`/explorer/${chainId}/tx/${encodeURIComponent(hash)}`);
}

/** Accounts of a request by address in lower case, with their parts in it. */
export type Parties = ReadonlyMap<string, string>;

type Shown = { readonly transaction: Transaction; readonly chainId: number; readonly parties?: Parties };

/** A transaction inside the view of a request, whose accounts come first. */
export function TransactionFold({
  chainId,
  hash,
  parties,
}: {
  chainId: number;
  hash: string;
  parties: Parties;
}) {
  const loaded = useTransaction(chainId, hash);
  return (
    <Await loaded={loaded}>
      {(transaction) => <TransactionBody transaction={transaction} chainId={chainId} parties={parties} />}
    </Await>
  );
}

export function TransactionBody({ transaction, chainId, parties }: Shown) {
  const { data, error, events, fee, from, hash, logs, nonce, requests, status, to, value } = transaction;
  const { decimals, symbol } = nativeOf(chainId);
  return (
    <>
      <Facts
        rows={[
          ["Status", <Status key="status" value={status} />],
          ["Error", error],
          ["Hash", <TransactionLink key="hash" chainId={chainId} hash={hash} />],
          ["Block", transaction.block?.toLocaleString("en") ?? "none yet"],
          ["Time", transaction.at === null ? undefined : <Time key="time" at={transaction.at} isWhole />],
          ["From", from && <AccountLink key="from" chainId={chainId} address={from} />],
          ["To", to === null ? undefined : <AccountLink key="to" chainId={chainId} address={to} />],
          ["Value", value === "0" ? undefined : `${units(value, decimals)} ${symbol}`],
          ["Fee", fee === null ? undefined : `${units(fee, decimals)} ${symbol}`],
          ["Nonce", nonce === null ? undefined : String(nonce)],
          [
            "Requests",
            requests.length === 0
              ? undefined
              : requests.map((request) => (
                  <span key={request.id} class="line">
                    <RequestLink id={request.id} /> <Status value={request.status} />
                  </span>
                )),
          ],
        ]}
      />
      <Calls transaction={transaction} chainId={chainId} />
      {events.length > 0 && (
        <>
          <h3>Events</h3>
          <ol class="events">
            {events.map((log, place) => {
              const decoded = decodeEvent(log);
              return (
                <li key={`${place}${log.address}`}>
                  <AccountLink chainId={chainId} address={log.address} />{" "}
                  {decoded === null ? (
                    <code>{log.topics[0] ?? "anonymous"}</code>
                  ) : (
                    <DecodedCall call={decoded} chainId={chainId} />
                  )}
                </li>
              );
            })}
          </ol>
        </>
      )}
      <Balances transaction={transaction} chainId={chainId} {...(parties && { parties })} />
      {logs.length > 0 && (
        <Fold title={`Logs (${logs.length})`}>
          <Json label="Logs" value={logs.join("\n")} />
        </Fold>
      )}
      {data !== null && data !== "0x" && (
        <Fold title={`Raw data, ${data.length.toLocaleString("en")} characters`}>
          <Json label="Raw data" value={data} />
        </Fold>
      )}
    </>
  );
}

/** The calls as the node traced them; without a trace those of the calldata. */
function Calls({
  transaction: { data, status, trace },
  chainId,
}: {
  transaction: Transaction;
  chainId: number;
}) {
  if (trace !== null) {
    return (
      <>
        <h3>Calls</h3>
        <ol class="trace">
          <Trace frame={trace} chainId={chainId} />
        </ol>
      </>
    );
  }
  const call = data === null ? null : decodeCalldata(data);
  const hasTrace = data?.startsWith("0x") && status !== "pending";
  return (
    <>
      <h3>Call</h3>
      {hasTrace && (
        <p class="muted">The chain's node gives no trace: inner calls are those of the calldata.</p>
      )}
      {call !== null && <DecodedCall call={call} chainId={chainId} />}
      {call === null && (
        <p class="muted">
          {data === null || data === "0x" ? "There is no calldata." : "The function is not known."}
        </p>
      )}
    </>
  );
}

/** Balances before and after: of the request's accounts, and of all others that the transaction changed. */
function Balances({ transaction: { balances }, chainId, parties = new Map() }: Shown) {
  const isParty = ({ account }: Balance) => parties.size === 0 || parties.has(account.toLowerCase());
  const others = balances.filter((balance) => !isParty(balance));
  if (balances.length === 0) return null;
  return (
    <>
      <h3>Balances</h3>
      <BalanceTable balances={balances.filter(isParty)} chainId={chainId} parties={parties} />
      {others.length > 0 && (
        <Fold title="Other accounts">
          <BalanceTable balances={others} chainId={chainId} parties={parties} />
        </Fold>
      )}
    </>
  );
}

type Balance = Transaction["balances"][number];

function BalanceTable({
  balances,
  chainId,
  parties,
}: {
  balances: readonly Balance[];
  chainId: number;
  parties: Parties;
}) {
  return (
    <Table
      caption="Balances before and after"
      columns={["Account", "Before", "Change", "After", "Token"]}
      rows={balances.map(({ account, after, before, currency, decimals, symbol }) => {
        const change = BigInt(after) - BigInt(before);
        return {
          cells: [
            <span key="account" class="line">
              <AccountLink chainId={chainId} address={account} />
              <span class="muted">{parties.get(account.toLowerCase())}</span>
            </span>,
            <span key="before" class="number">
              {units(before, decimals)}
            </span>,
            <b key="change" class={change < 0n ? "number loss" : "number gain"}>
              {change < 0n ? "−" : "+"}
              {units((change < 0n ? -change : change).toString(), decimals)}
            </b>,
            <span key="after" class="number">
              {units(after, decimals)}
            </span>,
            symbol,
          ],
          key: `${account} ${currency}`,
        };
      })}
    />
  );
}
