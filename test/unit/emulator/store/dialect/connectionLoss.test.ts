import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { expect } from "chai";
import { sql } from "kysely";
import type { StoreLog } from "../../../../../emulator/store/dialect/connectionLoss.ts";
import { StoreConnectionLostError } from "../../../../../emulator/store/dialect/storeErrors.ts";
import { type OpenedStore, openStore } from "../../../../../emulator/store/openStore.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { type OwnPostgresServer, startPostgresServer } from "../../../../helpers/processes/postgresServer.ts";
import { pause } from "../../support/waiting.ts";

describe("connectionLoss", function () {
  this.timeout(60_000);
  let server: OwnPostgresServer;
  let url: string;
  let opened: OpenedStore;
  let lines: Parameters<StoreLog>[0][];
  before(async () => {
    server = await startPostgresServer();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    url = await server.createDatabase();
    lines = [];
    opened = await openStore(url, { log: (line) => lines.push(line) });
  });
  afterEach(() => opened.close());

  const cursors = () => opened.store.selectFrom("cursors").select("chain_id").execute();
  const insert = (store: OpenedStore["store"], chain_id: number) =>
    store.insertInto("cursors").values({ chain_id, next_block: 1 }).execute();

  it("a transaction whose connection breaks: fails with StoreConnectionLostError, and the next query is answered", async () => {
    const sleeping = failureOf(
      opened.store.transaction().execute(async (transaction) => {
        await insert(transaction, 1);
        await sql`select pg_sleep(20)`.execute(transaction);
      }),
    );
    await pause(100);
    await server.cutConnections(url);
    expect(await sleeping).to.be.instanceOf(StoreConnectionLostError);
    expect(await cursors()).to.deep.equal([]);
  });

  it("reads on connections that broke while idle, or during the read: are repeated", async () => {
    await Promise.all(Array.from({ length: 8 }, cursors));
    await server.cutConnections(url);
    expect(await Promise.all(Array.from({ length: 8 }, cursors))).to.have.length(8);
    const sleeping = sql`select pg_sleep(0.5)`.execute(opened.store);
    await pause(100);
    await server.cutConnections(url);
    await sleeping;
  });

  it("transactions on connections that broke before they began: are done once", async () => {
    await Promise.all(Array.from({ length: 8 }, cursors));
    await server.cutConnections(url);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        opened.store.transaction().execute((transaction) => insert(transaction, index)),
      ),
    );
    expect(await cursors()).to.have.length(8);
  });

  it("a server unreachable for half a second: delays reads; for longer: fails them at once and is logged once", async () => {
    const relay = await startRelay(Number(new URL(url).port));
    const direct = new URL(url);
    direct.port = String(relay.port);
    const { close, store } = await openStore(direct.href, { log: (line) => lines.push(line) });
    const read = () => store.selectFrom("cursors").select("chain_id").execute();
    try {
      relay.cut();
      const begun = performance.now();
      const reading = read();
      // A rejection before the await below would end the whole run instead of this test.
      reading.catch(() => undefined);
      await pause(500);
      await relay.restore();
      expect(await reading).to.deep.equal([]);
      expect(performance.now() - begun).to.be.above(400);

      relay.cut();
      expect(await failureOf(read())).to.be.instanceOf(StoreConnectionLostError);
      const again = performance.now();
      const errors = await Promise.all(Array.from({ length: 20 }, () => failureOf(read())));
      expect(performance.now() - again, "no read waits once the outage is long").to.be.below(1_000);
      for (const error of errors) expect(error).to.be.instanceOf(StoreConnectionLostError);
      await relay.restore();
      expect(await read()).to.deep.equal([]);
    } finally {
      await close();
      relay.cut();
    }
    // One line of all connections; the others report the return.
    expect(lines.filter(({ level }) => level === "error")).to.have.length(1);
    expect(lines.at(-1)?.level).to.equal("info");
    expect(inspect(lines)).to.have.length.below(600);
  });
});

/** A way to the server that the test cuts and restores: the restart of a server takes as long as the machine is busy. */
async function startRelay(target: number) {
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other).on("error", () => undefined);
      one.once("close", () => other.destroy());
    }
  });
  const listen = async (port: number) => {
    relay.listen(port, "127.0.0.1");
    await once(relay, "listening");
    return (relay.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    cut: () => {
      relay.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    port,
    restore: () => listen(port),
  };
}
