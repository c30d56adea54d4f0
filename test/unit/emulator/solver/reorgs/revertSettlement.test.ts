import { expect } from "chai";
import { type Hex, keccak256 } from "viem";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { defaultQuoteSettings } from "../../../../../emulator/context/QuoteSettings.ts";
import { noControl } from "../../../../../emulator/control/noControl.ts";
import { revertSettlement } from "../../../../../emulator/solver/reorgs/revertSettlement.ts";
import { recipient } from "../../support/fakeChains.ts";
import { accounts } from "../../support/liveChain.ts";
import {
  depositRow,
  emptyStore,
  noApiKeys,
  orderId,
  requestRow,
  transactionRow,
} from "../../support/requests.ts";

const block: Hex = `0x${"b1".repeat(32)}`;

describe("revertSettlement", () => {
  it("the second of two mined fills: cancels it, and lets the first one stand", async () => {
    const store = await emptyStore();
    const context: Context = {
      accounts,
      adminKey: "",
      apiKeys: noApiKeys,
      chains: new Map(),
      control: noControl,
      log: () => undefined,
      now: () => 5_000,
      quoting: defaultQuoteSettings(),
      random32: () => orderId,
      store,
    };
    const raw = await accounts.solver.account.signTransaction({
      ...{
        chainId: 31338,
        data: orderId,
        gas: 50_000n,
        nonce: 1,
        to: recipient,
        type: "eip1559",
        value: 99n,
      },
      ...{ maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
    });
    await store
      .insertInto("requests")
      .values(requestRow({ status: "success" }))
      .execute();
    await store.insertInto("deposits").values(depositRow()).execute();
    const cancel = transactionRow({ block_hash: block, hash: "0xc1", kind: "cancel", state: "reverted" });
    const first = transactionRow({ block_hash: block, hash: "0xf1", replaced_by: 1, state: "mined" });
    const second = transactionRow({ block_hash: block, hash: keccak256(raw), nonce: 1, raw, state: "mined" });
    for (const row of [cancel, first, second]) await store.insertInto("transactions").values(row).execute();
    const row = await store
      .selectFrom("transactions")
      .selectAll()
      .where("nonce", "=", 1)
      .executeTakeFirstOrThrow();
    const moved = { permits: [], transactions: [{ block: undefined, row }] };
    await store.transaction().execute((transaction) => revertSettlement(transaction, moved, context));
    const rows = await store
      .selectFrom("transactions")
      .select(["kind", "nonce", "replaced_by", "state"])
      .orderBy("id")
      .execute();
    expect(rows).to.deep.equal([
      { kind: "fill", nonce: 0, replaced_by: null, state: "mined" },
      { kind: "fill", nonce: 1, replaced_by: 4, state: "signed" },
      { kind: "cancel", nonce: 1, replaced_by: null, state: "signed" },
    ]);
    expect(await store.selectFrom("requests").select("status").execute()).to.deep.equal([
      { status: "success" },
    ]);
    await store.destroy();
  });
});
