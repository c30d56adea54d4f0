import { expect } from "chai";
import { getSignature } from "../../../src/client/index.ts";
import { endpointCalls } from "./support/endpointCalls.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { requestId } from "./support/samples.ts";

const answer = endpointCalls.find(({ name }) => name === "getSignature")?.answer;

describe("getSignature", () => {
  for (const signature of ["", "0x", `0x${"4c".repeat(64)}4`, `0x${"4c".repeat(66)}`, 7]) {
    it(`refuses ${signature}, which is no signature`, async () => {
      const { client } = fakeService([json({ ...answer, signature })]);
      expect(await rejectionOf(getSignature(client, { requestId }))).to.have.property("path", "signature");
    });
  }
});
