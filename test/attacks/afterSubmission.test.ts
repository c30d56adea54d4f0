import { expect } from "chai";
import { createClient, websocketStream } from "../../src/client/index.ts";
import { type ExecuteProgress, type ExecutionState, execute } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { quickSleep } from "../helpers/quickSleep.ts";
import { requestOf } from "../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../integration/verifyQuote/quoteStage.ts";

/** What `execute` documents as "this call sent nothing". */
const nothingSent = [
  "INVALID_PARAMETER",
  "UNSUPPORTED_STEP",
  "STEP_REJECTED",
  "QUOTE_MISMATCH",
  "CHAIN_MISMATCH",
  "WALLET_FAILED",
  "PAYMENT_CLAIMED",
  "PAYMENT_LIMIT",
];

describe("attack: errors after a submission", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());
  const parameters = () => ({
    publicClient: fixture.alpha.reader,
    timeout: 5_000,
    wallet: fixture.alpha.wallet(0),
  });
  const permissionBalance = () => fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), user());

  const step = (items: readonly object[]) => ({
    action: "a",
    depositAddress: "",
    description: "d",
    id: "deposit",
    items,
    kind: "transaction",
  });
  const item = { data: { to: `0x${"11".repeat(20)}` }, status: "incomplete" };
  for (const [what, steps] of [
    ["300 items in one step", [step(Array.from({ length: 300 }, () => item))]],
    ["an item without data", [step([{ status: "incomplete" }])]],
    ["an item of an unknown status", [step([{ ...item, status: "later" }])]],
    ["17 steps", Array.from({ length: 17 }, () => step([item]))],
  ] as const) {
    it(`a service that takes a permission and appends ${what}: the error says that a payment was submitted, and a resume follows it`, async () => {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true } as never);
      const { policy: verify, quote } = await quoted(request);
      const before = await permissionBalance();
      const hostile = createClient({
        baseUrl: fixture.emulator.info.apiUrl,
        fetch: async (url, init) => {
          const answer = await fetch(url, init);
          if (init?.method !== "POST") return answer;
          return Response.json({ message: "Success", steps });
        },
        sleep: quickSleep,
      });
      let state: ExecutionState | undefined;
      const onProgress = (event: ExecuteProgress) => {
        state = JSON.parse(JSON.stringify(event.state));
      };
      const first = await failureOf(
        execute(hostile, { ...parameters(), onProgress, quote, request, verify }),
      );
      for (let tries = 0; (await permissionBalance()) === before && tries < 50; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect((await permissionBalance()) < before, "the permission was used").to.equal(true);
      paymentLedger.clear();
      const again = await execute(fixture.client, { ...parameters(), quote, request, state, verify }).then(
        ({ status }) => status,
        ({ code }) => code as string,
      );
      const { code, message } = first as { code: string; message: string };
      console.log(code, "|", message.split("\n")[0], "| resumed:", again);
      expect(nothingSent).to.not.include(code);
    }).timeout(30_000);
  }

  it("a stream without a url for a service of one's own: is refused before anything is paid", async () => {
    const request = requestOf(fixture, "ETH", "ETH");
    const { policy: verify, quote } = await quoted(request);
    const before = await fixture.alpha.reader.getTransactionCount({ address: user() });
    const error = await failureOf(
      execute(fixture.client, { ...parameters(), quote, request, stream: websocketStream(), verify }),
    );
    const paid = (await fixture.alpha.reader.getTransactionCount({ address: user() })) - before;
    console.log((error as { code: string }).code, "payments:", paid);
    expect({ isNothingSent: nothingSent.includes((error as { code: string }).code), paid }).to.not.deep.equal(
      {
        isNothingSent: true,
        paid: 1,
      },
    );
  }).timeout(30_000);
});
