import { expect } from "chai";
import { zeroAddress } from "viem";
import { presentDebits } from "../../../../../emulator/solver/claims/presentDebits.ts";

const usdc = "0x00000000000000000000000000000000000000aa";
const chainOf = (id: number) => ({
  currencies: [
    { address: zeroAddress, decimals: 18, symbol: "ETH", usdPrice: 2_500n * 10n ** 18n },
    { address: usdc, decimals: 6, symbol: "USDC", usdPrice: 10n ** 18n },
  ],
  definition: { id },
});

describe("presentDebits", () => {
  const chains = new Map([1, 2].map((id) => [id, chainOf(id)])) as never;
  const place = (chainId: number) => (chains as Map<number, ReturnType<typeof chainOf>>).get(chainId);

  it("a stated balance that is gone, and another that covers the claim: debits that one, at its own price", () => {
    const amount = 4_000_000_000_000_000n;
    const claim = { debits: [{ amount: 10_000_000n, chainId: 1, currency: usdc }] };
    const intent = { claim, destination: { chainId: 1 }, origin: { amount, currency: zeroAddress } } as never;
    const chain = place(2);
    const balances = [{ amount: 50_000_000n, chain, currency: chain?.currencies[1] }] as never;
    expect(presentDebits(intent, balances, { chains })).to.deep.equal([
      { amount: 10_000_000n, chainId: 2, currency: usdc },
    ]);
  });
});
