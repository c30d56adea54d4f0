import { call } from "../data/api.ts";
import { chains } from "../data/chains.ts";
import { functionName } from "../data/decode.ts";
import { link } from "../data/router.ts";
import type { AccountView, ChainView, Entry } from "../data/types.ts";
import { useData, usePath } from "../data/useData.ts";
import { Await, Facts, Section, Table } from "../parts/layout.tsx";
import { AccountLink, Copy, RequestLink, Status, Time, TransactionLink, units } from "../parts/text.tsx";
import { TransactionBody, useTransaction } from "./TransactionBody.tsx";

const kinds = { evm: "EVM chain", hypevm: "perps exchange", svm: "SVM chain" } as const;

/** All chains, with their newest blocks. */
export function Chains() {
  return (
    <>
      <h1 tabIndex={-1}>Chains</h1>
      <div class="columns">
        {chains.value.map(({ id }) => (
          <ChainCard key={id} id={id} />
        ))}
      </div>
    </>
  );
}

function ChainCard({ id }: { id: number }) {
  const loaded = usePath<ChainView>(`/explorer/${id}?limit=6`, () => true);
  const name = chains.value.find((chain) => chain.id === id)?.displayName ?? String(id);
  return (
    <Section title={name} aside={<a href={link(["chains", id])}>Open {name}</a>}>
      <Await loaded={loaded}>
        {(chain) => (
          <>
            <ChainFacts chain={chain} />
            <Entries chain={chain} />
          </>
        )}
      </Await>
    </Section>
  );
}

function ChainFacts({ chain: { height, id, name, rpcUrl, vmType } }: { chain: ChainView }) {
  return (
    <Facts
      rows={[
        ["Kind", kinds[vmType]],
        ["Id", String(id)],
        ["Name in orders", <code key="name">{name}</code>],
        [vmType === "hypevm" ? "Actions" : "Height", height.toLocaleString("en")],
        [
          vmType === "hypevm" ? "API" : "RPC",
          <Copy key="url" text={rpcUrl} name="URL">
            <code>{rpcUrl}</code>
          </Copy>,
        ],
      ]}
    />
  );
}

function Entries({ chain: { blocks, displayName, id } }: { chain: ChainView }) {
  const entries = blocks.flatMap(({ at, transactions }) => transactions.map((each) => ({ ...each, at })));
  if (entries.length === 0) return <p class="muted">The newest blocks have no transaction.</p>;
  return <EntryTable entries={entries} chainId={id} caption={`Newest transactions of ${displayName}`} />;
}

function EntryTable({
  entries,
  chainId,
  caption,
}: {
  entries: readonly Entry[];
  chainId: number;
  caption: string;
}) {
  return (
    <Table
      caption={caption}
      columns={["Transaction", "Call", "From", "To", "Time"]}
      rows={entries.map(({ at, from, hash, method, to }) => ({
        cells: [
          <TransactionLink key="hash" chainId={chainId} hash={hash} />,
          to === null || method === null ? (
            <span class="muted">{method === null ? "no call" : "new contract"}</span>
          ) : (
            <code key="method">{functionName(method)}</code>
          ),
          from && <AccountLink key="from" chainId={chainId} address={from} />,
          to === null ? (
            <span class="muted">none</span>
          ) : (
            <AccountLink key="to" chainId={chainId} address={to} />
          ),
          at === null ? "" : <Time key="time" at={at} />,
        ],
        key: hash,
      }))}
    />
  );
}

const pageSize = 25;

/** A chain: its blocks back to the first, contracts, currencies and pools. */
export function Chain({ id, before }: { id: number; before: string }) {
  const page = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
  const loaded = usePath<ChainView>(`/explorer/${id}?limit=${pageSize}${page}`, () => before === "");
  return (
    <>
      <Crumbs id={id} />
      <Await loaded={loaded}>
        {(chain) => (
          <>
            <h1 tabIndex={-1}>{chain.displayName}</h1>
            <Section title="Chain">
              <ChainFacts chain={chain} />
            </Section>
            <Blocks chain={chain} before={before} />
            <Holdings chain={chain} />
          </>
        )}
      </Await>
    </>
  );
}

function Crumbs({ id, isInside = false }: { id: number; isInside?: boolean }) {
  const name = chains.value.find((chain) => chain.id === id)?.displayName ?? String(id);
  return (
    <p class="crumbs">
      <a href={link(["chains"])}>Chains</a>
      {isInside && (
        <>
          {" / "}
          <a href={link(["chains", id])}>{name}</a>
        </>
      )}
    </p>
  );
}

