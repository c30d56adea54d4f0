import { expect } from "chai";
import { getCurrencies, getSignature, getStatus, type StatusVersion } from "../../../src/client/index.ts";
import { fakeService, json } from "./support/fakeService.ts";
import { requestId, statusAnswer } from "./support/samples.ts";

const { client } = fakeService([json(statusAnswer("waiting"))]);
const never = process.argv.length < 0;

describe("the version of an endpoint", () => {
  it("cannot be named by a type alone: the answer would be of another one", async () => {
    if (never) {
      // @ts-expect-error: version 3 is what is asked for.
      await getStatus<"v2">(client, { requestId });
      // @ts-expect-error: version 3 again.
      await getStatus<"legacy">(client, { requestId, version: "v3" });
      // @ts-expect-error: version 1 is what is asked for.
      await getSignature<"v2">(client, { requestId });
      // @ts-expect-error: version 2 is what is asked for.
      await getCurrencies<"v1">(client, {});
      // @ts-expect-error: there is no such version.
      await getStatus(client, { requestId, version: "v4" });
    }
    const { updatedAt } = await getStatus(client, { requestId });
    expect(updatedAt).to.equal(statusAnswer("waiting").updatedAt);
  });

  it("may be left out, or chosen while the program runs", async () => {
    const version = (never ? "v3" : undefined) as StatusVersion | undefined;
    expect(await getStatus(client, { requestId, version })).to.have.property("status", "waiting");
    expect(await getStatus<"v3">(client, { requestId })).to.have.property("status", "waiting");
  });
});
