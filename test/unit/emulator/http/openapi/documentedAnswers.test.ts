import { expect } from "chai";
import * as z from "zod";
import { describeApi } from "../../../../../emulator/http/openapi/describeApi.ts";
import { defineRoute } from "../../../../../emulator/http/route/Route.ts";
import { recordAnswers } from "../../../../helpers/openapi/documentedAnswers.ts";

describe("the recorder of answers", () => {
  const route = defineRoute({
    answers: { 200: { body: z.strictObject({ name: z.string() }), description: "One" } },
    handle: ({ http }) => http.json({}),
    headers: { "X-Mark": "Always there." },
    method: "get",
    operationId: "getThing",
    params: z.object({ id: z.string() }),
    path: "/things/:id",
    summary: "A thing",
    tag: "Documents",
  });
  const document = describeApi([route], "1.0.0");
  const marked = { headers: { "x-mark": "1" } };

  async function faultsOf(answer: Response, path = "/things/1"): Promise<readonly string[]> {
    const recorder = recordAnswers(document, async () => answer);
    const given = await recorder.fetch(new Request(`http://localhost${path}`));
    expect(given).to.equal(answer);
    return recorder.seen.flatMap(({ faults }) => faults);
  }

  it("finds nothing where an answer is as described", async () => {
    expect(await faultsOf(Response.json({ name: "a" }, marked))).to.deep.equal([]);
    const refusal = { errorCode: "UNAUTHORIZED", message: "no" };
    expect(await faultsOf(Response.json(refusal, { ...marked, status: 401 }))).to.deep.equal([]);
  });

  it("finds paths, statuses, headers, media types, fields and codes that are not described", async () => {
    expect((await faultsOf(Response.json({}), "/nothing"))[0]).to.include("is not in the document");
    expect(await faultsOf(Response.json({}, { ...marked, status: 418 }))).to.deep.equal([
      "status 418 is not described",
    ]);
    expect(await faultsOf(Response.json({ name: "a" }))).to.deep.equal(["the header X-Mark is missing"]);
    expect((await faultsOf(new Response("a", marked)))[0]).to.include("the media type text/plain");
    expect((await faultsOf(Response.json({ name: 1 }, marked)))[0]).to.include("expected string");
    expect((await faultsOf(Response.json({}, marked)))[0]).to.include("at name");
    expect((await faultsOf(Response.json({ name: "a", other: 1 }, marked)))[0]).to.include("other");
    const odd = { errorCode: "NO_QUOTES", message: "no" };
    expect((await faultsOf(Response.json(odd, { ...marked, status: 401 })))[0]).to.include("errorCode");
  });
});
