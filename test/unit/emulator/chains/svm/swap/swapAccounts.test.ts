import type { AccountMeta, AccountSignerMeta, Address, Instruction, KeyPairSigner } from "@solana/kit";
import { expect } from "chai";
import { createSvmMachine, type SvmMachine } from "../../../../../../emulator/chains/svm/createSvmMachine.ts";
import {
  decodeSvmTransaction,
  SvmTransactionInvalidError,
} from "../../../../../../emulator/chains/svm/decodeSvmTransaction.ts";
import { loadSvm, type SvmPackages } from "../../../../../../emulator/chains/svm/loadSvm.ts";
import { deriveSvmAccounts } from "../../../../../../emulator/chains/svm/svmAccounts.ts";
import { svmTokens } from "../../../../../../emulator/chains/svm/svmCurrencies.ts";
import { signSvmTransaction } from "../../../../../../emulator/chains/svm/svmPayment.ts";
import {
  deriveSvmPools,
  poolBalances,
  type SvmPool,
} from "../../../../../../emulator/chains/svm/swap/svmPools.ts";
import { hopOf, swapInstruction } from "../../../../../../emulator/chains/svm/swap/swapInstruction.ts";
import { swapProgramAddress } from "../../../../../../emulator/chains/svm/swap/swapProgram.ts";
import { amountOutOf } from "../../../../../../emulator/money/swapMath.ts";
import { type Draws, drawsOf } from "../../../../../helpers/seededDraws.ts";

type Meta = AccountMeta | AccountSignerMeta;

const mintOf = (symbol: string) => svmTokens.find((token) => token.symbol === symbol)?.address ?? "";
const invalid = "InstructionError(0, Custom(6002))";
/** The first version of the memo program: it accepts any accounts and text, and moves nothing. */
const acceptsAll = "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo";
const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const units = 10n ** 12n;
/** Paths of one to four pools. */
const paths = [
  ["JUP", "USDC"],
  ["USDC", "USDT", "JUP"],
  ["PYTH", "JUP", "USDT", "USDC"],
  ["RENDER", "WIF", "DRIFT", "PYTH", "JUP"],
].map((symbols) => symbols.map(mintOf));