function Blocks({
  chain: { blocks, displayName, id, vmType },
  before,
}: {
  chain: ChainView;
  before: string;
}) {
  const last = blocks.at(-1)?.number ?? 0;
  return (
    <Section
      title={vmType === "evm" ? "Blocks" : vmType === "svm" ? "Slots with a transaction" : "Actions"}
      aside={
        <nav class="line" aria-label="Pages of blocks">
          {before !== "" && <a href={link(["chains", id])}>Newest</a>}
          {last > (vmType === "evm" ? 0 : 1) && (
            <a href={link(["chains", id], { before: String(last) })}>Older</a>
          )}
        </nav>
      }
    >
      {blocks.length === 0 && <p class="muted">There are none yet.</p>}
      <ol class="blocks">
        {blocks.map(({ at, hash, number, transactions }) => (
          <li key={hash}>
            <p class="line">
              <b>{number.toLocaleString("en")}</b> <Time at={at} />
              <Copy text={hash} name="block hash" />
              {transactions.length === 0 && <span class="muted">empty</span>}
            </p>
            {transactions.length > 0 && (
              <EntryTable
                entries={transactions}
                chainId={id}
                caption={`Transactions of block ${number} of ${displayName}`}
              />
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Holdings({ chain: { contracts, currencies, id, pools } }: { chain: ChainView }) {
  const named = Object.entries(contracts);
  return (
    <div class="columns">
      <Section title="Currencies">
        <Table
          caption="Currencies"
          columns={["Symbol", "Name", "Decimals", "Address"]}
          rows={currencies.map(({ currency, decimals, name, symbol }) => ({
            cells: [
              <b key="symbol">{symbol}</b>,
              name,
              decimals,
              <Copy key="address" text={currency} name="address" />,
            ],
            key: currency,
          }))}
        />
      </Section>
      {named.length > 0 && (
        <Section title="Contracts">
          <Facts
            rows={named.map(([name, address]) => [name, <Copy key={name} text={address} name="address" />])}
          />
        </Section>
      )}
      {pools.length > 0 && (
        <Section title="Pools">
          {pools.map(({ address }) => (
            <PoolFold key={address} chainId={id} address={address} />
          ))}
        </Section>
      )}
    </div>
  );
}

/** The reserves of a pool are its balances. */
export function PoolFold({ chainId, address }: { chainId: number; address: string }) {
  const loaded = usePath<AccountView>(`/explorer/${chainId}/address/${address}`, () => true);
  const held = loaded.data?.balances.filter(({ amount }) => amount !== "0") ?? [];
  return (
    <p class="line">
      <AccountLink chainId={chainId} address={address} />
      {held.map(({ amount, currency, decimals, symbol }) => (
        <span key={currency}>
          <b>{units(amount, decimals)}</b> {symbol}
        </span>
      ))}
    </p>
  );
}

/** A transaction of any chain. */
export function TransactionView({ chainId, hash }: { chainId: number; hash: string }) {
  const loaded = useTransaction(chainId, hash);
  return (
    <>
      <Crumbs id={chainId} isInside />
      <h1 tabIndex={-1}>Transaction</h1>
      <Await loaded={loaded}>
        {(transaction) => (
          <Section title={transaction.method === null ? "Details" : functionName(transaction.method)}>
            <TransactionBody transaction={transaction} chainId={chainId} />
          </Section>
        )}
      </Await>
    </>
  );
}

/** An account of any chain, with its balances and requests. */
export function Account({ chainId, address }: { chainId: number; address: string }) {
  const loaded = usePath<AccountView>(
    `/explorer/${chainId}/address/${encodeURIComponent(address)}`,
    () => true,
  );
  return (
    <>
      <Crumbs id={chainId} isInside />
      <h1 tabIndex={-1}>
        Account <Copy text={address} name="address" />
      </h1>
      <Await loaded={loaded}>{(account) => <AccountBody account={account} chainId={chainId} />}</Await>
    </>
  );
}

function AccountBody({ account, chainId }: { account: AccountView; chainId: number }) {
  return (
    <div class="columns">
      <Section
        title="Balances"
        aside={<span class="muted">{account.isContract ? "contract" : "account without code"}</span>}
      >
        <Facts
          rows={account.balances.map(({ amount, currency, decimals, symbol }) => [
            symbol,
            <b key={currency} title={`${amount} units of ${currency}`}>
              {units(amount, decimals)}
            </b>,
          ])}
        />
      </Section>
      <Section
        title="Requests"
        aside={<a href={link(["requests"], { term: account.address })}>In the list</a>}
      >
        {account.requests.length === 0 && <p class="muted">There are no requests of this account.</p>}
        <ul class="plain">
          {account.requests.map(({ id, status }) => (
            <li key={id} class="line" data-chain={chainId}>
              <RequestLink id={id} /> <Status value={status} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

type Hit = { readonly key: string; readonly chainId: number; readonly kind: "transaction" | "account" };

/** What a hash or an address may be, on all chains. */
export function Search({ term }: { term: string }) {
  const isHash = /^0x[0-9a-f]{64}$/i.test(term) || /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(term);
  const ids = chains.value.map(({ id }) => id);
  const loaded = useData<readonly Hit[]>(`${term} ${ids}`, async (signal) => {
    const found = await Promise.all(
      ids.map(async (chainId): Promise<Hit[]> => {
        const path = `/explorer/${chainId}/${isHash ? "tx" : "address"}/${encodeURIComponent(term)}`;
        const isKnown = await call(path, { signal }).then(
          () => true,
          () => false,
        );
        return isKnown ? [{ chainId, key: `${chainId}`, kind: isHash ? "transaction" : "account" }] : [];
      }),
    );
    return found.flat();
  });
  return (
    <>
      <h1 tabIndex={-1}>Search</h1>
      <p class="muted">
        For <code>{term}</code>
      </p>
      <Section title="On the chains">
        <Await loaded={loaded}>
          {(hits) =>
            hits.length === 0 ? (
              <p class="muted">No chain has such a transaction or account.</p>
            ) : (
              <ul class="plain">
                {hits.map(({ chainId, key, kind }) => (
                  <li key={key}>
                    <a href={link(["chains", chainId, kind === "transaction" ? "tx" : "address", term])}>
                      The {kind} on {chains.value.find(({ id }) => id === chainId)?.displayName}
                    </a>
                  </li>
                ))}
              </ul>
            )
          }
        </Await>
      </Section>
      <Section title="Requests">
        <a href={link(["requests"], { term })}>Requests with this id, hash or account</a>
      </Section>
    </>
  );
}
