import { bodies, refusedBodies } from "./support/publishedBodies.ts";
import { refusedResponses, responses } from "./support/publishedResponses.ts";
import { keeps, refusesAt } from "./support/schemaChecks.ts";

describe("samples in the form of the service's documents", () => {
  for (const [kind, samples] of Object.entries({ bodies, responses })) {
    it(`published ${kind} pass unchanged`, () => {
      for (const [schema, values] of samples) {
        for (const [name, value] of Object.entries(values)) {
          try {
            keeps(schema, [value]);
          } catch (cause) {
            throw new Error(name, { cause });
          }
        }
      }
    });
  }

  it("published samples with placeholders or without required fields are refused by the field's name", () => {
    for (const [schema, value, path] of [...refusedBodies, ...refusedResponses])
      refusesAt(schema, [[value, path]]);
  });
});