describe("the accounts of a swap on the SVM chain", () => {
  let packages: SvmPackages;
  let machine: SvmMachine;
  let pools: readonly SvmPool[];
  let seller: KeyPairSigner;
  let victim: string;
  let slot = 0;

  /** Executes an instruction that the seller alone signs; the error of one that cannot be sent is its message. */
  const execute = async (instruction: Instruction): Promise<string | null> => {
    const parts = { blockhash: seller.address, payer: seller };
    const accounts = (instruction.accounts ?? []).map(({ address, role }): Meta => {
      if (address === seller.address) return { address, role, signer: seller };
      const { READONLY, WRITABLE } = packages.kit.AccountRole;
      return { address, role: packages.kit.isWritableRole(role) ? WRITABLE : READONLY };
    });
    try {
      const wire = await signSvmTransaction([{ ...instruction, accounts }], parts, packages);
      const decoded = decodeSvmTransaction(wire, packages);
      return machine.execute(decoded, { at: ++slot * 1_000, slot }).error;
    } catch (cause) {
      if (cause instanceof SvmTransactionInvalidError) return cause.message;
      throw cause;
    }
  };
  const accountOf = (owner: string, mint: string) => machine.tokenAddress({ mint, owner });
  const tokenAccounts = async (owner: string) =>
    Promise.all(svmTokens.map(({ address }) => accountOf(owner, address)));
  /** What each token account holds. */
  const holdings = async (): Promise<ReadonlyMap<string, bigint>> => {
    const accounts = [
      ...pools.flatMap(({ vaults }) => vaults),
      ...(await tokenAccounts(seller.address)),
      ...(await tokenAccounts(victim)),
    ];
    return new Map(accounts.map((account) => [account, machine.tokensIn(account)]));
  };
  const swapOf = async (path: readonly string[], sells: bigint): Promise<Instruction> =>
    swapInstruction(
      {
        amounts: { atLeast: 1n, sells },
        destination: await accountOf(seller.address, path.at(-1) ?? ""),
        path,
        seller,
        source: await accountOf(seller.address, path[0] ?? ""),
      },
      pools,
      packages,
    );
  const withAccount = (instruction: Instruction, index: number, address: string): Instruction => ({
    ...instruction,
    accounts: (instruction.accounts ?? []).map((each, at) =>
      at === index ? { ...each, address: address as Address } : each,
    ),
  });

  before(async () => {
    packages = await loadSvm();
    pools = await deriveSvmPools(packages);
    const { solver, users } = await deriveSvmAccounts(packages);
    seller = solver.signer;
    victim = users[0]?.signer.address ?? "";
  });

  beforeEach(async () => {
    machine = await createSvmMachine(packages);
    for (const balance of poolBalances(pools)) await machine.setBalance(balance);
    const lamports = "11111111111111111111111111111111";
    for (const owner of [seller.address, victim]) {
      await machine.setBalance({ amount: 10n ** 12n, currency: lamports, owner });
      for (const { address: currency } of svmTokens)
        await machine.setBalance({ amount: units, currency, owner });
    }
  });

  it("rejects another program in the place of the token program, which would sign for the pools", async () => {
    const before = await holdings();
    for (const path of paths) {
      const swap = await swapOf(path, 5_000_000n);
      for (const program of [acceptsAll, token2022, swapProgramAddress, "11111111111111111111111111111111"]) {
        expect(await execute(withAccount(swap, 3, program)), program).to.equal(invalid);
      }
    }
    expect(await holdings()).to.deep.equal(before);
  });

  it("rejects a vault of the route as destination: the pool would pay itself", async () => {
    for (const path of paths) {
      const swap = await swapOf(path, 5_000_000n);
      const before = await holdings();
      const [from = "", to = ""] = path.slice(-2);
      const [, vault] = hopOf(pools, from, to).vaults;
      expect(await execute(withAccount(swap, 2, vault))).to.equal(invalid);
      expect(await holdings()).to.deep.equal(before);
    }
  });

  it("rejects the same account in every pair of places", async () => {
    const before = await holdings();
    for (const path of paths) {
      const swap = await swapOf(path, 5_000_000n);
      const { accounts = [] } = swap;
      for (const [to, { role }] of accounts.entries()) {
        for (const [from, { address }] of accounts.entries()) {
          if (from === to) continue;
          const replaced: Meta[] = [...accounts];
          replaced[to] = { address, role };
          const error = await execute({ ...swap, accounts: replaced });
          expect(error, `account ${from} at ${to}`).to.be.a("string");
        }
      }
    }
    expect(await holdings()).to.deep.equal(before);
  });

  it("rejects lists that are one to three accounts too short or too long, at every place", async () => {
    for (const path of paths) {
      const swap = await swapOf(path, 5_000_000n);
      const { accounts = [] } = swap;
      const before = await holdings();
      for (let at = 0; at < accounts.length; at++) {
        for (const count of [1, 2, 3]) {
          const short = [...accounts.slice(0, at), ...accounts.slice(at + count)];
          const long = [...accounts.slice(0, at), ...accounts.slice(0, count), ...accounts.slice(at)];
          for (const list of [short, long])
            expect(await execute({ ...swap, accounts: list }), `${count} at ${at}`).to.be.a("string");
        }
      }
      expect(await holdings()).to.deep.equal(before);
    }
  });

  const mutate = (accounts: readonly Meta[], others: readonly string[], draws: Draws): Meta[] => {
    const mutated = [...accounts];
    const at = () => draws.whole(0, mutated.length - 1);
    for (let left = draws.whole(1, 3); left > 0 && mutated.length > 1; left--) {
      const [a, b] = [at(), at()];
      const [one, other] = [mutated[a], mutated[b]];
      if (one === undefined || other === undefined) continue;
      switch (draws.whole(0, 4)) {
        case 0:
          mutated[a] = { address: other.address, role: one.role };
          break;
        case 1:
          [mutated[a], mutated[b]] = [other, one];
          break;
        case 2:
          mutated.splice(a, draws.whole(1, 3));
          break;
        case 3:
          mutated.splice(a, 0, other);
          break;
        default:
          mutated[a] = { address: draws.pick(others) as Address, role: one.role };
      }
    }
    return mutated;
  };

  it("400 changed account lists: a swap does what the arithmetic says, or nothing", async function () {
    this.timeout(60_000);
    const draws = drawsOf("accounts of swaps");
    const others = [
      ...pools.flatMap(({ address, vaults }) => [address, ...vaults]),
      ...(await tokenAccounts(seller.address)),
      ...(await tokenAccounts(victim)),
      ...svmTokens.map(({ address }) => address),
      ...[victim, seller.address, acceptsAll, token2022, swapProgramAddress],
    ];
    let swapped = 0;
    for (let run = 0; run < 400; run++) {
      const sells = BigInt(draws.whole(1, 10_000_000));
      const swap = await swapOf(draws.pick(paths), sells);
      const accounts = mutate(swap.accounts ?? [], others, draws);
      const before = await holdings();
      const error = await execute({ ...swap, accounts });
      const after = await holdings();
      const what = `run ${run}: ${accounts.map(({ address }) => address).join()}`;
      if (error !== null) {
        expect(after, what).to.deep.equal(before);
        continue;
      }
      swapped++;
      const moved = new Map<string, bigint>();
      const move = (account: string, amount: bigint) =>
        moved.set(account, (moved.get(account) ?? 0n) + amount);
      const [, source, destination, , ...hops] = accounts.map(({ address }) => address as string);
      let amount = sells;
      move(source ?? "", -sells);
      for (let hop = 0; hop < hops.length; hop += 3) {
        const [into = "", out = ""] = hops.slice(hop + 1, hop + 3);
        move(into, amount);
        const [reserveIn = 0n, reserveOut = 0n] = [before.get(into), before.get(out)];
        amount = amountOutOf({ reserveIn, reserveOut }, amount);
        move(out, -amount);
      }
      move(destination ?? "", amount);
      const owners = new Set(await tokenAccounts(victim));
      for (const [account, held] of before) {
        expect((after.get(account) ?? 0n) - held, `${account}, ${what}`).to.equal(moved.get(account) ?? 0n);
        if (owners.has(account)) expect((after.get(account) ?? 0n) >= held, what).to.equal(true);
      }
    }
    expect(swapped, "swaps that were executed").to.be.greaterThan(5);
  });
});
