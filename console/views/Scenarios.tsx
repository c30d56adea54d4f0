import { useState } from "preact/hooks";
import { call } from "../data/api.ts";
import { usePath } from "../data/useData.ts";
import { Action, Await, Json, Section } from "../parts/layout.tsx";
import { RequestLink, Status, words } from "../parts/text.tsx";

type Scenario = { readonly name: string; readonly sentence: string; readonly cause: string };
type Result = { readonly kind: string; readonly requestId?: string; readonly status?: string };

/** Named situations to bring about. */
export function Scenarios() {
  const loaded = usePath<{ scenarios: readonly Scenario[] }>("/admin/scenarios");
  const [filter, setFilter] = useState("");
  return (
    <>
      <h1 tabIndex={-1}>Scenarios</h1>
      <search class="filters" aria-label="Scenarios">
        <label>
          <span>Find a scenario</span>
          <input
            type="search"
            id="term"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
      </search>
      <Await loaded={loaded}>
        {({ scenarios }) => {
          const wanted = filter.toLowerCase();
          const found = scenarios.filter(({ name, sentence }) =>
            `${name} ${sentence}`.toLowerCase().includes(wanted),
          );
          const groups = Map.groupBy(found, ({ name }) => name.split("/")[0] ?? "");
          return [...groups].map(([outcome, list]) => (
            <Section key={outcome} title={words(outcome)} aside={<span class="muted">{list.length}</span>}>
              <ul class="scenarios">
                {list.map((scenario) => (
                  <Item key={scenario.name} scenario={scenario} />
                ))}
              </ul>
            </Section>
          ));
        }}
      </Await>
    </>
  );
}

function Item({ scenario: { cause, name, sentence } }: { scenario: Scenario }) {
  const [result, setResult] = useState<Result>();
  const run = async () => {
    setResult(await call<Result>(`/admin/scenarios/${name}/run`, { method: "POST" }));
  };
  return (
    <li>
      <div>
        <code>{name}</code> <span class="muted">{cause === "real" ? "by its real cause" : "by a fault"}</span>
        <p>{sentence}</p>
        {result?.requestId !== undefined && (
          <p class="line">
            <RequestLink id={result.requestId} /> <Status value={result.status ?? ""} />
          </p>
        )}
        {result !== undefined && result.requestId === undefined && <Json label="Answer" value={result} />}
      </div>
      <Action run={run} done="" label={`Run ${name}`}>
        Run
      </Action>
    </li>
  );
}
