import { expect } from "chai";
import {
  getCurrencies,
  getRequests,
  getSignature,
  getStatus,
  type RequestsVersion,
  type StatusVersion,
} from "../../../src/client/index.ts";
import { recordV2, recordV3 } from "../schema/record/support/records.ts";
import { fakeService, json } from "./support/fakeService.ts";
import { requestId, statusAnswer } from "./support/samples.ts";

const { client } = fakeService([json(statusAnswer("waiting"))]);
const never = process.argv.length < 0;

describe("the version of an endpoint", () => {
  it("cannot be named by a type alone, because the answer would be of another version", async () => {
    if (never) {
      // @ts-expect-error: the call requests version 3.
      await getStatus<"v2">(client, { requestId });
      // @ts-expect-error: version 3 again.
      await getStatus<"legacy">(client, { requestId, version: "v3" });
      // @ts-expect-error: the call requests version 1.
      await getSignature<"v2">(client, { requestId });
      // @ts-expect-error: the call requests version 2.
      await getCurrencies<"v1">(client, {});
      // @ts-expect-error: version 2 without parameters, too.
      await getCurrencies<"v1">(client);
      // @ts-expect-error: the call requests version 3.
      await getRequests<"v2">(client);
      // @ts-expect-error: version 3 again.
      await getRequests<"v2">(client, { limit: 1 });
      // @ts-expect-error: version 3 has `txHash`.
      await getRequests(client, { hash: requestId });
      // @ts-expect-error: version 2 has `hash`.
      await getRequests(client, { txHash: requestId, version: "v2" });
      // @ts-expect-error: version 2 has no filters.
      await getRequests(client, { filters: [], version: "v2" });
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

  it("chooses the listing of requests, its parameters and its records", async () => {
    const { client, calls } = fakeService([
      json({ requests: [recordV2()] }),
      json({ requests: [recordV3()] }),
    ]);
    const older = await getRequests(client, { hash: requestId, version: "v2" });
    expect(older.requests[0]?.data?.timeEstimate).to.equal(4);
    const version = (never ? "v2" : "v3") as RequestsVersion;
    await getRequests(client, { limit: 1, version });
    expect(calls.map(({ pathname }) => pathname)).to.deep.equal(["/requests/v2", "/requests/v3"]);
  });
});
