import { expect } from "chai";
import type { Hex } from "viem";
import { createClient } from "../../../src/client/index.ts";
import {
  type ExecuteParameters,
  type ExecuteProgress,
  type ExecutionState,
  execute,
  type ItemState,
} from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { requestIdOf } from "../../helpers/quotes/intents.ts";
import { requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../verifyQuote/quoteStage.ts";

type Paid = Pick<ExecuteParameters, "quote" | "request" | "verify">;

describe("execute with an edited state", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  const run = (paid: Paid, more: Partial<ExecuteParameters> = {}) =>
    execute(fixture.client, {
      publicClient: fixture.alpha.reader,
      timeout: 5_000,
      wallet: fixture.alpha.wallet(0),
      ...paid,
      ...more,
    });
  async function payment(more: { sameChain?: boolean } = {}): Promise<Paid> {
    const request = requestOf(fixture, "ETH", more.sameChain ? "USDC" : "ETH", more);
    const { policy: verify, quote } = await quoted(request);
    return { quote, request, verify };
  }
  const nonceNow = () => fixture.alpha.reader.getTransactionCount({ address: user() });
  const stateOf = ({ quote }: Paid, ...items: Partial<ItemState>[]) =>
    ({ appendedSteps: [], items, requestId: requestIdOf(quote), version: 1 }) as unknown as ExecutionState;
  /** The entry of a run that was stopped after it had signed. Its bytes were never sent. */
  async function signedOnly(paid: Paid): Promise<ItemState> {
    let entry: ItemState | undefined;
    const onProgress = ({ state }: ExecuteProgress) => {
      entry = structuredClone(state.items[0]);
      if (entry?.raw !== undefined) throw new Error("stopped");
    };
    expect(await failureOf(run(paid, { onProgress }))).to.include({ message: "stopped" });
    // Another process resumes.
    paymentLedger.clear();
    return entry as ItemState;
  }
  /** Expects that the state is refused by name, and that nothing is sent. */
  async function expectRefused(paid: Paid, ...items: Partial<ItemState>[]): Promise<void> {
    const before = await nonceNow();
    const error = await failureOf(run(paid, { state: stateOf(paid, ...items) }));
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "state.items" });
    expect(await nonceNow()).to.equal(before);
  }

  it("signed bytes of another quote: are not sent, under their hash or that of a mined payment", async () => {
    const { originReceipts } = await run(await payment());
    const entry = await signedOnly(await payment());
    const paid = await payment();
    await expectRefused(paid, entry);
    await expectRefused(paid, { ...entry, txHash: originReceipts[0]?.transactionHash as Hex });
  });

  it("signed bytes with another hash or nonce, without a hash, cut, or of another account: are not sent", async () => {
    const paid = await payment();
    const entry = await signedOnly(paid);
    const nonce = (entry.nonce ?? 0) + 1;
    const { txHash: _, ...bare } = entry;
    for (const changed of [bare, { ...entry, nonce }, { ...entry, raw: entry.raw?.slice(0, -2) as Hex }]) {
      await expectRefused(paid, changed);
    }
    const stranger = fixture.alpha.wallet(5);
    const state = stateOf(paid, entry);
    const error = await failureOf(run({ ...paid, verify: false }, { state, wallet: stranger }));
    expect(error).to.have.property("code", "INVALID_PARAMETER");
    expect(await run(paid, { state })).to.have.property("status", "success");
  });

  it("signed bytes of a guarded swap: are sent by a later run, and paid once", async () => {
    const paid = await payment({ sameChain: true });
    const before = await nonceNow();
    const entry = await signedOnly(paid);
    const { originReceipts } = await run(paid, { state: stateOf(paid, entry) });
    expect(originReceipts.map(({ transactionHash }) => transactionHash)).to.deep.equal([entry.txHash]);
    expect((await nonceNow()) - before).to.equal(1);
  });

  it("a hash of another transaction of the account: does not count as the payment, and nothing is sent", async () => {
    const { originReceipts } = await run(await payment());
    const paid = await payment();
    const before = await nonceNow();
    const txHash = originReceipts[0]?.transactionHash as Hex;
    const state = stateOf(paid, { itemIndex: 0, status: "sent", stepIndex: 0, txHash });
    expect(await failureOf(run(paid, { state }))).to.include({ code: "PAYMENT_UNSETTLED", txHash });
    expect(await nonceNow()).to.equal(before);
  });

  it("an entry that is sent or signed without saying what: is refused, as an open outcome", async () => {
    const paid = await payment();
    const signature: Hex = `0x${"11".repeat(65)}`;
    for (const entry of [
      { status: "sent" },
      { status: "signed" },
      { signature, status: "signed" },
    ] as const) {
      await expectRefused(paid, { itemIndex: 0, stepIndex: 0, ...entry });
    }
  });

  it("two entries of one item, whose nonces would count twice: are refused", async () => {
    const paid = await payment();
    const entry = await signedOnly(paid);
    await expectRefused(paid, entry, entry);
  });

  it("an entry of no item: is refused, and the payment may still be made", async () => {
    const paid = await payment();
    for (const position of [
      { itemIndex: 9, stepIndex: 99 },
      { itemIndex: 1, stepIndex: 0 },
    ]) {
      await expectRefused(paid, { status: "complete", ...position });
    }
    expect(await run(paid)).to.have.property("status", "success");
  });
});

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
