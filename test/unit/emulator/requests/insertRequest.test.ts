import { expect } from "chai";
import { findRequest } from "../../../../emulator/requests/findRequest.ts";
import { insertRequest } from "../../../../emulator/requests/insertRequest.ts";
import { bitsOf } from "../../../../emulator/requests/search/searchFacts.ts";
import { forEachStore, openTwice } from "../../../helpers/processes/stores.ts";
import { idOf, readAll, requestRow } from "../support/requests.ts";

const rowOf = (index: number, order = index) =>
  requestRow({ id: idOf(index), order_id: idOf(1_000 + order) });

forEachStore("insertRequest", (kind) => {
  it("requests of two processes at once: stores each with its first event, features and facts", async () => {
    const [{ store }, { store: other }] = await openTwice(kind);
    const indexes = Array.from({ length: 150 }, (_, index) => index);
    const features = ["app_fees", "gas_top_up"];
    await Promise.all(
      indexes.map((index) =>
        index % 2 === 0 ? insertRequest(store, rowOf(index)) : insertRequest(other, rowOf(index), features),
      ),
    );
    const requests = await readAll(store, "requests", "id");
    expect(requests.map(({ id }) => id)).to.deep.equal(indexes.map(idOf));
    expect(requests[1]).to.deep.equal({ ...rowOf(1), features: bitsOf(features), route_id: 1 });
    const events = await readAll(store, "events", "request_id");
    expect(events.map(({ seq: _, ...event }) => event)).to.deep.equal(
      indexes.map((index) => ({
        at: rowOf(index).created_at,
        data: "{}",
        request_id: idOf(index),
        status: "waiting",
        trigger: "quoted",
      })),
    );
    const stored = await store.selectFrom("request_features").selectAll().orderBy("request_id").execute();
    expect(stored.map(({ request_id }) => request_id)).to.deep.equal(
      indexes.filter((index) => index % 2).flatMap((index) => features.map(() => idOf(index))),
    );
    expect(stored.slice(0, 2).map(({ feature }) => feature)).to.have.members(features);
  });

  it("requests of one route in any letter case of symbols: share the route; others get another", async () => {
    const { store } = await kind.open();
    await Promise.all([
      insertRequest(store, rowOf(1)),
      insertRequest(store, { ...rowOf(2), currency_in_symbol: "eth" }),
      insertRequest(store, { ...rowOf(3), destination_chain_id: 31_339 }),
    ]);
    await insertRequest(store, rowOf(4));
    const rows = await store
      .selectFrom("requests")
      .innerJoin("request_routes", "request_routes.id", "requests.route_id")
      .select(["request_routes.currency_in_symbol", "request_routes.destination_chain_id"])
      .orderBy("requests.id")
      .execute();
    const usual = { currency_in_symbol: "eth", destination_chain_id: 31_338 };
    expect(rows).to.deep.equal([usual, usual, { ...usual, destination_chain_id: 31_339 }, usual]);
    expect(await readAll(store, "request_routes")).to.have.length(2);
  });

  it("a request that cannot be stored among others: rejects it alone, and stores no part of it", async () => {
    const { store } = await kind.open();
    const outcomes = await Promise.allSettled([
      insertRequest(store, rowOf(1)),
      // The order of another request.
      insertRequest(store, rowOf(2, 1), ["app_fees"]),
      insertRequest(store, rowOf(3)),
      insertRequest(store, rowOf(4), ["twice", "twice"]),
    ]);
    const [good, bad] = ["fulfilled", "rejected"];
    expect(outcomes.map(({ status }) => status)).to.deep.equal([good, bad, good, bad]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(String(outcome.reason)).to.match(/unique constraint/i);
    }
    expect((await readAll(store, "requests", "id")).map(({ id }) => id)).to.deep.equal([idOf(1), idOf(3)]);
    expect(await findRequest(store, idOf(4))).to.equal(undefined);
    expect(await readAll(store, "request_features")).to.deep.equal([]);
    expect(await readAll(store, "events")).to.have.length(2);
  });
});
