/** Writes the tables of `docs/scenarios.md` from the catalogue of scenarios. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../emulator/scenarios/catalogue.ts";
import { root } from "../checks/runTool.ts";

/** The page that lists the scenarios. */
export const SCENARIO_PAGE = "docs/scenarios.md";

const start = "<!-- scenarios: written by npm run generate -->";
const end = "<!-- end of the scenarios -->";

/** Replaces the tables of the page by those of the catalogue. */
export function renderScenarios(page: string): string {
  const before = page.slice(0, page.indexOf(start));
  const after = page.slice(page.indexOf(end));
  const groups = Map.groupBy([...catalogue], ([name]) => name.startsWith("quote-error/"));
  const table = (isQuote: boolean) => [
    `## Scenarios of ${isQuote ? "quotes" : "requests"}`,
    "",
    "| name | what happens | cause |",
    "| --- | --- | --- |",
    ...(groups.get(isQuote) ?? []).map(
      ([name, { cause, sentence }]) => `| \`${name}\` | ${sentence} | ${cause} |`,
    ),
    "",
  ];
  return `${before}${[start, "", ...table(false), ...table(true)].join("\n")}\n${after}`;
}

if (import.meta.main) {
  const path = join(root, SCENARIO_PAGE);
  writeFileSync(path, renderScenarios(readFileSync(path, "utf8")));
  process.stdout.write(`${SCENARIO_PAGE} written\n`);
}
