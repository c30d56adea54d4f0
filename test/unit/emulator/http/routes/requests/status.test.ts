import { expect } from "chai";
import { Hono } from "hono";
import { type Deps, mountRoutes } from "../../../../../../emulator/http/route/Route.ts";
import { statusRoutes } from "../../../../../../emulator/http/routes/requests/status.ts";
import { testContext } from "../../../support/context.ts";
import { addRequest, emptyStore, requestId } from "../../../support/requests.ts";

describe("statuses of requests", () => {
  for (const [status, second, legacy] of [
    ["waiting", "waiting", "received"],
    ["depositing", "depositing", "received"],
    ["pending", "pending", "pending"],
    ["submitted", "pending", "pending"],
    ["success", "success", "success"],
    ["failure", "failure", "failure"],
    ["refund", "refund", "fallback"],
  ] as const) {
    // @spec status/fields status-request/legacy state/all
    it(`${status}: is ${second} in version 2 and ${legacy} in the legacy form, with the chains`, async () => {
      const store = await emptyStore();
      await addRequest(store, { status });
      const app = mountRoutes(new Hono(), statusRoutes({ context: testContext({ store }) } as Deps));
      const shown = [];
      for (const version of ["/v3", "/v2", ""]) {
        const answer = await app.request(`/intents/status${version}?requestId=${requestId}`);
        const body = (await answer.json()) as Record<string, unknown>;
        expect(body).to.include({ destinationChainId: 31338, originChainId: 31337 });
        expect(body).to.deep.include({ inTxHashes: [], txHashes: [] });
        shown.push(body.status);
      }
      expect(shown).to.deep.equal([status, second, legacy]);
    });
  }
});
