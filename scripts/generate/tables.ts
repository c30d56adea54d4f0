/** Writes the tables of pages that follow from code: the transitions of the lifecycle, and the catalogue of scenarios. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transitions, triggers } from "../../emulator/requests/transitions.ts";
import { catalogue } from "../../emulator/scenarios/catalogue.ts";
import { depositTransitions, depositTriggers } from "../../emulator/solver/deposits/depositTransitions.ts";
import { paymentTransitions, paymentTriggers } from "../../emulator/solver/paymentRows.ts";
import { relayedTransitions, relayedTriggers } from "../../emulator/solver/relayedRows.ts";
import { root } from "../checks/runTool.ts";

/** Next states by state and trigger. */
type Transitions = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;
type Sentences = Readonly<Record<string, string>>;

/** Lines of each table, by page and name of its place there. */
const pages: Readonly<Record<string, Readonly<Record<string, () => readonly string[]>>>> = {
  "docs/explanation/lifecycle.md": {
    deposits: () => lifecycleTable(depositTransitions, depositTriggers),
    "payments to deposit addresses": () => lifecycleTable(paymentTransitions, paymentTriggers),
    "deposits that the service sends": () => lifecycleTable(relayedTransitions, relayedTriggers),
    requests: () => lifecycleTable(transitions, triggers),
  },
  "docs/reference/scenarios.md": { scenarios: () => [...scenarioTable(false), "", ...scenarioTable(true)] },
};

/** Replaces the tables of a page by those of the code. */
function renderTables(page: string, text: string): string {
  return Object.entries(pages[page] ?? {}).reduce((before, [name, lines]) => {
    const start = `<!-- ${name}: written by npm run generate -->`;
    const end = `<!-- end of the ${name} -->`;
    const head = before.slice(0, before.indexOf(start));
    return `${head}${[start, "", ...lines(), ""].join("\n")}\n${before.slice(before.indexOf(end))}`;
  }, text);
}

/** One row for each trigger and the state that it leads to. */
function lifecycleTable(allowed: Transitions, sentences: Sentences): readonly string[] {
  const rows = Object.entries(sentences).flatMap(([trigger, sentence]) => {
    const from = Object.keys(allowed).filter((state) => allowed[state]?.[trigger] !== undefined);
    return [...Map.groupBy(from, (state) => allowed[state]?.[trigger])].map(
      ([to, states]) =>
        `| ${states.map((state) => `\`${state}\``).join(", ")} | \`${trigger}\` | ${sentence} | \`${to}\` |`,
    );
  });
  return ["| from | trigger | when | to |", "| --- | --- | --- | --- |", ...rows];
}

function scenarioTable(isQuote: boolean): readonly string[] {
  return [
    `## Scenarios of ${isQuote ? "quotes" : "requests"}`,
    "",
    "| name | what happens | cause |",
    "| --- | --- | --- |",
    ...[...catalogue]
      .filter(([name]) => name.startsWith("quote-error/") === isQuote)
      .map(([name, { cause, sentence }]) => `| \`${name}\` | ${sentence} | ${cause} |`),
  ];
}

/** The pages as they are, and as the code has their tables. */
export function readTables(): { readonly page: string; readonly text: string; readonly expected: string }[] {
  return Object.keys(pages).map((page) => {
    const text = readFileSync(join(root, page), "utf8");
    return { expected: renderTables(page, text), page, text };
  });
}

if (import.meta.main) {
  for (const { expected, page } of readTables()) {
    writeFileSync(join(root, page), expected);
    process.stdout.write(`${page} written\n`);
  }
}
