import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import { allRoutes } from "../../../../../emulator/http/createApp.ts";
import { describeApi } from "../../../../../emulator/http/openapi/describeApi.ts";
import type { OpenApiDocument } from "../../../../../emulator/http/openapi/OpenApiDocument.ts";
import { ajvWitness } from "../../../../helpers/openapi/ajvWitness.ts";
import { idleDeps } from "../../../../helpers/openapi/describedRoutes.ts";

describe("the OpenAPI document, as others read it", function () {
  this.timeout(60_000);
  const document = JSON.parse(JSON.stringify(describeApi(allRoutes(idleDeps), "1.2.3"))) as OpenApiDocument;
  const judged = async (changed: object) => {
    const validator = new Validator();
    const { valid } = await validator.validate(structuredClone(changed) as Record<string, unknown>);
    return [valid, validator.version];
  };

  it("is valid by the schema that the standard publishes for version 3.1", async () => {
    expect(await judged(document)).to.deep.equal([true, "3.1"]);
  });

  it("is not when something in it is misnamed, left out or of another kind", async () => {
    const [path = "", methods = {}] = Object.entries(document.paths)[0] ?? [];
    const [method = "", operation] = Object.entries(methods)[0] ?? [];
    const changes: readonly object[] = [
      { ...document, info: { title: "no version" } },
      { ...document, paths: { [path.slice(1)]: methods } },
      { ...document, paths: { [path]: { [method]: { ...operation, responses: { 200: {} } } } } },
      { ...document, paths: { [path]: { [method]: { ...operation, parameters: [{ name: "x" }] } } } },
    ];
    for (const change of changes) expect((await judged(change))[0]).to.equal(false);
  });

  it("has schemas that all compile for another validator, and that refuse what does not fit them", () => {
    const witness = ajvWitness(document);
    const schemas = Object.entries(document.components.schemas);
    expect(schemas).to.have.length.above(20);
    // Only a schema that takes any field, or no object, accepts an undocumented one.
    for (const [name, { additionalProperties, type }] of schemas) {
      const faults = witness({ $ref: `#/components/schemas/${name}` }, { "never heard of": true });
      if (type !== "object" || additionalProperties === false) expect(faults, name).to.not.deep.equal([]);
    }
  });
});
