import { expect } from "chai";
import { quoteSchema } from "../../../../src/schema/quote/quote.ts";
import { requestsPageSchema } from "../../../../src/schema/record/requestV3.ts";
import { statusSchema } from "../../../../src/schema/request/status.ts";
import { findUnknown } from "../../../../src/schema/wire/findUnknown.ts";
import { bridgeQuote, depositStep, statusAnswer } from "../../client/support/samples.ts";

const short = (schema: Parameters<typeof findUnknown>[0], value: unknown) =>
  findUnknown(schema, value).map(({ kind, path, value: text }) => [
    kind,
    path,
    ...(text === undefined ? [] : [text]),
  ]);

describe("findUnknown", () => {
  it("finds nothing in what the interface documents", () => {
    expect(findUnknown(quoteSchema, bridgeQuote())).to.deep.equal([]);
    expect(findUnknown(statusSchema, statusAnswer("success"))).to.deep.equal([]);
  });

  it("finds fields and values at every depth", () => {
    const quote = bridgeQuote([{ ...depositStep({ brandNew: 1 }), id: "teleport" }]);
    expect(
      short(quoteSchema, { ...quote, moon: {}, details: { ...quote.details, phase: 1 } }),
    ).to.have.deep.members([
      ["value", "steps.*.id", "teleport"],
      ["field", "steps.*.items.*.data.brandNew"],
      ["field", "details.phase"],
      ["field", "moon"],
    ]);
    const request = {
      data: { failReason: "MOON", inTxs: [{ new: 1 }] },
      features: ["x", "x"],
      id: "1",
      status: "s",
    };
    expect(short(requestsPageSchema, { requests: [request, request] })).to.have.deep.members([
      ["value", "requests.*.data.failReason", "MOON"],
      ["field", "requests.*.data.inTxs.*.new"],
      ["value", "requests.*.features.*", "x"],
      ["value", "requests.*.status", "s"],
    ]);
  });

  it("is not confused by fields that every object inherits", () => {
    const value = JSON.parse('{"status":"waiting","__proto__":1,"constructor":2}');
    expect(short(statusSchema, value)).to.have.deep.members([
      ["field", "__proto__"],
      ["field", "constructor"],
    ]);
  });
});
