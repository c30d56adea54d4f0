import { expect } from "chai";
import { type Hex, type PublicClient, TransactionNotFoundError } from "viem";
import type { SignedItem } from "../../../../cli/execution/ExecutionFile.ts";
import { type RecoverSignedParameters, recoverSigned } from "../../../../cli/execution/recoverSigned.ts";
import type { ItemState } from "../../../../src/execute/ExecutionState.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

const account = `0x${"01".repeat(20)}` as const;
const hash = `0x${"aa".repeat(32)}` as const;
const raw = "0xf8";
const signed: SignedItem = { hash, itemIndex: 0, nonce: 7, raw, stepIndex: 0 };
const deadline = 2_000_000_000;
const now = (deadline - 3_600) * 1_000;

type Node = { has?: boolean; nonce?: number; refuses?: boolean };

/** A node of the test, and the raw transactions that it got. */
function nodeOf({ has = false, nonce = 7, refuses = false }: Node): { got: Hex[]; node: PublicClient } {
  const got: Hex[] = [];
  const node = {
    getTransaction: async () => {
      if (!has) throw new TransactionNotFoundError({ hash });
      return {};
    },
    getTransactionCount: async () => nonce,
    sendRawTransaction: async ({ serializedTransaction }: { serializedTransaction: Hex }) => {
      if (refuses) throw new Error("nonce too low");
      got.push(serializedTransaction);
    },
  };
  return { got, node: node as unknown as PublicClient };
}

const recover = (
  item: Omit<ItemState, "itemIndex" | "stepIndex">,
  node: PublicClient,
  more: Partial<RecoverSignedParameters> = {},
) =>
  recoverSigned({
    account,
    node,
    now,
    quote: {
      protocol: { v2: { orderData: { output: { deadline } } } },
      steps: [{ items: [{}], kind: "transaction" }],
    } as never,
    signed: [signed],
    state: {
      appendedSteps: [],
      items: [{ itemIndex: 0, stepIndex: 0, ...item }],
      requestId: hash,
      version: 1,
    },
    ...more,
  });

describe("recoverSigned", () => {
  it("an item that was being sent, without a signed transaction: was never sent, and is done again", async () => {
    const { got, node } = nodeOf({});
    expect((await recover({ status: "sending" }, node, { signed: [] })).items).to.deep.equal([]);
    expect(got).to.deep.equal([]);
  });

  it("a signed transaction that no node has: is sent again, the same bytes", async () => {
    const { got, node } = nodeOf({});
    const { items } = await recover({ fromBlock: 3, status: "sending" }, node);
    expect(got).to.deep.equal([raw]);
    expect(items).to.deep.equal([
      { fromBlock: 3, itemIndex: 0, nonce: 7, status: "sent", stepIndex: 0, txHash: hash },
    ]);
  });

  it("a signed transaction that the node has: is awaited, and not sent again", async () => {
    for (const status of ["sending", "sent"] as const) {
      const { got, node } = nodeOf({ has: true });
      const { items } = await recover({ status }, node);
      expect(items[0]).to.include({ nonce: 7, status: "sent", txHash: hash });
      expect(got).to.deep.equal([]);
    }
  });

  it("a nonce that another transaction used: nothing is sent, and the nonce is followed", async () => {
    const { got, node } = nodeOf({ nonce: 8 });
    expect((await recover({ status: "sent", txHash: hash }, node)).items[0]).to.include({
      nonce: 7,
      status: "sent",
    });
    expect(got).to.deep.equal([]);
  });

  it("a signed transaction whose order expires within a minute: is refused and not sent", async () => {
    const { got, node } = nodeOf({});
    const late = (deadline - 60) * 1_000;
    expect(await failureOf(recover({ status: "sending" }, node, { now: late }))).to.include({
      code: "SIGNED_TRANSACTION_EXPIRED",
      exitCode: 1,
    });
    expect(got).to.deep.equal([]);
  });

  it("a complete item whose transaction a reorganisation took back: the same bytes are sent again and awaited", async () => {
    for (const txHash of [hash, `0x${"bb".repeat(32)}`] as const) {
      const { got, node } = nodeOf({});
      const { items } = await recover({ status: "complete", txHash }, node);
      expect(got).to.deep.equal([raw]);
      expect(items).to.deep.equal([{ itemIndex: 0, nonce: 7, status: "sent", stepIndex: 0, txHash: hash }]);
    }
  });

  it("a complete item that the node has, or whose nonce is used: stays complete, and nothing is sent", async () => {
    for (const known of [{ has: true }, { nonce: 8 }]) {
      const { got, node } = nodeOf(known);
      expect((await recover({ status: "complete", txHash: hash }, node)).items[0]).to.include({
        status: "complete",
        txHash: hash,
      });
      expect(got).to.deep.equal([]);
    }
  });

  it("a node that refuses the transaction: ends the run and keeps the state", async () => {
    const { node } = nodeOf({ refuses: true });
    expect(await failureOf(recover({ status: "sending" }, node))).to.include({
      code: "SIGNED_TRANSACTION_REFUSED",
      exitCode: 1,
    });
  });

  it("a node that does not answer: ends the run with exit code 3, and sends nothing", async () => {
    const { got, node } = nodeOf({});
    const silent = {
      ...node,
      getTransaction: async () => {
        throw new Error("timeout");
      },
    } as unknown as PublicClient;
    expect(await failureOf(recover({ status: "sending" }, silent))).to.include({ exitCode: 3 });
    expect(got).to.deep.equal([]);
  });

  it("items that are complete, and a signature that was being submitted: stay as they are", async () => {
    const { node } = nodeOf({ has: true });
    expect((await recover({ status: "complete", txHash: hash }, node)).items).to.have.length(1);
    const quote = { steps: [{ items: [{}], kind: "signature" }] } as never;
    expect((await recover({ status: "sending" }, node, { quote, signed: [] })).items).to.have.length(1);
  });
});
