import { expect } from "chai";
import { createClient } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../verifyQuote/quoteStage.ts";

describe("execute and steps that are appended to a payment", () => {
  const fixture = useEmulator();
  const { quoted } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  const item = { data: { to: `0x${"11".repeat(20)}` }, status: "incomplete" };
  const stepOf = (...items: readonly object[]) => ({
    action: "a",
    depositAddress: "",
    description: "d",
    id: "deposit",
    items,
    kind: "transaction",
  });
  for (const [what, steps] of [
    ["300 items in one step", [stepOf(...Array.from({ length: 300 }, () => item))]],
    ["an item without data", [stepOf({ status: "incomplete" })]],
    ["17 steps", Array.from({ length: 17 }, () => stepOf(item))],
  ] as const) {
    it(`a service that takes a permission and appends ${what}: the payment is followed, now and by a later process`, async () => {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true } as never);
      const { policy: verify, quote } = await quoted(request);
      const hostile = createClient({
        baseUrl: fixture.emulator.info.apiUrl,
        fetch: async (url, init) => {
          const answer = await fetch(url, init);
          return init?.method === "POST" ? Response.json({ message: "Success", steps }) : answer;
        },
        sleep: quickSleep,
      });
      const { reader } = fixture.alpha;
      const common = { publicClient: reader, quote, request, verify, wallet: fixture.alpha.wallet(0) };
      const { state, status } = await execute(hostile, common);
      expect(status).to.equal("success");
      expect(state.items).to.have.length(1);
      paymentLedger.clear();
      const again = await execute(fixture.client, { ...common, state: JSON.parse(JSON.stringify(state)) });
      expect(again.status).to.equal("success");
    });
  }
});
