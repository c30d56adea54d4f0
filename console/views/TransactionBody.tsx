import { nativeOf } from "../data/chains.ts";
import type { Transaction } from "../data/types.ts";
import { type Loaded, usePath } from "../data/useData.ts";
import { DecodedCall } from "../parts/Calldata.tsx";
import { Await, Facts, Fold, Json, Table } from "../parts/layout.tsx";
import { AccountLink, RequestLink, Status, Time, TransactionLink, units } from "../parts/text.tsx";

export function useTransaction(chainId: number, hash: string): Loaded<Transaction> {
  return usePath<Transaction>(`/explorer/${chainId}/tx/${encodeURIComponent(hash)}`);
}

/** A transaction inside another view, loaded when it is opened. */
export function TransactionFold({ chainId, hash }: { chainId: number; hash: string }) {
  const loaded = useTransaction(chainId, hash);
  return (
    <Await loaded={loaded}>
      {(transaction) => <TransactionBody transaction={transaction} chainId={chainId} />}
    </Await>
  );
}

export function TransactionBody({ transaction, chainId }: { transaction: Transaction; chainId: number }) {
  const { call, data, error, events, fee, from, hash, logs, nonce, requests, status, to, value } =
    transaction;
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
      <h3>Call</h3>
      {call === null ? (
        <p class="muted">
          {data === null || data === "0x" ? "There is no calldata." : "The function is not known."}
        </p>
      ) : (
        <DecodedCall call={call} chainId={chainId} />
      )}
      {events.length > 0 && (
        <>
          <h3>Events</h3>
          <ol class="events">
            {events.map(({ address, decoded, topics }, place) => (
              <li key={`${place}${address}`}>
                <AccountLink chainId={chainId} address={address} />{" "}
                {decoded === null ? (
                  <code>{topics[0] ?? "anonymous"}</code>
                ) : (
                  <DecodedCall call={decoded} chainId={chainId} />
                )}
              </li>
            ))}
          </ol>
        </>
      )}
      <BalanceTable transaction={transaction} chainId={chainId} />
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

/** Balances before and after, of all accounts that the transaction changed. */
function BalanceTable({ transaction, chainId }: { transaction: Transaction; chainId: number }) {
  if (transaction.balances.length === 0) return null;
  return (
    <>
      <h3>Balances</h3>
      <Table
        caption="Balances before and after"
        columns={["Account", "Before", "Change", "After", "Token"]}
        rows={transaction.balances.map(({ account, after, before, currency, decimals, symbol }) => {
          const change = BigInt(after) - BigInt(before);
          return {
            cells: [
              <AccountLink key="account" chainId={chainId} address={account} />,
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
    </>
  );
}
