import { expect } from "chai";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { createClient, getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { signatureOf } from "../../helpers/quotes/permits.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../verifyQuote/quoteStage.ts";

/** A11. The service keeps the permission, says that it refused it, and shows the same order again. */
describe("attack: one order, two permissions", () => {
  const fixture = useEmulator();
  void quoteStage;

  it("A11: signs one permission for an order, whatever the service answers", async () => {
    const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
    const quote = structuredClone(await getQuote(fixture.client, request));
    const verify = policyOf(fixture, quote);
    const kept: { nonce: unknown; signature: string | null }[] = [];
    let current = quote;
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async (url, init) => {
        if (!url.includes("/execute/permits")) return fetch(url, init);
        kept.push({ nonce: signatureOf(current).sign.value.nonce, signature: new URL(url).searchParams.get("signature") });
        return Response.json({ message: "try again" }, { status: 400 });
      },
      sleep: quickSleep,
    });
    const run = (each: typeof quote) =>
      failureOf(execute(client, { publicClient: fixture.alpha.reader, quote: each, request, timeout: 5_000, verify, wallet: fixture.alpha.wallet(0) }));
    const first = await run(quote);
    // The same signed order under another request id: another nonce.
    const again = structuredClone(quote);
    const old = quote.steps[0]!.requestId as string;
    const fresh = `0x${"5a".repeat(32)}`;
    for (const step of again.steps) step.requestId = fresh;
    const text = JSON.stringify(again).replaceAll(old, fresh).replaceAll(old.slice(2), fresh.slice(2));
    current = JSON.parse(text);
    const differences = await findQuoteMismatches({ ...verify, quote: current, request });
    for (const { expected, path } of differences) {
      console.log(path, expected);
      if (path.endsWith("sign.value.nonce")) signatureOf(current).sign.value.nonce = expected as never;
    }
    const second = await run(current);
    console.log((first as any).code, (second as any).code, kept);
    expect(new Set(kept.map(({ signature }) => signature)).size).to.equal(1);
  });

  it("A11: an item that is 'notDone' has paid nothing", async () => {
    const { alpha } = fixture;
    const usdc = alpha.currency("USDC");
    const user = alpha.wallet(0).account.address;
    const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async (url, init) => {
        if (!url.includes("/execute/permits")) return fetch(url, init);
        // Uses the permission at the honest service, and says that it was refused.
        await fetch(url, init);
        return Response.json({ message: "try again" }, { status: 400 });
      },
      sleep: quickSleep,
    });
    const before = await alpha.balanceOf(usdc, user);
    const phases: string[] = [];
    const saved: number[] = [];
    for (let time = 0; time < 2; time++) {
      const quote = await getQuote(fixture.client, request);
      await failureOf(
        execute(client, {
          onProgress: (progress) => { if (progress.type === "item") { phases.push(progress.phase); saved.push(progress.state.items.length); } },
          publicClient: alpha.reader, quote, request, timeout: 5_000, verify: policyOf(fixture, quote), wallet: alpha.wallet(0),
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 3_000));
    }
    const paid = before - (await alpha.balanceOf(usdc, user));
    console.log({ asked: request.amount, paid, phases: phases.join(), saved: saved.join() });
    expect(paid <= BigInt(request.amount)).to.equal(true);
  }).timeout(30_000);
});
