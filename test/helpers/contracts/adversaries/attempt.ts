import { expect } from "chai";
import {
  type BaseContract,
  type BigNumberish,
  dataLength,
  type Signer,
  type TransactionResponse,
  ZeroAddress,
} from "ethers";
import { libraryErrors } from "../libraryErrors.ts";
import type { TestToken } from "../tokens.ts";
import type { Chain } from "./matrix.ts";

/** Amount of every payment of the matrix, in the currency's smallest unit. */
export const AMOUNT = 1_000_000n;

/** A call that moves money, ready to be sent. */
export interface Attempt {
  readonly contract: BaseContract;
  readonly from: Signer;
  readonly data: string;
  readonly value: bigint;
  /** The token that moves; zero is native currency. */
  readonly currency: string;
  /** The final payee. */
  readonly payee: string;
  /** Accounts with compared balances, and their changes in a successful payment. */
  readonly holders: readonly string[];
  readonly moved: readonly bigint[];
  /** The contract's stored state, and its expected state after a successful payment. */
  books(): Promise<readonly unknown[]>;
  readonly booksAfter: readonly unknown[];
}

/** A named error of the contract, its library or its callee. */
export interface NamedError {
  readonly name: string;
  readonly args?: readonly unknown[];
}

/** Matches any revert data that was cut at the limit. */
export function isCut(reason: string): boolean {
  return dataLength(reason) === 1024;
}

/** Sends the attempt at a gas price of zero, so that native balances change by the payment alone. */
async function send(chain: Chain, attempt: Attempt, gasLimit?: bigint): Promise<TransactionResponse> {
  await chain.networkHelpers.setNextBlockBaseFeePerGas(0);
  return attempt.from.sendTransaction({
    to: await attempt.contract.getAddress(),
    data: attempt.data,
    value: attempt.value,
    gasPrice: 0n,
    ...(gasLimit === undefined ? {} : { gasLimit }),
  });
}

async function balancesOf(chain: Chain, attempt: Attempt, holders = attempt.holders) {
  const { ethers } = chain;
  if (attempt.currency === ZeroAddress) {
    return Promise.all(holders.map((holder) => ethers.provider.getBalance(holder)));
  }
  const token: BaseContract = await ethers.getContractAt("PlainToken", attempt.currency);
  return Promise.all(holders.map((holder) => (token as TestToken).balanceOf(holder)));
}

/** Changes made between the signatures and the call, and reverted before balances are read. */
export interface Turn {
  make?(attempt: Attempt): Promise<void>;
  undo?(attempt: Attempt): Promise<void>;
}

/** Expects success to the unit: the named balances change by `moved`, and the stored state follows. */
export async function expectWorks(
  chain: Chain,
  attempt: Attempt,
  expected: {
    readonly holders?: readonly string[];
    readonly moved?: readonly BigNumberish[];
    readonly books?: readonly unknown[];
    readonly gasLimit?: bigint;
    readonly turn?: Turn;
  } = {},
): Promise<void> {
  const holders = expected.holders ?? attempt.holders;
  const before = await balancesOf(chain, attempt, holders);
  await expected.turn?.make?.(attempt);
  await (await send(chain, attempt, expected.gasLimit)).wait();
  await expected.turn?.undo?.(attempt);
  const after = await balancesOf(chain, attempt, holders);
  expect(after.map((balance, index) => balance - (before[index] ?? 0n))).to.deep.equal(
    expected.moved ?? attempt.moved,
  );
  expect(await attempt.books()).to.deep.equal(expected.books ?? attempt.booksAfter);
}

/** Expects a named error, unchanged balances and unchanged stored state. */
export async function expectRefused(
  chain: Chain,
  attempt: Attempt,
  error: NamedError,
  { gasLimit, turn }: { readonly gasLimit?: bigint; readonly turn?: Turn } = {},
): Promise<void> {
  const [balances, books] = [await balancesOf(chain, attempt), await attempt.books()];
  await turn?.make?.(attempt);
  const declared = attempt.contract.interface.getError(error.name) !== null;
  const refused = expect(send(chain, attempt, gasLimit)).to.be.revertedWithCustomError(
    declared ? attempt.contract : libraryErrors,
    error.name,
  );
  await (error.args === undefined ? refused : refused.withArgs(...error.args));
  await turn?.undo?.(attempt);
  expect(await balancesOf(chain, attempt)).to.deep.equal(balances);
  expect(await attempt.books()).to.deep.equal(books);
}

/** No mock uses more storage slots. */
const OWN_WORDS = 8;

/** Sets a contract's code at another account, with empty storage, as a delegation does. */
export async function become(chain: Chain, account: string, contract: BaseContract): Promise<void> {
  for (let word = 0; word < OWN_WORDS; word += 1) await chain.networkHelpers.setStorageAt(account, word, 0);
  const code = await chain.ethers.provider.getCode(contract);
  await chain.networkHelpers.setCode(account, code);
}

/** Code that sends its balance to `heir` and destroys itself, for any calldata: PUSH20, SELFDESTRUCT. */
export function selfDestructingCode(heir: string): string {
  return `0x73${heir.slice(2).toLowerCase()}ff`;
}
