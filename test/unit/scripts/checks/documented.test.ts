import { expect } from "chai";
import { checkDocumented } from "../../../../scripts/checks/documented.ts";
import type { Export } from "../../../../scripts/checks/entryPoints.ts";

const good: Export = {
  documentation: "Approves.",
  examples: ['import { approve, type Call } from "waybill";\n\napprove();'],
  file: "src/calls/approve.ts",
  kind: "function",
  line: 3,
  name: "approve",
};

const messagesOf = (...exports: Partial<Export>[]): string[] => {
  const entry = {
    exports: exports.map((each) => ({ ...good, ...each })),
    source: "src/index.ts",
    specifier: "waybill",
  };
  return checkDocumented([entry]).map(({ message }) => message);
};

describe("the check of what is said about exports", () => {
  it("accepts a function with a sentence and an example, and a type or a constant with a sentence", () => {
    for (const kind of ["type", "constant"] as const) {
      expect(messagesOf({}, { examples: [], kind, name: "Call" })).to.deep.equal([]);
    }
  });

  it("accepts parameters, return type and options of an exported value without a sentence, and no others", () => {
    const silent = { documentation: "", examples: [], kind: "type" } as const;
    const failure = {
      examples: ['import { BadError } from "waybill";'],
      kind: "class",
      name: "BadError",
    } as const;
    const types = ["ApproveParameters", "ApproveReturnType", "BadErrorOptions", "SweepParameters"];
    expect(messagesOf({}, failure, ...types.map((name) => ({ ...silent, name })))).to.deep.equal([
      "waybill exports SweepParameters, which nothing is said about",
    ]);
  });

  it("accepts a default export that its example imports", () => {
    const examples = ['import plugin from "@waybill/hardhat";'];
    expect(messagesOf({ examples, name: "default" })).to.deep.equal([]);
    expect(messagesOf({ examples: ['import plugin from "hardhat";'], name: "default" })).to.have.length(1);
  });

  it("finds an export without a word, of whatever kind", () => {
    expect(
      messagesOf({ documentation: "" }, { documentation: " ", kind: "type", name: "Call" }),
    ).to.deep.equal([
      "waybill exports approve, which nothing is said about",
      "waybill exports Call, which nothing is said about",
    ]);
  });

  it("finds a function without an example, and a class with two", () => {
    expect(messagesOf({ examples: [] }, { examples: ["", ""], kind: "class", name: "Two" })).to.deep.equal([
      "waybill exports approve, which has 0 examples instead of one",
      "waybill exports Two, which has 2 examples instead of one",
    ]);
  });

  it("finds an example that does not import its subject from an entry point", () => {
    const examples = [
      "approve();",
      'import { approve } from "./approve.ts";',
      'import { approved } from "waybill";',
    ];
    for (const example of examples) {
      expect(messagesOf({ examples: [example] })).to.deep.equal([
        "waybill exports approve, which has an example that does not import it",
      ]);
    }
  });

  it("says what is missing once, however many entry points export it", () => {
    const entry = { exports: [{ ...good, documentation: "" }], source: "src/index.ts", specifier: "waybill" };
    expect(checkDocumented([entry, { ...entry, specifier: "waybill/client" }])).to.have.length(1);
  });
});
