import { expect } from "chai";
import { Hono } from "hono";
import { type Deps, mountRoutes } from "../../../../../../emulator/http/route/Route.ts";
import { transactionsRoutes } from "../../../../../../emulator/http/routes/requests/transactions.ts";
import type { Store } from "../../../../../../emulator/store/tables.ts";

import { testContext } from "../../../support/context.ts";
import { fakeChain } from "../../../support/fakeChains.ts";
import { addRequest, emptyStore, requestId } from "../../../support/requests.ts";

const txHash = `0x${"cd".repeat(32)}`;
const unknownHash = `0x${"ce".repeat(32)}`;

describe("hints of transactions", () => {
  let store: Store;
  before(async () => {
    store = await emptyStore();
    await addRequest(store);
  });

  /** Posts a hint; returns the status and how often the solver was started. */
  async function hint(path: string, body: object): Promise<readonly [status: number, pokes: number]> {
    let pokes = 0;
    const answers = {
      eth_getTransactionByHash: ([hash]: readonly unknown[]) => (hash === txHash ? { hash } : null),
    };
    const context = testContext({
      chains: new Map([[31337, fakeChain(31337, "alpha", { answers })]]),
      store,
    });
    const solver = { wake: () => void pokes++ };
    const app = mountRoutes(new Hono(), transactionsRoutes({ context, solver } as unknown as Deps));
    const headers = { "content-type": "application/json" };
    const { status } = await app.request(path, { body: JSON.stringify(body), headers, method: "POST" });
    return [status, pokes];
  }

  // @spec endpoints/transactions-index
  it("a deposit's transaction: starts a round of the solver at once, with and without its request", async () => {
    for (const body of [
      { chainId: 31337, txHash },
      { chainId: "31337", requestId, txHash },
    ]) {
      expect(await hint("/transactions/index", body)).to.deep.equal([200, 1]);
    }
  });

  // @spec endpoints/transactions-single
  it("a same-chain transaction: starts a round of the solver at once", async () => {
    const body = { chainId: "31337", requestId, tx: JSON.stringify({ txHash }) };
    expect(await hint("/transactions/single", body)).to.deep.equal([200, 1]);
  });

  it("a transaction that its chain does not have: starts no round", async () => {
    const tx = JSON.stringify({ txHash: unknownHash });
    const index = await hint("/transactions/index", { chainId: 31337, txHash: unknownHash });
    const single = await hint("/transactions/single", { chainId: 31337, requestId, tx });
    expect([index, single]).to.deep.equal([
      [404, 0],
      [404, 0],
    ]);
  });
});
