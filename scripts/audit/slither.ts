/** Runs Slither over the contracts that hold or move money. Fails on a finding without a row in `slither.json`, and on a row without one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { report, runAuditTool } from "./tools.ts";

type Element = {
  readonly type: string;
  readonly name: string;
  readonly type_specific_fields?: { readonly parent?: Element };
};
type Finding = { readonly check: string; readonly impact: string; readonly elements: readonly Element[] };
type Report = { readonly success: boolean; readonly results: { readonly detectors?: readonly Finding[] } };

/** Why the findings of a detector are harmless at these places, or everywhere. */
type Reason = { readonly detector: string; readonly at: readonly string[] | "*"; readonly reason: string };

type Place = { readonly detector: string; readonly place: string };

const IMPACTS = ["High", "Medium", "Low", "Informational", "Optimization"];

/** What is deployed, and the examples, because integrators copy them. */
const FOLDERS = ["examples", "guard", "libraries", "proxy", "receiver", "records"];

/** A place as `Contract.function`, or `Contract.function.variable`. */
function placeOf({ name, type, type_specific_fields: { parent } = {} }: Element): string {
  return parent === undefined || type === "contract" || parent.type === "file"
    ? name
    : `${placeOf(parent)}.${name}`;
}

const env = { FOUNDRY_PROFILE: "slither" };
await runAuditTool(
  ["forge", "build", "--offline", "--force", ...FOLDERS.map((folder) => join("contracts", folder))],
  {
    env,
  },
);
const built = ["--compile-force-framework", "foundry", "--foundry-ignore-compile"];
const out = ["--foundry-out-directory", join("cache", "forge", "slither")];
const output = ["--filter-paths", "node_modules", "--fail-none", "--json", "-"];
const { results, success }: Report = JSON.parse(
  await runAuditTool(["slither", ".", ...built, ...out, ...output], { env }),
);
if (!success) throw new Error("Slither reports no success");
const findings = results.detectors ?? [];

const rows: readonly Reason[] = JSON.parse(readFileSync(join(import.meta.dirname, "slither.json"), "utf8"));
const places = rows.flatMap(({ at, detector }) =>
  (at === "*" ? [at] : at).map((place) => ({ detector, place })),
);
const found = findings.map(({ check, elements: [first] }) => ({
  detector: check,
  place: first === undefined ? "" : placeOf(first),
}));
const isOf = (row: Place, finding: Place) =>
  row.detector === finding.detector && (row.place === "*" || row.place === finding.place);
const unexplained = found.filter((finding) => !places.some((row) => isOf(row, finding)));
const stale = places.filter((row) => !found.some((finding) => isOf(row, finding)));

const counts = IMPACTS.map((impact) => findings.filter((each) => each.impact === impact).length);
report({
  figures: {
    name: "static analysis",
    lines: [
      `| | ${IMPACTS.join(" | ")} |`,
      `| --- |${" --- |".repeat(IMPACTS.length)}`,
      `| findings, each justified | ${counts.join(" | ")} |`,
    ],
  },
  problems: [
    ...unexplained.map(
      ({ detector, place }) => `finding without a row in slither.json: ${detector}, ${place}`,
    ),
    ...stale.map(({ detector, place }) => `row of slither.json without a finding: ${detector}, ${place}`),
  ],
});
