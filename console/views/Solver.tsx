import { useState } from "preact/hooks";
import { call } from "../data/api.ts";
import { accountName, chains } from "../data/chains.ts";
import type { ChainView } from "../data/types.ts";
import { usePath } from "../data/useData.ts";
import { Action, Await, Section, Table } from "../parts/layout.tsx";
import { AccountLink, dollars, units } from "../parts/text.tsx";
import { PoolFold } from "./Chains.tsx";

type Liquidity = {
  readonly liquidity: readonly {
    readonly address: string;
    readonly amountUsd: string;
    readonly balance: string;
    readonly decimals: number;
    readonly symbol: string;
  }[];
};

/** What the solver holds, the prices it quotes at, and the pools it swaps in. */
export function Solver() {
  return (
    <>
      <h1 tabIndex={-1}>Solver</h1>
      <div class="columns">
        {chains.value.map(({ displayName, id, solverAddresses }) => (
          <Balances key={id} id={id} name={displayName} solver={solverAddresses?.[0]} />
        ))}
      </div>
      <div class="columns">
        <Prices />
        <div>
          {chains.value
            .filter(({ vmType }) => vmType === "evm")
            .map(({ displayName, id }) => (
              <Pools key={id} id={id} name={displayName} />
            ))}
        </div>
      </div>
    </>
  );
}

function Balances({ id, name, solver }: { id: number; name: string; solver: string | undefined }) {
  const loaded = usePath<Liquidity>(`/chains/liquidity?chainId=${id}`, () => true);
  return (
    <Section title={name} aside={solver && <AccountLink chainId={id} address={solver} />}>
      <Await loaded={loaded}>
        {({ liquidity }) => (
          <Table
            caption={`Balances of the solver on ${name}`}
            columns={["Token", "Balance", "Worth"]}
            rows={liquidity.map(({ address, amountUsd, balance, decimals, symbol }) => ({
              cells: [
                <b key="symbol">{accountName(id, address) ?? symbol}</b>,
                <span key="balance" class="number">
                  {units(balance, decimals)}
                </span>,
                <span key="worth" class="number">
                  {dollars(amountUsd)}
                </span>,
              ],
              key: address,
            }))}
          />
        )}
      </Await>
    </Section>
  );
}

function Prices() {
  const loaded = usePath<{ prices: Readonly<Record<string, string>> }>(
    "/admin/prices",
    ({ kind }) => kind === "control",
  );
  const [symbol, setSymbol] = useState("ETH");
  const [price, setPrice] = useState("");
  const set = async () => {
    await call("/admin/prices", { body: { [symbol]: price }, method: "PATCH" });
    loaded.reload();
  };
  const repeg = async () => {
    const { trades } = await call<{ trades: readonly unknown[] }>("/admin/prices/repeg", {
      body: {},
      method: "POST",
    });
    return `${trades.length} trades made.`;
  };
  return (
    <Section title="Prices">
      <Await loaded={loaded}>
        {({ prices }) => (
          <>
            <Table
              caption="Price table"
              columns={["Symbol", "Dollars"]}
              rows={Object.entries(prices).map(([name, value]) => ({
                cells: [
                  <b key="name">{name}</b>,
                  <span key="value" class="number">
                    {value}
                  </span>,
                ],
                key: name,
              }))}
            />
            <div class="stack">
              <label>
                <span>Symbol</span>
                <select value={symbol} onChange={(event) => setSymbol(event.currentTarget.value)}>
                  {Object.keys(prices).map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
              <label>
                <span>Dollars for a whole token</span>
                <input
                  inputMode="decimal"
                  value={price}
                  onInput={(event) => setPrice(event.currentTarget.value)}
                />
              </label>
              <Action run={set} done="The price is set, and the pools follow.">
                Set the price
              </Action>
              <Action run={repeg}>Trade the pools to the prices</Action>
            </div>
          </>
        )}
      </Await>
    </Section>
  );
}

function Pools({ id, name }: { id: number; name: string }) {
  const loaded = usePath<ChainView>(`/explorer/${id}?limit=1`);
  return (
    <Section title={`Pools of ${name}`}>
      <Await loaded={loaded}>
        {({ pools }) => pools.map(({ address }) => <PoolFold key={address} chainId={id} address={address} />)}
      </Await>
    </Section>
  );
}
