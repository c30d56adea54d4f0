import { type Hex, serializeTransaction, type TransactionSerializableEIP1559 } from "viem";
import type { TestChain } from "../emulatorFixture.ts";
import { askNode } from "../localChain.ts";
import { until } from "./requestHistory.ts";

/**
 * Mines a block with signed transactions in place of one that the solver has sent, and automines from then on. In one request,
 * because the solver sends a missing transaction again at any moment, and its next one as soon as the block is mined.
 */
export async function mineInstead(
  chain: TestChain,
  hash: Hex | undefined,
  raws: readonly Hex[],
): Promise<void> {
  const isSent = async () => (await askNode(chain, "eth_getTransactionByHash", hash)) ?? undefined;
  await until(isSent, "the node to have the transaction");
  const calls = [
    { method: "hardhat_dropTransaction", params: [hash] },
    ...raws.map((raw) => ({ method: "eth_sendRawTransaction", params: [raw] })),
    { method: "evm_mine", params: [] },
    { method: "evm_setAutomine", params: [true] },
  ];
  const body = JSON.stringify(calls.map((each, id) => ({ ...each, id, jsonrpc: "2.0" })));
  const headers = { "content-type": "application/json" };
  const answer = await fetch(chain.info.rpcUrl, { body, headers, method: "POST" });
  const refused = ((await answer.json()) as { error?: unknown }[]).filter(({ error }) => error !== undefined);
  if (refused.length > 0) throw new Error(`the node refused: ${JSON.stringify(refused)}`);
}

/** The bytes of a transaction that a node has, as its sender signed them. */
export async function signedBytes({ reader }: TestChain, hash: Hex): Promise<Hex> {
  const { input: data, r, s, yParity, ...transaction } = await reader.getTransaction({ hash });
  const unsigned = { ...transaction, data } as unknown as TransactionSerializableEIP1559;
  return serializeTransaction(unsigned, { r, s, yParity: yParity ?? 0 });
}
