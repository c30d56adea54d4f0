import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import hre from "hardhat";
import { sumOf } from "../../bench/gas/compareWithFloor.ts";
import { longestManagedNativeDeposit } from "../../bench/gas/managedPaths.ts";
import { type Measured, measureGas } from "../../bench/gas/measureGas.ts";
import { steadyReceipt } from "../../bench/gas/Path.ts";
import { renderGasTables, replaceTables } from "../../bench/gas/renderGasTables.ts";
import { type GasRow, gasRows } from "../../bench/gas/rows.ts";

const SNAPSHOT = new URL("../snapshots/gas.json", import.meta.url);
const PAGE = new URL("../../docs/reference/gas.md", import.meta.url);

function readSnapshot(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(SNAPSHOT, "utf8"));
}

// Coverage instruments the bytecode, so its gas figures are meaningless.
if (!hre.globalOptions.coverage) {
  describe("gas of the core contracts in steady state", () => {
    let measured: Readonly<Record<string, Measured>>;
    before("measuring", async () => {
      measured = await measureGas();
      if (process.env.UPDATE_SNAPSHOTS !== "1") return;
      const figures = Object.keys(gasRows)
        .sort()
        .map((name) => [name, measured[name]?.gas] as const);
      writeFileSync(SNAPSHOT, `${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
      writeFileSync(PAGE, replaceTables(readFileSync(PAGE, "utf8"), renderGasTables(measured)));
    });

    for (const [name, { peer }] of Object.entries(gasRows) as [string, GasRow][]) {
      it(`the gas of ${name} equals the snapshot`, () => {
        expect(measured[name]?.gas).to.equal(readSnapshot()[name]);
      });

      if (peer !== undefined) {
        it(`the gas of ${name} is below that of the best public peer`, () => {
          expect(measured[name]?.gas).to.be.below(peer);
        });
      }
    }

    it("a deposit for a checked order costs no more than one with a backend's signature and 1,000 gas", () => {
      for (const asset of ["native", "erc20"]) {
        const backed = measured[`facet-${asset}-backed`]?.gas ?? 0;
        expect(measured[`facet-${asset}-checked`]?.gas, asset).to.be.at.most(backed + 1_000);
      }
    });

    it("a managed native deposit with the longest amount, chain id and recipient stays within the gas target", async () => {
      const { ethers } = await hre.network.create();
      const { send } = await longestManagedNativeDeposit(ethers);
      const { gasUsed } = await steadyReceipt(send);
      expect(Number(gasUsed)).to.be.at.most(gasRows["managed-native-deposit-every-policy"].target);
    });

    it("the gas snapshot has every measured path and no other", () => {
      expect(Object.keys(readSnapshot())).to.have.members(Object.keys(gasRows));
    });

    it("the gas of each path and floor is itemised to the last unit", () => {
      for (const [name, { breakdown, gas }] of Object.entries(measured)) {
        expect(sumOf(breakdown), name).to.equal(gas);
      }
      for (const { floor, floorItems } of Object.values(gasRows) as GasRow[]) {
        if (typeof floorItems === "object") expect(sumOf(floorItems)).to.equal(floor);
      }
    });

    it("the measured floors are within a thousandth of their stated gas", () => {
      for (const { floor, floorItems } of Object.values(gasRows) as GasRow[]) {
        if (floor === undefined || typeof floorItems !== "string") continue;
        expect(measured[floorItems]?.gas).to.be.closeTo(floor, Math.floor(floor / 1_000));
      }
    });

    it("the guide states the measured gas", () => {
      const page = readFileSync(PAGE, "utf8");
      expect(page).to.equal(replaceTables(page, renderGasTables(measured)));
    });
  });
}
