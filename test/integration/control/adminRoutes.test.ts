import { expect } from "chai";
import fc from "fast-check";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { admin } from "../../helpers/requests/requestRun.ts";

describe("the control over HTTP", () => {
  let routes: readonly (readonly [method: string, path: string])[];
  const fixture = useEmulator({ reorgs: true, seed: "routes" });
  before(async () => {
    const chain = `/chains/${fixture.alpha.info.id}`;
    routes = [
      ...(["GET", "POST", "DELETE"] as const).map((method) => [method, "/faults"] as const),
      ["DELETE", "/faults/fault-1"],
      ["GET", "/log"],
      ["GET", "/clock"],
      ["POST", "/clock"],
      ["GET", "/config"],
      ["PATCH", "/config"],
      ["GET", "/prices"],
      ["PATCH", "/prices"],
      ["POST", "/prices/repeg"],
      ["GET", "/balances"],
      ["PUT", "/balances"],
      ["GET", `${chain}/health`],
      ["PATCH", `${chain}/health`],
      ["POST", `${chain}/reorg`],
      ["GET", "/keys"],
      ["POST", "/keys"],
      ["DELETE", "/keys/0"],
      ["POST", "/reset"],
      ["GET", "/snapshots"],
      ["POST", "/snapshots"],
      ["POST", "/snapshots/snapshot-1/restore"],
    ];
  });
  beforeEach(() => fixture.emulator.control.reset());

  const call = (method: string, path: string, body?: unknown) => admin(fixture, method, path, body);

  it("every route without the admin key is rejected and has no effect", async () => {
    const { apiUrl } = fixture.emulator.info;
    for (const [method, path] of routes) {
      const answer = await fetch(`${apiUrl}/admin${path}`, {
        ...(method !== "GET" && { body: "{}" }),
        headers: { "x-admin-key": "nonsense" },
        method,
      });
      expect(answer.status, `${method} ${path}`).to.equal(401);
    }
    expect((await call("GET", "/snapshots")).body).to.deep.equal({ snapshots: [] });
  });

  it("arbitrary requests to the admin routes never answer with a 5xx", async function () {
    this.timeout(120_000);
    const { adminKey, apiUrl } = fixture.emulator.info;
    const words = [
      "kind",
      "fill-fails",
      "path",
      "/*",
      "count",
      "set",
      "advance",
      "amount",
      "blocks",
      "chainId",
    ];
    const json = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...words), fc.oneof(fc.jsonValue(), fc.constantFrom(...words))),
    );
    const body = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string({ maxLength: 50 }),
    );
    const property = fc.asyncProperty(fc.constantFrom(...routes), body, async ([method, path], sent) => {
      const answer = await fetch(`${apiUrl}/admin${path}`, {
        ...(method !== "GET" && { body: sent }),
        headers: { "x-admin-key": adminKey },
        method,
      });
      expect(answer.status, `${method} ${path} ${sent}: ${await answer.text()}`).to.be.below(500);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
