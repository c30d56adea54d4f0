import { expect } from "chai";
import { iterateRequestPages, iterateRequests } from "../../../src/client/index.ts";
import { recordV3 } from "../schema/record/support/records.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";

describe("iterateRequests", () => {
  const page = (ids: readonly string[], continuation?: string) =>
    json({
      requests: ids.map((id) => recordV3({ id })),
      ...(continuation === undefined ? {} : { continuation }),
    });

  it("requests each page with the cursor of the one before", async () => {
    const { calls, client } = fakeService([page(["a", "b"], "c1"), page([], "c2"), page(["c"])]);
    const ids: string[] = [];
    for await (const { id } of iterateRequests(client, { limit: 2, status: "success" })) ids.push(id);
    expect(ids).to.deep.equal(["a", "b", "c"]);
    expect(calls.map(({ query }) => query)).to.deep.equal([
      { limit: "2", status: "success" },
      { continuation: "c1", limit: "2", status: "success" },
      { continuation: "c2", limit: "2", status: "success" },
    ]);
  });

  it("requests no page after the caller stops iterating", async () => {
    const { calls, client } = fakeService([page(["a", "b"], "c1")]);
    for await (const { id } of iterateRequests(client)) if (id === "a") break;
    expect(calls).to.have.length(1);
  });

  it("starts at a given cursor", async () => {
    const { calls, client } = fakeService([page(["z"])]);
    for await (const { requests } of iterateRequestPages(client, { continuation: "c9" }))
      expect(requests).to.have.length(1);
    expect(calls[0]?.query).to.deep.equal({ continuation: "c9" });
  });

  it("throws when a cursor repeats", async () => {
    const { calls, client } = fakeService([page(["a"], "c1"), page(["b"], "c2"), page(["a"], "c1")]);
    const work = (async () => {
      for await (const record of iterateRequests(client)) void record;
    })();
    expect(await rejectionOf(work)).to.include({ code: "RESPONSE_INVALID", path: "continuation" });
    expect(calls).to.have.length(3);
  });

  it("stops when the caller aborts between two pages", async () => {
    const controller = new AbortController();
    const { calls, client } = fakeService([page(["a"], "c1")]);
    const work = (async () => {
      for await (const record of iterateRequests(client, { signal: controller.signal })) {
        void record;
        controller.abort();
      }
    })();
    expect(await rejectionOf(work)).to.have.property("code", "ABORTED");
    expect(calls).to.have.length(1);
  });
});
