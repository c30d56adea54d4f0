import type { Instruction, KeyPairSigner } from "@solana/kit";
import { expect } from "chai";
import { createSvmMachine, type SvmMachine } from "../../../../../../emulator/chains/svm/createSvmMachine.ts";
import { decodeSvmTransaction } from "../../../../../../emulator/chains/svm/decodeSvmTransaction.ts";
import { loadSvm, type SvmPackages } from "../../../../../../emulator/chains/svm/loadSvm.ts";
import type { SvmOutcome } from "../../../../../../emulator/chains/svm/SvmOutcome.ts";
import { deriveSvmAccounts } from "../../../../../../emulator/chains/svm/svmAccounts.ts";
import { svmTokens } from "../../../../../../emulator/chains/svm/svmCurrencies.ts";
import { signSvmTransaction } from "../../../../../../emulator/chains/svm/svmPayment.ts";
import {
  deriveSvmPools,
  poolBalances,
  type SvmPool,
} from "../../../../../../emulator/chains/svm/swap/svmPools.ts";
import { type SvmSwap, swapInstruction } from "../../../../../../emulator/chains/svm/swap/swapInstruction.ts";
import { swapSourceHash } from "../../../../../../emulator/chains/svm/swap/swapProgram.ts";
import { amountInFor, amountOutOf, type Reserves } from "../../../../../../emulator/money/swapMath.ts";
import { hashOfSource } from "../../../../../../scripts/generate/svmSwap.ts";

const mintOf = (symbol: string) => svmTokens.find((token) => token.symbol === symbol)?.address ?? "";
const pathOf = (...symbols: readonly string[]) => symbols.map(mintOf);
const slippage = "InstructionError(0, Custom(6001))";
const invalid = "InstructionError(0, Custom(6002))";
const dry = "InstructionError(0, Custom(6003))";

/** Draws below 2^bits, the same for each run. */
function drawFrom(seed: bigint): (bits: number) => bigint {
  let state = seed;
  return (bits) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
    return (state >> 8n) % 2n ** BigInt(bits);
  };
}

