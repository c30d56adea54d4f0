/** Writes the tables of `docs/lifecycle.md` from the emulator's tables of transitions. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transitions, triggers } from "../../emulator/requests/transitions.ts";
import { depositTransitions, depositTriggers } from "../../emulator/solver/deposits/depositTransitions.ts";
import { paymentTransitions, paymentTriggers } from "../../emulator/solver/deposits/paymentTransitions.ts";
import { relayedTransitions, relayedTriggers } from "../../emulator/solver/deposits/relayedTransitions.ts";
import { root } from "../checks/runTool.ts";

/** The page of the transitions. */
export const LIFECYCLE_PAGE = "docs/lifecycle.md";

/** Next states by state and trigger. */
type Transitions = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;

const tables: Readonly<Record<string, readonly [Transitions, Readonly<Record<string, string>>]>> = {
  deposits: [depositTransitions, depositTriggers],
  "payments to deposit addresses": [paymentTransitions, paymentTriggers],
  "deposits that the service sends": [relayedTransitions, relayedTriggers],
  requests: [transitions, triggers],
};

/** Replaces the tables of the page by those of the code. */
export function renderLifecycle(page: string): string {
  return Object.entries(tables).reduce((text, [name, [allowed, sentences]]) => {
    const start = `<!-- ${name}: written by npm run generate -->`;
    const end = `<!-- end of the ${name} -->`;
    const before = text.slice(0, text.indexOf(start));
    const after = text.slice(text.indexOf(end));
    return `${before}${[start, "", ...renderTable(allowed, sentences), ""].join("\n")}\n${after}`;
  }, page);
}

/** One row for each trigger and the state that it leads to. */
function renderTable(allowed: Transitions, sentences: Readonly<Record<string, string>>): readonly string[] {
  const rows = Object.entries(sentences).flatMap(([trigger, sentence]) => {
    const from = Object.keys(allowed).filter((state) => allowed[state]?.[trigger] !== undefined);
    return [...Map.groupBy(from, (state) => allowed[state]?.[trigger])].map(
      ([to, states]) =>
        `| ${states.map((state) => `\`${state}\``).join(", ")} | \`${trigger}\` | ${sentence} | \`${to}\` |`,
    );
  });
  return ["| from | trigger | when | to |", "| --- | --- | --- | --- |", ...rows];
}

if (import.meta.main) {
  const path = join(root, LIFECYCLE_PAGE);
  writeFileSync(path, renderLifecycle(readFileSync(path, "utf8")));
  process.stdout.write(`${LIFECYCLE_PAGE} written\n`);
}
