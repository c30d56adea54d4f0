import type { Address } from "@solana/kit";
import type { LiteSVM } from "litesvm";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import type { DecodedTransaction } from "./decodeSvmTransaction.ts";
import type { SvmPackages } from "./loadSvm.ts";
import type { SvmOutcome } from "./SvmOutcome.ts";
import { svmTokens } from "./svmCurrencies.ts";
import { deriveSvmPools, poolData } from "./swap/svmPools.ts";
import { swapProgram, swapProgramAddress } from "./swap/swapProgram.ts";

/** Place of a transaction in the chain's history. */
type SvmPlace = {
  readonly slot: number;
  /** Unix milliseconds. */
  readonly at: number;
};

/** The account of a currency's holder. */
export type SvmBalance = {
  readonly owner: string;
  /** A mint, or the native currency's address. */
  readonly currency: string;
  /** Smallest units. */
  readonly amount: bigint;
};

/**
 * The state of an SVM chain in this process: programs, mints and accounts, without history. Equal entries in equal order
 * lead to equal states.
 */
export type SvmMachine = {
  /** Executes a transaction. A failed one pays its fee. */
  execute(transaction: DecodedTransaction, place: SvmPlace): SvmOutcome;
  /** Executes a transaction without keeping its effects. */
  simulate(transaction: DecodedTransaction): Pick<SvmOutcome, "error" | "logs" | "units">;
  /** Sets a balance; a token's supply follows. */
  setBalance(balance: SvmBalance): Promise<void>;
  account(address: string): SvmAccount | undefined;
  /** Balance of a wallet, or of the wallet's associated token account. */
  balanceOf(holder: Pick<SvmBalance, "owner" | "currency">): Promise<bigint>;
  /** The associated token account of a wallet; `undefined` if it is not open. */
  tokenAccount(holder: {
    readonly owner: string;
    readonly mint: string;
  }): Promise<{ readonly address: string; readonly account: SvmAccount } | undefined>;
  /** Balance of a token account; zero if it is not open. */
  tokensIn(account: string): bigint;
  /** Address of a wallet's associated token account, open or not. */
  tokenAddress(holder: { readonly owner: string; readonly mint: string }): Promise<string>;
  /** Lamports that an account of this size needs to be exempt from rent. */
  rentOf(bytes: number): bigint;
};

/** An account of the chain. */
export type SvmAccount = {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: string;
  readonly executable: boolean;
};

/** Starts an SVM with the programs of a new cluster, the mints of the currencies, and pools that hold nothing yet. */
export async function createSvmMachine(packages: SvmPackages): Promise<SvmMachine> {
  const { litesvm, token } = packages;
  // The ledger rejects known signatures and old block hashes, for any number of processes.
  const svm = new litesvm.LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);
  for (const { address, decimals } of svmTokens) putMint(svm, packages, { address, decimals, supply: 0n });
  svm.addProgram(swapProgramAddress as Address, Buffer.from(swapProgram, "base64"));
  for (const pool of await deriveSvmPools(packages)) {
    const data = poolData(pool, packages);
    putProgramAccount(svm, { address: pool.address, data, owner: swapProgramAddress as Address });
  }
  const accountOf = (address: string): SvmAccount | undefined => {
    const found = svm.getAccount(address as Address);
    if (!found.exists || found.lamports === 0n) return undefined;
    const { data, executable, lamports, programAddress } = found;
    return { data: Uint8Array.from(data), executable, lamports, owner: programAddress };
  };
  const tokenAccountOf = async (owner: string, mint: string) => {
    const [address] = await token.findAssociatedTokenPda({
      mint: mint as Address,
      owner: owner as Address,
      tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
    });
    return address;
  };
  return {
    account: accountOf,
    balanceOf: async ({ currency, owner }) =>
      currency === svmNativeToken
        ? (accountOf(owner)?.lamports ?? 0n)
        : (readToken(accountOf(await tokenAccountOf(owner, currency)), packages)?.amount ?? 0n),
    execute: (decoded, { at, slot }) => {
      const clock = svm.getClock();
      clock.slot = BigInt(slot);
      clock.unixTimestamp = BigInt(Math.floor(at / 1_000));
      svm.setClock(clock);
      const before = decoded.accounts.map((address) => balancesOf(accountOf(address), packages));
      const result = svm.sendTransaction(decoded.transaction);
      const after = decoded.accounts.map((address) => balancesOf(accountOf(address), packages));
      return { ...executionOf(result), fee: decoded.fee, ...movesOf(decoded.accounts, before, after) };
    },
    rentOf: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    setBalance: async ({ amount, currency, owner }) => {
      assertSettable(accountOf(owner), { amount, currency, owner }, packages);
      if (currency === svmNativeToken) {
        svm.setAccount({
          ...{ address: owner as Address, data: new Uint8Array(), executable: false, space: 0n },
          lamports: amount as never,
          programAddress: packages.system.SYSTEM_PROGRAM_ADDRESS,
        });
        return;
      }
      const address = await tokenAccountOf(owner, currency);
      const held = readToken(accountOf(address), packages)?.amount ?? 0n;
      const mint = svm.getAccount(currency as Address);
      if (!mint.exists) throw new Error(`the mint ${currency} does not exist`);
      const { decimals, supply } = token.getMintDecoder().decode(mint.data);
      const total = supply - held + amount;
      if (total >= mostUnits) throw new SvmBalanceRefusedError(`the supply would be ${total}`);
      putMint(svm, packages, { address: currency, decimals, supply: total });
      putToken(svm, packages, { address, amount, mint: currency, owner });
    },
    tokenAccount: async ({ mint, owner }) => {
      const address = await tokenAccountOf(owner, mint);
      const account = accountOf(address);
      return account && { account, address };
    },
    tokensIn: (account) => readToken(accountOf(account), packages)?.amount ?? 0n,
    tokenAddress: ({ mint, owner }) => tokenAccountOf(owner, mint),
    simulate: (decoded) => {
      const result = svm.simulateTransaction(decoded.transaction);
      return executionOf("err" in result ? result : result.meta());
    },
  };
}

