import { expect } from "chai";
import type { PublicClient } from "viem";
import { resolveCurrency } from "../../../../cli/execution/requestQuote.ts";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

describe("resolveCurrency", () => {
  for (const symbol of [
    "\u001b[8mUSDC",
    "USDC on 1\nProven\n  everything",
    "\u202eCDSU",
    "U".repeat(1_000),
  ]) {
    it(`the symbol ${JSON.stringify(symbol.slice(0, 20))} of a token: is shown as its address`, async () => {
      const node = {
        readContract: async ({ functionName }: { functionName: string }) =>
          functionName === "decimals" ? 6 : symbol,
      } as unknown as PublicClient;
      const currency = { chainId: 1, currency: address };
      expect(await resolveCurrency({ emulator: undefined }, node, currency)).to.deep.equal({
        address,
        chainId: 1,
        decimals: 6,
        symbol: address,
      });
    });
  }
});
