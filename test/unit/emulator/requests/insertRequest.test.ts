import { expect } from "chai";
import { insertRequest, quotedTrigger } from "../../../../emulator/requests/insertRequest.ts";
import { bitsOf } from "../../../../emulator/requests/searchFacts.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { requestRow } from "../support/requests.ts";

const idOf = (index: number) => `0x${index.toString(16).padStart(64, "0")}`;
const rowOf = (index: number, order = index) =>
  requestRow({ id: idOf(index), order_id: idOf(1_000 + order) });

forEachStore("storing requests", (kind) => {
  it("stores those that come at the same time, each with its event and features", async () => {
    const { store } = await kind.open();
    const indexes = Array.from({ length: 150 }, (_, index) => index);
    await Promise.all(
      indexes.map((index) => insertRequest(store, rowOf(index), index % 2 ? ["app_fees"] : [])),
    );
    const requests = await store.selectFrom("requests").select("id").orderBy("id").execute();
    expect(requests.map(({ id }) => id)).to.deep.equal(indexes.map(idOf));
    const events = await store
      .selectFrom("events")
      .select(["request_id", "trigger", "status"])
      .orderBy("request_id")
      .execute();
    expect(events).to.deep.equal(
      indexes.map((index) => ({ request_id: idOf(index), status: "waiting", trigger: quotedTrigger })),
    );
    const features = await store.selectFrom("request_features").select("request_id").execute();
    expect(features).to.have.length(75);
  });

  it("gives requests of one route the same route, whatever the case of its symbols, and others another", async () => {
    const { store } = await kind.open();
    await Promise.all([
      insertRequest(store, rowOf(1)),
      insertRequest(store, { ...rowOf(2), currency_in_symbol: "eth" }),
      insertRequest(store, { ...rowOf(3), destination_chain_id: 31_339 }, ["gas_top_up", "app_fees"]),
    ]);
    await insertRequest(store, rowOf(4));
    const rows = await store
      .selectFrom("requests")
      .innerJoin("request_routes", "request_routes.id", "requests.route_id")
      .select(["features", "request_routes.currency_in_symbol", "request_routes.destination_chain_id"])
      .orderBy("requests.id")
      .execute();
    const usual = { currency_in_symbol: "eth", destination_chain_id: 31_338, features: 0 };
    expect(rows).to.deep.equal([
      usual,
      usual,
      { ...usual, destination_chain_id: 31_339, features: bitsOf(["app_fees", "gas_top_up"]) },
      usual,
    ]);
    expect(await store.selectFrom("request_routes").select("id").execute()).to.have.length(2);
  });

  it("refuses the one that cannot be stored, and stores the others", async () => {
    const { store } = await kind.open();
    const [first, twin, other] = await Promise.allSettled([
      insertRequest(store, rowOf(1)),
      // The order of another request.
      insertRequest(store, rowOf(2, 1), ["app_fees"]),
      insertRequest(store, rowOf(3)),
    ]);
    expect([first?.status, twin?.status, other?.status]).to.deep.equal([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    const requests = await store.selectFrom("requests").select("id").orderBy("id").execute();
    expect(requests.map(({ id }) => id)).to.deep.equal([idOf(1), idOf(3)]);
    expect(await store.selectFrom("request_features").selectAll().execute()).to.deep.equal([]);
    expect(await store.selectFrom("events").selectAll().execute()).to.have.length(2);
    expect(await failureOf(insertRequest(store, rowOf(3)))).to.be.instanceOf(Error);
  });
});
