import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import hre from "hardhat";
import { measureGas } from "../../bench/gas/measureGas.ts";
import { gasRows } from "../../bench/gas/rows.ts";

const SNAPSHOT = new URL("../snapshots/gas.json", import.meta.url);

// Coverage instruments the bytecode, so its figures say nothing.
if (!hre.globalOptions.coverage) {
  describe("gas of the core contracts in steady state", () => {
    let measured: Readonly<Record<string, number>>;
    before("measuring", async () => {
      measured = await measureGas();
      if (process.env["UPDATE_SNAPSHOTS"] === "1") {
        writeFileSync(SNAPSHOT, `${JSON.stringify(measured, null, 2)}\n`);
      }
    });

    for (const name of Object.keys(gasRows)) {
      it(`of ${name} is what the snapshot says`, () => {
        const snapshot = JSON.parse(readFileSync(SNAPSHOT, "utf8")) as Record<string, number>;
        expect(measured[name]).to.equal(snapshot[name]);
      });
    }

    it("is in the snapshot for every path that is measured, and for no other", () => {
      expect(Object.keys(JSON.parse(readFileSync(SNAPSHOT, "utf8")))).to.have.members(Object.keys(gasRows));
      expect(Object.keys(measured)).to.have.members(Object.keys(gasRows));
    });
  });
}
