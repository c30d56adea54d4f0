/** Runs the Solidity tests under forge, which shrinks and keeps what fails: 100,000 runs of each property. */
import { report, runAuditTool } from "./tools.ts";

type Suites = Readonly<
  Record<string, { readonly test_results: Readonly<Record<string, { readonly status: string }>> }>
>;

// npm's forge ends with 0 even if a test fails.
const output = await runAuditTool(["forge", "test", "--offline", "--json"], {
  codes: [0, 1],
  env: { FOUNDRY_PROFILE: "fuzz" },
});
const suites: Suites = JSON.parse(output.slice(output.indexOf("{")));
const results = Object.entries(suites).flatMap(([suite, { test_results: tests }]) =>
  Object.entries(tests).map(([name, { status }]) => ({ name: `${suite} ${name}`, status })),
);
const properties = results.filter(({ name }) => /:\w+ (?:testFuzz|invariant)/.test(name)).length;
report({
  figures: {
    lines: [`${results.length} tests under forge, ${properties} of them properties.`],
    name: "fuzzing",
  },
  problems: [
    ...(results.length === 0 ? ["forge ran no test"] : []),
    ...results.filter(({ status }) => status !== "Success").map(({ name }) => `fails under forge: ${name}`),
  ],
});