/** Amounts of the chain have 64 bits. */
const mostUnits = 2n ** 64n;

/** @throws SvmBalanceRefusedError for an amount that the chain cannot hold, and for an account that is no wallet. */
function assertSettable(
  account: SvmAccount | undefined,
  { amount, currency, owner }: SvmBalance,
  { system }: SvmPackages,
): void {
  if (amount >= mostUnits) throw new SvmBalanceRefusedError(`${amount} has more than 64 bits`);
  const isWallet = account === undefined || account.owner === system.SYSTEM_PROGRAM_ADDRESS;
  if (currency === svmNativeToken && !isWallet) {
    throw new SvmBalanceRefusedError(`${owner} belongs to a program`);
  }
}

type Executed = ReturnType<LiteSVM["sendTransaction"]>;

function executionOf(result: Executed): Pick<SvmOutcome, "error" | "logs" | "units"> {
  if (!("err" in result)) return { error: null, logs: result.logs(), units: result.computeUnitsConsumed() };
  const meta = result.meta();
  return { error: errorName(result.toString()), logs: meta.logs(), units: meta.computeUnitsConsumed() };
}

/** The error's name, which the package shows in the text of the whole result alone. */
function errorName(text: string): string {
  return /\berr: (.+?), meta: /s.exec(text)?.[1] ?? "Unknown";
}

type Balances = {
  readonly lamports: bigint;
  readonly token: { readonly mint: string; readonly owner: string; readonly amount: bigint } | undefined;
};

function balancesOf(account: SvmAccount | undefined, packages: SvmPackages): Balances {
  return { lamports: account?.lamports ?? 0n, token: readToken(account, packages) };
}

function movesOf(
  addresses: readonly string[],
  before: readonly Balances[],
  after: readonly Balances[],
): Pick<SvmOutcome, "accounts" | "tokens"> {
  return {
    accounts: addresses.map((address, index) => ({
      address,
      post: after[index]?.lamports ?? 0n,
      pre: before[index]?.lamports ?? 0n,
    })),
    tokens: addresses.flatMap((account, index) => {
      const [pre, post] = [before[index]?.token, after[index]?.token];
      const held = post ?? pre;
      if (held === undefined) return [];
      const { mint, owner } = held;
      return [{ account, mint, owner, post: post?.amount ?? 0n, pre: pre?.amount ?? 0n }];
    }),
  };
}

function readToken(account: SvmAccount | undefined, { token }: SvmPackages): Balances["token"] {
  if (account?.owner !== token.TOKEN_PROGRAM_ADDRESS) return undefined;
  if (account.data.length !== token.getTokenSize()) return undefined;
  return token.getTokenDecoder().decode(account.data);
}

function putMint(
  svm: LiteSVM,
  { token }: SvmPackages,
  {
    address,
    decimals,
    supply,
  }: { readonly address: string; readonly decimals: number; readonly supply: bigint },
): void {
  const data = token.getMintEncoder().encode({
    ...{ decimals, freezeAuthority: null, isInitialized: true, mintAuthority: null, supply },
  });
  putProgramAccount(svm, { address, data: Uint8Array.from(data), owner: token.TOKEN_PROGRAM_ADDRESS });
}

function putToken(svm: LiteSVM, { token }: SvmPackages, held: SvmBalanceAt): void {
  const data = token.getTokenEncoder().encode({
    ...{ amount: held.amount, closeAuthority: null, delegate: null, delegatedAmount: 0n, isNative: null },
    mint: held.mint as Address,
    owner: held.owner as Address,
    state: token.AccountState.Initialized,
  });
  putProgramAccount(svm, {
    address: held.address,
    data: Uint8Array.from(data),
    owner: token.TOKEN_PROGRAM_ADDRESS,
  });
}

type SvmBalanceAt = {
  readonly address: string;
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
};

function putProgramAccount(
  svm: LiteSVM,
  { address, data, owner }: { readonly address: string; readonly data: Uint8Array; readonly owner: Address },
): void {
  svm.setAccount({
    ...{ address: address as Address, data, executable: false, programAddress: owner },
    lamports: svm.minimumBalanceForRentExemption(BigInt(data.length)) as never,
    space: BigInt(data.length),
  });
}

/** A balance cannot be set on the SVM chain; nothing changed. */
class SvmBalanceRefusedError extends BaseError {
  override readonly name = "SvmBalanceRefusedError";

  constructor(reason: string) {
    super(`The balance cannot be set: ${reason}.`, { code: "SVM_BALANCE_REFUSED" });
  }
}