describe("the swap program of the SVM chain", () => {
  let packages: SvmPackages;
  let machine: SvmMachine;
  let pools: readonly SvmPool[];
  let seller: KeyPairSigner;
  let slot = 0;

  const accountOf = (symbol: string) => machine.tokenAddress({ mint: mintOf(symbol), owner: seller.address });
  const held = async (symbol: string) => machine.tokensIn(await accountOf(symbol));
  const reservesOf = (path: readonly string[]): readonly Reserves[] =>
    path.slice(1).map((to, index) => {
      const from = path[index] ?? "";
      const pool = pools.find(({ tokens }) =>
        tokens.every(({ address }) => address === from || address === to),
      );
      const at = (mint: string) =>
        machine.tokensIn(pool?.vaults[pool.tokens.findIndex(({ address }) => address === mint)] ?? "");
      return { reserveIn: at(from), reserveOut: at(to) };
    });
  const execute = async (instruction: Instruction): Promise<SvmOutcome> => {
    const blockhash = seller.address as string;
    const wire = await signSvmTransaction([instruction], { blockhash, payer: seller }, packages);
    return machine.execute(decodeSvmTransaction(wire, packages), { at: ++slot * 1_000, slot });
  };
  const swapOf = async (path: readonly string[], amounts: SvmSwap["amounts"]): Promise<SvmSwap> => {
    const ends = [path[0] ?? "", path.at(-1) ?? ""].map((mint) =>
      machine.tokenAddress({ mint, owner: seller.address }),
    );
    const [source = "", destination = ""] = await Promise.all(ends);
    return { amounts, destination, path, seller, source };
  };
  const swap = async (path: readonly string[], amounts: SvmSwap["amounts"]) =>
    execute(swapInstruction(await swapOf(path, amounts), pools, packages));

  beforeEach(async () => {
    packages = await loadSvm();
    machine = await createSvmMachine(packages);
    pools = await deriveSvmPools(packages);
    seller = (await deriveSvmAccounts(packages)).solver.signer;
    for (const balance of poolBalances(pools)) await machine.setBalance(balance);
    const owner = seller.address;
    await machine.setBalance({ amount: 10n ** 10n, currency: "11111111111111111111111111111111", owner });
    for (const { address: currency } of svmTokens)
      await machine.setBalance({ amount: 10n ** 15n, currency, owner });
  });

  it("was compiled from the source beside it", () => {
    expect(hashOfSource(), "run `node scripts/generate/svmSwap.ts`").to.equal(swapSourceHash);
  });

  it("sells an exact amount along one to seven pools for what the pools' arithmetic says", async () => {
    const whole = ["JTO", "RAY", "WIF", "DRIFT", "PYTH", "JUP", "USDT", "USDC"];
    const draw = drawFrom(1n);
    for (let hops = 1; hops < whole.length; hops++) {
      for (let run = 0; run < 8; run++) {
        const [from = ""] = whole;
        const to = whole[hops] ?? "";
        const path = pathOf(...whole.slice(0, hops + 1));
        const sells = 10n ** 6n + draw(38);
        const expected = reservesOf(path).reduce((amount, pool) => amountOutOf(pool, amount), sells);
        const before = [await held(from), await held(to)];
        expect((await swap(path, { atLeast: expected + 1n, sells })).error).to.equal(slippage);
        const { error, logs } = await swap(path, { atLeast: expected, sells });
        expect(error, logs.join("\n")).to.equal(null);
        expect([await held(from), await held(to)]).to.deep.equal([
          (before[0] ?? 0n) - sells,
          (before[1] ?? 0n) + expected,
        ]);
      }
    }
  });

  it("buys an exact amount along one to seven pools for what the pools' arithmetic says", async () => {
    const whole = ["JTO", "RAY", "WIF", "DRIFT", "PYTH", "JUP", "USDT", "USDC"];
    const draw = drawFrom(2n);
    for (let hops = 1; hops < whole.length; hops++) {
      for (let run = 0; run < 8; run++) {
        const path = pathOf(...whole.slice(0, hops + 1));
        const buys = 1n + draw(34);
        const needed = reservesOf(path).reduceRight<bigint | undefined>(
          (amount, pool) => (amount === undefined ? undefined : amountInFor(pool, amount)),
          buys,
        );
        if (needed === undefined) throw new Error("the pools hold too little");
        const before = await held("JTO");
        expect((await swap(path, { atMost: needed - 1n, buys })).error).to.equal(slippage);
        expect((await swap(path, { atMost: needed, buys })).error).to.equal(null);
        expect(before - (await held("JTO"))).to.equal(needed);
      }
    }
  });

  it("sells an amount, or what the output needs if that is more, within the limit", async () => {
    const draw = drawFrom(5n);
    for (const path of [pathOf("JUP", "USDC"), pathOf("USDC", "USDT", "JUP", "PYTH")]) {
      const [from, to] = path[0] === mintOf("JUP") ? ["JUP", "USDC"] : ["USDC", "PYTH"];
      for (let run = 0; run < 24; run++) {
        const atLeast = 1n + draw(30);
        const needed = reservesOf(path).reduceRight(
          (amount, pool) => amountInFor(pool, amount) ?? 0n,
          atLeast,
        );
        const sells = [0n, needed - 1n, needed, needed + 1n + draw(20)][run % 4] ?? 0n;
        const sold = sells > needed ? sells : needed;
        const before = [await held(from), await held(to)];
        expect((await swap(path, { atLeast, atMost: sold - 1n, sells })).error).to.equal(slippage);
        const paid =
          sells > needed
            ? reservesOf(path).reduce((amount, pool) => amountOutOf(pool, amount), sells)
            : atLeast;
        expect(paid >= atLeast).to.equal(true);
        expect((await swap(path, { atLeast, atMost: sold, sells })).error).to.equal(null);
        expect([await held(from), await held(to)]).to.deep.equal([
          (before[0] ?? 0n) - sold,
          (before[1] ?? 0n) + paid,
        ]);
      }
    }
    expect((await swap(pathOf("JUP", "USDC"), { atLeast: 0n, atMost: 5n, sells: 5n })).error).to.equal(
      invalid,
    );
    expect((await swap(pathOf("JUP", "USDC"), { atLeast: 2n ** 52n, atMost: 5n, sells: 5n })).error).to.equal(
      dry,
    );
  });
});
