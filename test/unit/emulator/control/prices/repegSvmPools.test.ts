import { expect } from "chai";
import { openSvmChain } from "../../../../../emulator/chains/svm/openSvmChain.ts";
import type { SvmChain } from "../../../../../emulator/chains/svm/SvmChain.ts";
import { svmParts } from "../../../../../emulator/chains/svm/svmParts.ts";
import { signSvmTransaction } from "../../../../../emulator/chains/svm/svmPayment.ts";
import { swapInstruction } from "../../../../../emulator/chains/svm/swap/swapInstruction.ts";
import { repegSvmPools } from "../../../../../emulator/control/prices/repegSvmPools.ts";
import { oneUsd } from "../../../../../emulator/money/prices.ts";
import { openStore, type Store } from "../../../../../emulator/store/openStore.ts";
import { decodeSvmAddress } from "../../../../../src/svm/address.ts";
import { svmTokenOf, svmUser } from "../../../../helpers/svm.ts";

const [jup, usdc] = [svmTokenOf("JUP"), svmTokenOf("USDC")];

describe("repegSvmPools", () => {
  let store: Store;
  let chain: SvmChain;
  beforeEach(async () => {
    ({ store } = await openStore(":memory:"));
    let time = 1_700_000_000_000;
    chain = await openSvmChain({ now: () => time++, random32: () => `0x${"11".repeat(32)}`, store });
  });
  afterEach(() => store.destroy());

  const priced = (usdPrice: bigint): SvmChain => ({
    ...chain,
    currencies: chain.currencies.map((each) => (each.symbol === "JUP" ? { ...each, usdPrice } : each)),
  });

  it("swaps that are sent meanwhile: are executed before or after all pools, and lose nothing", async () => {
    const { ledger, packages, pools } = svmParts(chain);
    const user = await svmUser();
    const accountOf = (mint: string) =>
      ledger.read((machine) => machine.tokenAddress({ mint, owner: user.address }));
    const [source, destination] = [await accountOf(jup.address), await accountOf(usdc.address)];
    const sell = async (sells: bigint) => {
      const path = [jup.address, usdc.address];
      const terms = { amounts: { atLeast: 1n, sells }, destination, path, seller: user, source };
      const { blockhash } = await ledger.head();
      const instruction = swapInstruction(terms, pools, packages);
      return signSvmTransaction([instruction], { blockhash, payer: user }, packages);
    };
    const held = () =>
      ledger.read(({ tokensIn }) =>
        pools
          .flatMap(({ tokens, vaults }) =>
            vaults.filter((_, index) => tokens[index]?.symbol === "JUP").map(tokensIn),
          )
          .reduce((sum, amount) => sum + amount, 0n),
      );
    const swaps = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sell(1_000_000n + BigInt(index))),
    );
    const before = await held();
    const repegging = repegSvmPools(priced(2n * oneUsd));
    // One after the other, so that there is one between any two steps.
    for (const wire of swaps) await ledger.send(wire);
    const trades = await repegging;
    const bytes = decodeSvmAddress({ address: jup.address });
    const traded = trades.reduce((sum, { amountIn, amountOut, tokenIn, tokenOut }) => {
      if (tokenIn === bytes) return sum + BigInt(amountIn);
      return tokenOut === bytes ? sum - BigInt(amountOut) : sum;
    }, 0n);
    const sold = 30n * 1_000_000n + (29n * 30n) / 2n;
    expect(traded < 0n).to.equal(true);
    expect((await held()) - before).to.equal(traded + sold);
  });
});
