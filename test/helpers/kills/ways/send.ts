import { type Address, type Hex, zeroAddress } from "viem";
import { depositData } from "../../../../emulator/quote/steps/depositCall.ts";
import type { Quote } from "../../../../src/client/index.ts";
import type { TestChain } from "../../emulatorFixture.ts";

type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint };
/** A user of a chain, by index. */
type Sender = { readonly chain: TestChain; readonly from: number };

const gas = 1_000_000n;

/** The transactions among the steps of a quote. */
export function transactionsOf(steps: Quote["steps"]): readonly (Call & { readonly id: string })[] {
  return steps.flatMap(({ id, items, kind }) =>
    items.flatMap((item) => {
      if (kind !== "transaction") return [];
      const { data = "0x", to, value = "0" } = item.data as { data?: Hex; to: Address; value?: string };
      return [{ data, id, to, value: BigInt(value) }];
    }),
  );
}

/** Sends a transaction of a user and waits for its block. @throws if it reverts. */
export async function send({ chain, data, from, to, value }: Call & Sender): Promise<Hex> {
  const hash = await chain.wallet(from).sendTransaction({ data, gas, to, value });
  const { status } = await chain.reader.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`the payment ${hash} reverted`);
  return hash;
}

/** Sends the transactions of a quote. Returns those that pay. */
export async function sendSteps({ steps }: Pick<Quote, "steps">, sender: Sender): Promise<readonly Hex[]> {
  const hashes: Hex[] = [];
  for (const { id, ...call } of transactionsOf(steps)) {
    const hash = await send({ ...sender, ...call });
    if (id !== "approve") hashes.push(hash);
  }
  return hashes;
}

/** Calldata of a deposit of native currency. */
export function depositOf(depositor: Address, id: Hex): Hex {
  return depositData({ currency: zeroAddress, depositor, id });
}
