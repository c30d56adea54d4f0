import { expect } from "chai";
import { type ErrorFragment, type EventFragment, type FunctionFragment, Interface } from "ethers";
import { artifacts } from "hardhat";
import { productionAbi } from "./support/productionAbi.ts";

async function readInterface(name: string): Promise<Interface> {
  const artifact = await artifacts.readArtifact(name);
  return Interface.from(artifact.abi);
}

function table<F extends FunctionFragment | EventFragment | ErrorFragment>(
  fragments: F[],
  hash: (fragment: F) => string,
): Record<string, string> {
  return Object.fromEntries(fragments.map((fragment) => [fragment.format("sighash"), hash(fragment)]));
}

describe("the ABI of the stand-ins", () => {
  for (const [name, production] of Object.entries(productionAbi)) {
    it(`${name} has production's functions and no other`, async () => {
      const { fragments } = await readInterface(name);
      const functions = fragments.filter((each): each is FunctionFragment => each.type === "function");
      expect(table(functions, (each) => each.selector)).to.deep.equal(production.functions);
    });

    it(`${name} has production's events and no other`, async () => {
      const { fragments } = await readInterface(name);
      const events = fragments.filter((each): each is EventFragment => each.type === "event");
      expect(table(events, (each) => each.topicHash)).to.deep.equal(production.events);
    });

    it(`${name} has production's errors and no other`, async () => {
      const { fragments } = await readInterface(name);
      const errors = fragments.filter((each): each is ErrorFragment => each.type === "error");
      expect(table(errors, (each) => each.selector)).to.deep.equal(production.errors);
    });

    it(`${name} indexes no parameter of the service's own events`, async () => {
      const { fragments } = await readInterface(name);
      const indexed = fragments
        .filter(
          (each): each is EventFragment => each.type === "event" && !each.format().startsWith("Ownership"),
        )
        .filter((each) => each.inputs.some((input) => input.indexed))
        .map((each) => each.format());
      expect(indexed).to.deep.equal([]);
    });
  }

  it("only the multicallers, the receiver, the routers and the approval proxies accept plain native transfers", async () => {
    const takers: string[] = [];
    for (const name of Object.keys(productionAbi)) {
      if ((await readInterface(name)).receive) takers.push(name);
    }
    expect(takers).to.deep.equal([
      "Multicaller",
      "OnlyOwnerMulticaller",
      "RelayReceiver",
      "RelayRouterV3",
      "RelayRouterV2_1",
      "RelayApprovalProxyV3",
      "RelayApprovalProxyV2_1",
    ]);
  });
});
