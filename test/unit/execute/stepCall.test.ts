import { expect } from "chai";
import type { Hex, Transaction } from "viem";
import { isSameCall } from "../../../src/execute/stepCall.ts";
import type { EvmTransactionData } from "../../../src/schema/quote/step.ts";
import { depository, token } from "../client/support/samples.ts";

const call = { data: "0xABCDEF01", to: depository, value: "7" } as EvmTransactionData;
const isSame = (given: Transaction, data = call) => isSameCall({ outputGuard: undefined }, given, { data });

function transaction(change: { input?: Hex; to?: Hex | null; value?: bigint } = {}): Transaction {
  return { input: "0xabcdef01", to: depository.toLowerCase(), value: 7n, ...change } as Transaction;
}

describe("isSameCall", () => {
  it("accepts calldata in any letter case, with or without a wallet's tag after it", () => {
    expect(isSame(transaction(), call)).to.equal(true);
    expect(isSame(transaction({ input: "0xabcdef0199" }), call)).to.equal(true);
  });

  it("takes no other target, amount or calldata, and no contract creation", () => {
    for (const change of [
      { to: token },
      { to: null },
      { value: 6n },
      { value: 8n },
      { input: "0xabcdef" },
      { input: "0xabcdef02" },
      { input: "0x" },
    ] as const) {
      expect(isSame(transaction(change), call), Object.keys(change)[0]).to.equal(false);
    }
  });

  it("takes no calldata for a plain payment: every calldata begins with nothing", () => {
    const payment: EvmTransactionData = { ...call, data: "0x" };
    expect(isSame(transaction({ input: "0x" }), payment)).to.equal(true);
    expect(isSame(transaction(), payment)).to.equal(false);
  });
});
