import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { root } from "../../../../scripts/checks/runTool.ts";
import { renderScenarios, SCENARIO_PAGE } from "../../../../scripts/generate/scenarios.ts";

describe("the page of scenarios", () => {
  it("has the rows of the catalogue: `npm run generate` writes them", () => {
    const page = readFileSync(join(root, SCENARIO_PAGE), "utf8");
    expect(page).to.equal(renderScenarios(page));
  });
});
