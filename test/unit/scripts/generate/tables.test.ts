import { expect } from "chai";
import { readTables } from "../../../../scripts/generate/tables.ts";

describe("the generated tables of pages", () => {
  for (const { expected, page, text } of readTables()) {
    it(`${page} has the tables of the code: \`npm run generate\` writes them`, () => {
      expect(text).to.equal(expected);
    });
  }
});
