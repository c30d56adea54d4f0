import { expect } from "chai";
import { assertNode } from "../../../../emulator/access/assertNode.ts";

describe("assertNode", () => {
  for (const version of ["18.0.0", "20.20.2", "22.15.1"]) {
    it(`rejects Node ${version}, and names it and the oldest supported version`, () => {
      expect(() => assertNode(version)).to.throw(
        `The emulator needs Node 22.16 or newer; this is Node ${version}.`,
      );
    });
  }

  for (const version of ["22.16.0", "24.0.0", "100.0.0"]) {
    it(`accepts Node ${version}`, () => expect(() => assertNode(version)).to.not.throw());
  }
});
