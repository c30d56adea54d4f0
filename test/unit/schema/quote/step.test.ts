import { stepSchema } from "../../../../src/schema/quote/step.ts";
import { depositStep, token } from "../../client/support/samples.ts";
import { keeps, refuses, refusesAt } from "../support/schemaChecks.ts";

describe("stepSchema", () => {
  // @spec step/kind step/signature
  it("names the wrong field within the kind of the step", () => {
    const broken = (fields: Record<string, unknown>) => ({ ...depositStep(), ...fields });
    const item = (data: unknown) => ({ items: [{ data, status: "incomplete" }] });
    const post = { body: {}, endpoint: "/x", method: "POST" };
    const sign = { domain: { chainId: [] }, primaryType: "T", signatureKind: "eip712", types: {}, value: {} };
    const cases: [unknown, string][] = [
      [broken(item({ to: "0x12" })), "items.0.data.to"],
      [broken(item({ data: "0x1", to: token })), "items.0.data.data"],
      [broken({ items: "none" }), "items"],
      [broken({ id: 7 }), "id"],
      [broken({ items: "none", kind: "signature" }), "items"],
      [broken({ ...item({ sign }), kind: "signature" }), "items.0.data.sign.domain.chainId"],
      [
        broken({ ...item({ post, sign: { signatureKind: "eip191" } }), kind: "signature" }),
        "items.0.data.sign.message",
      ],
      [broken({ kind: 7 }), "kind"],
    ];
    refusesAt(stepSchema, cases);
  });

  // @spec svm/calldata
  it("refuses a malformed transaction instead of reading it as another virtual machine's", () => {
    const data = (value: unknown) => ({ ...depositStep(), items: [{ data: value, status: "incomplete" }] });
    refuses(stepSchema, [
      data({ to: "0x" }),
      data({ to: null }),
      data({ action: null }),
      data("0x"),
      data([]),
    ]);
    keeps(stepSchema, [data({ instructions: [{ programId: "x" }] })]);
  });
});
