import { expect } from "chai";
import { type Hex, serializeTransaction, zeroAddress } from "viem";
import { sentTransaction } from "../../../../../emulator/requests/record/sentTransaction.ts";
import { erc20Data } from "../../../../helpers/erc20Data.ts";
import { fakeChains, recipient, usdc } from "../../support/fakeChains.ts";

const requestId = `0x${"ab".repeat(32)}` as const;

/** Decodes a transaction of the solver on the first chain. */
function decoded(to: Hex | undefined, value: bigint, data: Hex) {
  const raw = serializeTransaction({ chainId: 31337, data, to, type: "eip1559", value });
  return sentTransaction({ chain_id: 31337, raw }, { chains: fakeChains });
}

describe("sentTransaction", () => {
  it("native money with the requestId or nothing, of one wei or more: is a plain transfer", () => {
    for (const data of ["0x", requestId] as const) {
      for (const value of [1n, 10n ** 18n]) {
        const transfer = { amount: value, currency: zeroAddress };
        const to = recipient.toLowerCase();
        expect(decoded(recipient, value, data)).to.deep.equal({ data, to, transfer, value });
      }
    }
  });

  it("a call that is longer than a requestId, or without money: is no plain transfer", () => {
    expect(decoded(recipient, 5n, `${requestId}00`)).to.include({ transfer: undefined, value: 5n });
    expect(decoded(recipient, 0n, "0x")).to.include({ transfer: undefined, value: 0n });
    expect(decoded(recipient, 0n, requestId)).to.include({ transfer: undefined });
  });

  it("a transfer of tokens, with the requestId behind it: is of its token and amount", () => {
    const data: Hex = `${erc20Data("transfer", recipient, 77n)}${requestId.slice(2)}`;
    expect(decoded(usdc.address, 0n, data)?.transfer).to.deep.equal({
      amount: 77n,
      currency: usdc.address.toLowerCase(),
    });
  });

  it("a deployment, and bytes of no transaction: are nothing", () => {
    expect(decoded(undefined, 0n, "0x00")).to.equal(undefined);
    expect(sentTransaction({ chain_id: 31337, raw: "0x12" }, { chains: fakeChains })).to.equal(undefined);
  });
});
