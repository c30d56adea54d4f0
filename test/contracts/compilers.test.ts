import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { compileSources, repositoryRoot as root } from "../helpers/contracts/compileSources.ts";

/** Folders that other projects import, with the compiler that their pragma names as the lowest. */
const PUBLISHED = [
  {
    compiler: "solc-lowest",
    folders: ["guard", "interfaces", "libraries", "receiver", "records"],
    lowest: "0.8.24",
  },
  { compiler: "solc-transient", folders: ["proxy"], lowest: "0.8.28" },
] as const;

function readSources(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, readFileSync(`${root}${path}`, "utf8")]));
}

describe("contracts that other projects compile", () => {
  for (const { compiler, folders, lowest } of PUBLISHED) {
    it(`published contracts compile with ${lowest}, the lowest compiler that ${folders.join(", ")} allow`, () => {
      const paths = globSync(
        folders.map((folder) => `contracts/${folder}/**/*.sol`),
        { cwd: root },
      );
      const { contracts = {}, errors = [] } = compileSources(compiler, readSources(paths));

      const failures = errors.filter(({ severity }) => severity === "error");
      expect(failures.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
      expect(Object.keys(contracts)).to.include.members(paths);
    });
  }

  it("OrderTerms and ProtocolNames compile with 0.8.17 for london, without IR and without optimizer", () => {
    const paths = ["contracts/records/OrderTerms.sol", "contracts/records/ProtocolNames.sol"];
    const { contracts = {}, errors = [] } = compileSources("solc-order-terms", readSources(paths), {
      evmVersion: "london",
    });
    expect(errors.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
    expect(Object.keys(contracts)).to.have.members(paths);
  });

  it("the facet and the vault of the examples compile with 0.8.24, without IR and without optimizer", () => {
    const paths = ["contracts/examples/OrderFacet.sol", "contracts/examples/OrderVault.sol"];
    const { contracts = {}, errors = [] } = compileSources("solc-lowest", readSources(paths));
    expect(errors.filter(({ severity }) => severity === "error")).to.deep.equal([]);
    expect(Object.keys(contracts)).to.include.members(paths);
  });

  it("the pragmas of published contracts name no compiler but the lowest", () => {
    const paths = globSync("contracts/{guard,interfaces,libraries,proxy,receiver,records}/**/*.sol", {
      cwd: root,
    });
    const pragmas = paths.map(
      (path) => /^pragma solidity (.+);$/m.exec(readFileSync(`${root}${path}`, "utf8"))?.[1],
    );
    expect([...new Set(pragmas)].toSorted()).to.deep.equal([">=0.8.4", "^0.8.17", "^0.8.24", "^0.8.28"]);
  });
});
