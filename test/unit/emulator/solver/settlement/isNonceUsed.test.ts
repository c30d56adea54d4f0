import { expect } from "chai";
import { createPublicClient, custom, type Hex, type PublicClient } from "viem";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import { isNonceUsed } from "../../../../../emulator/solver/settlement/isNonceUsed.ts";
import type { TransactionRow } from "../../../../../emulator/store/tables.ts";
import { fakeChain } from "../../support/fakeChains.ts";
import { depositId, depositRow, emptyStore, requestRow, transactionRow } from "../../support/requests.ts";

const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const [fill, cancel, block, elsewhere] = [hashOf("f1"), hashOf("c1"), hashOf("b1"), hashOf("b2")];

type Mined = { readonly hash: Hex; readonly blockHash?: Hex; readonly isSuccessful?: boolean };

describe("isNonceUsed", () => {
  /** Whether they are used up, by what is stored and what the chain has. */
  async function ask(row: Partial<TransactionRow> | undefined, mined: Mined | undefined): Promise<boolean> {
    const store = await emptyStore();
    try {
      await store.insertInto("requests").values(requestRow()).execute();
      await store.insertInto("deposits").values(depositRow()).execute();
      if (row !== undefined) {
        const values = transactionRow({ block_hash: block, hash: fill, ...row });
        const { id } = await store
          .insertInto("transactions")
          .values(values)
          .returning("id")
          .executeTakeFirstOrThrow();
        if (row.kind === "cancel") {
          const replaced = transactionRow({ hash: fill, replaced_by: id });
          await store.insertInto("transactions").values(replaced).execute();
        }
      }
      return await isNonceUsed(depositId, { chains: new Map([[31338, chainWith(mined)]]), store });
    } finally {
      await store.destroy();
    }
  }
  function chainWith(mined: Mined | undefined): Chain {
    const request = async ({ method, params }: { method: string; params?: unknown }) => {
      expect(method).to.equal("eth_getTransactionReceipt");
      const [hash] = params as [Hex];
      if (hash !== mined?.hash) return null;
      const { blockHash = block, isSuccessful = false } = mined;
      return {
        blockHash,
        blockNumber: "0x1",
        logs: [],
        status: isSuccessful ? "0x1" : "0x0",
        transactionHash: hash,
      };
    };
    const client = createPublicClient({ transport: custom({ request }) }) as PublicClient;
    return { ...fakeChain(31338, "beta"), client };
  }

  it("is true without a fill, and for a fill that reverted in a block that the chain still has", async () => {
    expect(await ask(undefined, undefined)).to.equal(true);
    expect(await ask({ state: "reverted" }, { hash: fill })).to.equal(true);
  });

  it("is false for a reverted fill that a reorg removed, moved to another block, or made pay", async () => {
    expect(await ask({ state: "reverted" }, undefined)).to.equal(false);
    expect(await ask({ state: "reverted" }, { blockHash: elsewhere, hash: fill })).to.equal(false);
    expect(await ask({ state: "reverted" }, { hash: fill, isSuccessful: true })).to.equal(false);
  });

  it("is false for a fill that is pending, or has paid", async () => {
    expect(await ask({ state: "signed" }, undefined)).to.equal(false);
    expect(await ask({ state: "mined" }, { hash: fill, isSuccessful: true })).to.equal(false);
  });

  it("is true for a cancelled fill once the cancel, or the fill in its place, is mined without paying", async () => {
    const cancels = { hash: cancel, kind: "cancel" } as const;
    expect(await ask({ ...cancels, state: "signed" }, undefined)).to.equal(false);
    expect(await ask({ ...cancels, state: "mined" }, { hash: cancel, isSuccessful: true })).to.equal(true);
    expect(await ask({ ...cancels, state: "reverted" }, { hash: fill })).to.equal(true);
    expect(await ask({ ...cancels, state: "mined" }, undefined)).to.equal(false);
    expect(await ask({ ...cancels, state: "reverted" }, { hash: fill, isSuccessful: true })).to.equal(false);
  });
});
