import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { root } from "../../../../scripts/checks/runTool.ts";
import { LIFECYCLE_PAGE, renderLifecycle } from "../../../../scripts/generate/lifecycle.ts";

describe("the page of the lifecycle", () => {
  it("has the transitions of the code: `npm run generate` writes them", () => {
    const page = readFileSync(join(root, LIFECYCLE_PAGE), "utf8");
    expect(page).to.equal(renderLifecycle(page));
  });
});
