import { expect } from "chai";
import { BrowserProvider } from "ethers";
import { createWalletClient, custom, fallback, type WalletClient } from "viem";
import { createClient, type Quote } from "../../../src/client/index.ts";
import { AbortedError } from "../../../src/errors/AbortedError.ts";
import {
  type ExecuteParameters,
  type ExecuteProgress,
  type ExecutionState,
  execute,
} from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import { requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { moneyOf } from "../verifyQuote/hostileQuotes.ts";
import { quoteStage } from "../verifyQuote/quoteStage.ts";

type Form = { more: object; policy?: object; from: "ETH" | "USDC" };

/** Each form of a payment, with its request. */
const forms: Readonly<Record<string, Form>> = {
  "a deposit of an order": { from: "ETH", more: {} },
  "a deposit of an order after an approval": { from: "USDC", more: {} },
  "a permission for an order": { from: "USDC", more: { usePermit: true } },
  "a same-chain payment": { from: "ETH", more: { sameChain: true } },
};

describe("execute and one payment that is asked for again", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  type Paid = Pick<ExecuteParameters, "quote" | "request" | "verify">;
  const run = (paid: Paid, more: Partial<ExecuteParameters> = {}) =>
    execute(fixture.client, {
      publicClient: fixture.alpha.reader,
      timeout: 5_000,
      wallet: fixture.alpha.wallet(0),
      ...paid,
      ...more,
    });
  async function payment({ from, more, policy = {} }: Form): Promise<Paid> {
    const to = "sameChain" in more ? "USDC" : from;
    const request = requestOf(fixture, from, to, more);
    const made = await quoted(request);
    return { quote: made.quote, request, verify: { ...made.policy, ...policy } };
  }
  const money = async () => [await moneyOf(fixture.alpha, user()), await moneyOf(fixture.beta, recipient)];
  const nonceNow = () => fixture.alpha.reader.getTransactionCount({ address: user() });
  /** Every state that a run reports. */
  function recorder() {
    const states: ExecutionState[] = [];
    return { onProgress: ({ state }: ExecuteProgress) => void states.push(structuredClone(state)), states };
  }

  for (const [name, form] of Object.entries(forms)) {
    it(`P7: ${name}, with every earlier state of its run: nothing is paid again`, async () => {
      const paid = await payment(form);
      const { onProgress, states } = recorder();
      await run(paid, { onProgress });
      const before = await money();
      const first = { ...(states[0] as ExecutionState), items: [] };
      for (const state of [first, ...states]) await run(paid, { state });
      expect(await money()).to.deep.equal(before);
      expect(await failureOf(run(paid))).to.have.property("code", "PAYMENT_CLAIMED");
      expect(await money()).to.deep.equal(before);
    });

    it(`P7: ${name}, by two runs and by two resumes at once: is paid once, and the other signs nothing`, async () => {
      const empty = (quote: Quote): ExecutionState => ({
        appendedSteps: [],
        items: [],
        requestId: quote.steps[0]?.requestId as never,
        version: 1,
      });
      for (const isResumed of [false, true]) {
        const paid = await payment(form);
        const signed: string[] = [];
        const before = await nonceNow();
        const runs = [0, 1].map((index) =>
          run(paid, {
            onProgress: (event) => {
              if (event.type === "item") signed[index] = event.phase;
            },
            state: isResumed ? empty(paid.quote) : undefined,
          }),
        );
        const ends = await Promise.allSettled(runs);
        expect(ends.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
        const index = ends.findIndex(({ status }) => status === "rejected");
        expect(ends[index]).to.have.nested.property("reason.code", "PAYMENT_CLAIMED");
        expect(signed[index]).to.equal(undefined);
        const transactions = paid.quote.steps.filter(({ kind }) => kind === "transaction").length;
        expect((await nonceNow()) - before).to.equal(transactions);
      }
    });
  }

  it("P7: a payment under a request id is paid once, whatever state is given", async () => {
    const paid = await payment({ from: "ETH", more: {} });
    const quote = structuredClone(paid.quote);
    // Without its order, a payment has its request id alone.
    delete (quote as { protocol?: unknown }).protocol;
    const unproven = { quote, verify: false } as const;
    const { state } = await run(unproven);
    const before = await money();
    expect(await run(unproven, { state: { ...state, items: [] } })).to.have.property("status", "success");
    expect(await failureOf(run(unproven))).to.have.property("code", "PAYMENT_CLAIMED");
    expect(await money()).to.deep.equal(before);
  });

  it("P7: a permission that the service takes and answers with 400: is open, and no other one is signed", async () => {
    const paid = await payment(forms["a permission for an order"] as Form);
    const before = await money();
    let signatures = 0;
    const { account } = fixture.alpha.wallet(0);
    const counting = {
      ...account,
      signTypedData: (data: never) => {
        signatures++;
        return account.signTypedData(data);
      },
    };
    const { request } = fixture.alpha.reader;
    const wallet: WalletClient = createWalletClient({
      account: counting as never,
      transport: custom({ request }),
    });
    const taking = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (init?.method !== "POST") return answer;
        return new Response(JSON.stringify({ message: "invalid signature" }), { status: 400 });
      },
    });
    const { onProgress, states } = recorder();
    const parameters = { publicClient: fixture.alpha.reader, timeout: 5_000, wallet, ...paid };
    const error = await failureOf(execute(taking, { onProgress, ...parameters }));
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    expect((error as Error).message).to.not.match(/nothing was sent/i);
    // Without its state, the process still knows the signature, and follows it.
    await execute(fixture.client, parameters);
    await execute(fixture.client, { ...parameters, state: states.at(-1) });
    expect(signatures).to.equal(1);
    expect((await money())[0]?.[1]).to.equal(
      (before[0]?.[1] ?? 0n) - BigInt(paid.quote.details.currencyIn.amount),
    );
  });

  it("P7: a run whose state could not be saved: a later one sends the bytes that were signed", async () => {
    const paid = await payment(forms["a deposit of an order"] as Form);
    const raws: (string | undefined)[] = [];
    const onProgress = ({ state }: ExecuteProgress) => {
      raws.push(state.items[0]?.raw);
      throw new Error("the disk is full");
    };
    const before = await nonceNow();
    expect(await failureOf(run(paid, { onProgress }))).to.include({ message: "the disk is full" });
    expect(await nonceNow()).to.equal(before);
    const { originReceipts } = await run(paid);
    const [receipt] = originReceipts;
    const sent = await fixture.alpha.reader.getTransaction({ hash: receipt?.transactionHash ?? "0x" });
    expect(sent.nonce).to.equal(before);
    expect(raws).to.have.length(1);
    expect(await nonceNow()).to.equal(before + 1);
  });

  it("P7: after a person's no or an abort before a signature, the payment may be made", async () => {
    const paid = await payment(forms["a deposit of an order"] as Form);
    const { request } = fixture.alpha.reader;
    const refusing = async (call: { method: string; params?: unknown }) => {
      if (call.method === "eth_sendTransaction") throw Object.assign(new Error("no"), { code: 4001 });
      return request(call as never);
    };
    const wallet = createWalletClient({
      account: user(),
      transport: custom({ request: refusing }, { retryCount: 0 }),
    });
    expect(await failureOf(run(paid, { wallet }))).to.include({ code: "WALLET_FAILED", userRejected: true });
    expect(await failureOf(run(paid, { signal: AbortSignal.abort() }))).to.have.property("code", "ABORTED");
    expect(await run(paid)).to.have.property("status", "success");
  });

  type Call = { method: string; params?: unknown };
  const node = (call: Call): Promise<unknown> => fixture.alpha.reader.request(call as never);
  /** The user's wallet, which sends and then fails with this error. */
  const failing = (error: unknown) => async (call: Call) => {
    const answer = await node(call);
    if (call.method === "eth_sendTransaction") throw error;
    return answer;
  };
  const remote = (request: (call: Call) => Promise<unknown>) =>
    createWalletClient({ account: user(), transport: custom({ request }, { retryCount: 0 }) });
  const deposit = () => payment(forms["a deposit of an order"] as Form);
  /** Runs with a wallet whose answer is lost, and again without its state: the first leaves it open, and one is paid. */
  async function expectOpen(wallet: ExecuteParameters["wallet"]): Promise<void> {
    const paid = await deposit();
    const before = await nonceNow();
    expect(await failureOf(run(paid, { wallet }))).to.have.property("code", "PAYMENT_UNSETTLED");
    await run(paid).catch(() => undefined);
    expect((await nonceNow()) - before).to.equal(1);
  }

  for (const code of [4001, 4100, 4200, 5750]) {
    it(`a wallet that sent, then fails with -32603 because of a ${code}: is open and paid once, with either library`, async () => {
      const cause = Object.assign(new Error("a later call of the wallet"), { code });
      const request = failing(Object.assign(new Error("internal", { cause }), { code: -32603 }));
      await expectOpen(remote(request));
      await expectOpen((await new BrowserProvider({ request }).getSigner(user())) as never);
    });
  }

  it("a wallet that sent, then throws an AbortedError of its own: is open and paid once, with either library", async () => {
    const aborted = new AbortedError({ operation: "waiting for the custodian" });
    const request = failing(aborted);
    await expectOpen(remote(request));
    await expectOpen(await new BrowserProvider({ request }).getSigner(user()));
  });

  it("a json-rpc account over a fallback transport: is refused by name, and neither transport is asked to send", async () => {
    const asked: string[] = [];
    const request = async (call: Call) => {
      asked.push(call.method);
      return node(call);
    };
    const transport = fallback([custom({ request }), custom({ request })]);
    const paid = await deposit();
    const remoteError = await failureOf(
      run(paid, { wallet: createWalletClient({ account: user(), transport }) }),
    );
    expect(remoteError).to.include({ code: "INVALID_PARAMETER", parameter: "wallet" });
    expect(asked).to.not.include("eth_sendTransaction");
    // Signed bytes are one payment, however often they are sent.
    const { account } = fixture.alpha.wallet(0);
    await run(paid, { wallet: createWalletClient({ account, transport }) });
  });

  it("a payment, then a run of a client whose clock is ten days ahead: the payment is still known", async () => {
    const paid = await deposit();
    await run(paid);
    const before = await nonceNow();
    const ahead = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      now: () => Date.now() + 864_000_000,
      sleep: quickSleep,
    });
    const parameters = { publicClient: fixture.alpha.reader, wallet: fixture.alpha.wallet(0) };
    const late = await failureOf(execute(ahead, { ...(await deposit()), ...parameters }));
    expect(late).to.have.property("code", "QUOTE_DEADLINE");
    expect(await failureOf(run(paid))).to.have.property("code", "PAYMENT_CLAIMED");
    expect(await nonceNow()).to.equal(before);
  });
});
