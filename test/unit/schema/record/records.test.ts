import { expect } from "chai";
import { requestsV2PageSchema, requestV2Schema } from "../../../../src/schema/record/requestV2.ts";
import { requestSchema, requestsPageSchema } from "../../../../src/schema/record/requestV3.ts";
import { refusesAt } from "../support/schemaChecks.ts";
import { recordV2, recordV3 } from "./support/records.ts";

describe("request records", () => {
  // @spec requests-v2/page
  it("of version 2 pass unchanged, with the notice of the listing's end", () => {
    const deprecation = {
      deprecatedAt: "2026-07-22T00:00:00Z",
      message: "GET /requests/v2 is deprecated.",
      migrationGuide: "https://docs.relay.link/references/api/api_guides/migrating-to-requests-v3",
      successor: "https://api.relay.link/requests/v3",
      sunsetAt: "2026-11-24T00:00:00Z",
      throttledFrom: "2026-09-01T00:00:00Z",
    };
    const page = {
      continuation: "abc",
      deprecation,
      requests: [recordV2(), recordV2({}, { status: "delayed" })],
    };
    expect(requestsV2PageSchema.parse(page)).to.deep.equal(page);
  });

  it("of version 3 pass unchanged, partial currencies and amounts included", () => {
    const page = { continuation: "abc", requests: [recordV3(), recordV3({ data: null })], total: 2 };
    expect(requestsPageSchema.parse(page)).to.deep.equal(page);
  });

  it("keep fields and values that are not documented", () => {
    const record = recordV3({ brandNew: 1, features: ["moon"], requestType: "Teleport", status: "paused" });
    expect(requestSchema.parse(record)).to.deep.equal(record);
  });

  it("never pass an amount that lost its exactness", () => {
    for (const amount of [1e22, "1e22", "0x1", "1.5", "", (2n ** 256n).toString()]) {
      const route = { actual: { origin: { inputCurrency: { amount } } } };
      const path = "data.route.actual.origin.inputCurrency.amount";
      refusesAt(requestSchema, [[recordV3({ data: { route } }), path]]);
      refusesAt(requestV2Schema, [[recordV2({ price: amount }), "data.price"]]);
    }
    const largest = (2n ** 256n - 1n).toString();
    expect(requestV2Schema.parse(recordV2({ price: largest })).data?.price).to.equal(largest);
  });

  it("need an id and a status", () => {
    refusesAt(requestSchema, [[{ status: "success" }, "id"]]);
    refusesAt(requestV2Schema, [[{ id: "1" }, "status"]]);
    refusesAt(requestsPageSchema, [[{}, "requests"]]);
  });
});
