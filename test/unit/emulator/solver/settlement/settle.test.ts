import { expect } from "chai";
import { createPublicClient, custom, type Hex, keccak256, type PublicClient } from "viem";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { defaultQuoteSettings } from "../../../../../emulator/context/QuoteSettings.ts";
import { noControl } from "../../../../../emulator/control/noControl.ts";
import { cancel } from "../../../../../emulator/solver/settlement/cancel.ts";
import { createReceiptPolls, settleAll } from "../../../../../emulator/solver/settlement/settle.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import { fakeChain, recipient } from "../../support/fakeChains.ts";
import { accounts } from "../../support/liveChain.ts";
import {
  depositRow,
  emptyStore,
  noApiKeys,
  orderId,
  requestRow,
  transactionRow,
} from "../../support/requests.ts";

const chainId = 31338;
const block: Hex = `0x${"b1".repeat(32)}`;

describe("settleAll", () => {
  let store: Store;
  let fill: { readonly hash: Hex; readonly raw: Hex };
  before(async () => {
    const call = { data: orderId, gas: 50_000n, to: recipient, value: 99n };
    const fees = { maxFeePerGas: 3n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
    const raw = await accounts.solver.account.signTransaction({
      ...{ ...call, ...fees, chainId, nonce: 0, type: "eip1559" },
    });
    fill = { hash: keccak256(raw), raw };
  });
  beforeEach(async () => {
    store = await emptyStore();
    await store
      .insertInto("requests")
      .values(requestRow({ status: "submitted" }))
      .execute();
    await store.insertInto("deposits").values(depositRow()).execute();
    await store.insertInto("transactions").values(transactionRow(fill)).execute();
  });
  afterEach(() => store.destroy());

  /** Settles on a chain whose block 7 holds the fill; something happens while the node answers. */
  async function settle(isSuccessful: boolean, meanwhile: () => Promise<unknown> = async () => undefined) {
    const chain = chainWith(isSuccessful, meanwhile);
    const context: Context = {
      accounts,
      adminKey: "",
      apiKeys: noApiKeys,
      chains: new Map([[chainId, chain]]),
      control: noControl,
      log: () => undefined,
      now: () => 5_000,
      quoting: defaultQuoteSettings(),
      random32: () => fill.hash,
      store,
    };
    await settleAll(chain, context, createReceiptPolls());
  }
  function chainWith(isSuccessful: boolean, meanwhile: () => Promise<unknown>): Chain {
    const answers: Readonly<Record<string, () => unknown>> = {
      eth_call: () => "0x",
      eth_getTransactionReceipt: async () => {
        await meanwhile();
        return {
          blockHash: block,
          blockNumber: "0x7",
          effectiveGasPrice: "0x1",
          from: accounts.solver.account.address,
          gasUsed: "0x5208",
          logs: [],
          status: isSuccessful ? "0x1" : "0x0",
          transactionHash: fill.hash,
        };
      },
      eth_sendRawTransaction: () => fill.hash,
    };
    const request = async ({ method }: { method: string }) => answers[method]?.();
    const base = fakeChain(chainId, "beta");
    const client = createPublicClient({ transport: custom({ request }) }) as PublicClient;
    return { ...base, client, head: () => ({ ...base.head(), hash: block, number: 7n }) };
  }
  const rows = () =>
    store.selectFrom("transactions").select(["kind", "state", "block_hash"]).orderBy("id").execute();
  const triggers = async () =>
    (await store.selectFrom("events").select("trigger").orderBy("seq").execute()).map(
      ({ trigger }) => trigger,
    );

  it("a mined fill: records its block and the request's success", async () => {
    await settle(true);
    expect(await rows()).to.deep.equal([{ block_hash: block, kind: "fill", state: "mined" }]);
    expect(await triggers()).to.deep.equal(["fill-succeeded"]);
  });

  it("a receipt of a block that the search replaced: waits for the one in its place", async () => {
    const values = { chain_id: chainId, hash: `0x${"b2".repeat(32)}`, number: 7 };
    await store.insertInto("blocks").values(values).execute();
    await settle(true);
    expect(await rows()).to.deep.equal([{ block_hash: null, kind: "fill", state: "signed" }]);
    await store.updateTable("blocks").set({ hash: block }).execute();
    await settle(true);
    expect(await rows()).to.deep.equal([{ block_hash: block, kind: "fill", state: "mined" }]);
  });

  it("a fill that another process replaces meanwhile: leaves it, and plans no second refund", async () => {
    // The other process saw the fill revert, signed the refund, and then saw a reorg take the fill out of its block.
    await settle(false, () =>
      store.transaction().execute(async (transaction) => {
        const [row] = await transaction.selectFrom("transactions").selectAll().execute();
        if (row === undefined) throw new Error("no fill is stored");
        await cancel(transaction, row, { accounts });
        const refund = transactionRow({ chain_id: 31337, hash: "0xf2", kind: "refund" });
        await transaction.insertInto("transactions").values(refund).execute();
        await transaction.updateTable("deposits").set({ outcome: "refused" }).execute();
        await transaction.updateTable("requests").set({ status: "pending" }).execute();
      }),
    );
    const deposit = await store.selectFrom("deposits").select(["outcome", "todo"]).executeTakeFirst();
    expect(deposit).to.deep.equal({ outcome: "refused", todo: null });
    expect(await rows()).to.deep.equal([
      { block_hash: null, kind: "fill", state: "signed" },
      { block_hash: null, kind: "cancel", state: "signed" },
      { block_hash: null, kind: "refund", state: "signed" },
    ]);
    expect(await triggers()).to.deep.equal([]);
  });
});
