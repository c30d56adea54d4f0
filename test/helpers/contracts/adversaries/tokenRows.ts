import { expect } from "chai";
import { type BaseContract, Interface, ZeroHash } from "ethers";
import hre from "hardhat";
import { ownGas, traceLatest } from "../callTrace.ts";
import { reentrancyReason } from "../libraryErrors.ts";
import type { TestToken } from "../tokens.ts";
import {
  AMOUNT,
  type Attempt,
  become,
  expectRefused,
  expectWorks,
  isCut,
  type NamedError,
  selfDestructingCode,
  type Turn,
} from "./attempt.ts";
import type { Adversary, Cell, Chain, Meeting } from "./matrix.ts";

/** A payment in a token, prepared while the token still behaves. */
export type PrepareToken = (chain: Chain, token: TestToken) => Promise<Attempt>;

/** Deploys another token; a path may need functions that its own code lacks. */
export type DeployToken = (chain: Chain, name: string, args?: readonly unknown[]) => Promise<BaseContract>;

/** Recipient of the balance of self-destructing code. */
export const HEIR = "0x00000000000000000000000000000000000a1e12";
const BOMB_BYTES = 400_000n;
/** With an explicit gas limit a failing transaction is mined, so that it can be traced. */
const BOMB_GAS_LIMIT = 10_000_000n;
/** Copying the bomb's bytes alone would cost 380,000 gas, most of it for memory. */
const OWN_GAS_LIMIT = 250_000n;
/** The amount after a fee of one percent. */
export const AFTER_FEE = (AMOUNT * 99n) / 100n;

export const deployPlainly: DeployToken = async ({ ethers }, name, args = []) =>
  ethers.deployContract(name as string, [...args]);

/** Outcomes of a path for misbehaving tokens. The others are the same for all paths. */
export interface TokenOutcomes {
  readonly returnsFalse: readonly Refusal[];
  readonly fee: Outcome;
  /** One unit less arrives than was sent. */
  readonly rounding: Outcome;
  /** Every balance is halved after the signatures. */
  readonly halved: Outcome;
  /** The blocked account, and the outcome. */
  readonly blocked: { readonly who: (attempt: Attempt) => string; readonly outcome: Outcome };
  /** Whether the token is called at all, rather than only read. */
  readonly callsToken: boolean;
  /** The error of the same call, made by the token, if another check precedes the guard. */
  readonly again?: () => string;
  readonly bombReturns: Outcome;
  readonly bombReverts: Outcome;
  readonly codeGone: Outcome;
  readonly selfDestructs: Outcome;
  /** Exceptions for payees; if omitted, payees are never called. */
  readonly payees?: Partial<Record<Adversary, Cell>>;
}

/** A named error, or a payment to the unit; the test's title names which. */
export interface Outcome {
  readonly does: string;
  expected(token: string, attempt: Attempt): NamedError | Works;
}

/** Moved amounts and stored state, if they differ from the attempt's. */
export interface Works {
  readonly moved?: readonly bigint[];
  readonly books?: readonly unknown[];
}

export function refused(
  name: string,
  args?: (token: string, attempt: Attempt) => readonly unknown[],
): Outcome {
  return {
    does: `is refused with ${name}`,
    expected: (token, attempt) => (args === undefined ? { name } : { name, args: args(token, attempt) }),
  };
}

export function works(expected: Works = {}): Outcome {
  return { does: "works to the unit", expected: () => expected };
}

/** Functions that return false from now on, and the outcome. */
interface Refusal {
  readonly functions: readonly [transfer: boolean, transferFrom: boolean, approve: boolean];
  readonly outcome: Outcome;
}

/** Denominator of an `ElasticToken`'s rates, a rate that loses a unit, and a rate that halves balances. */
const RATE_UNIT = 1_000_000n;
const ODD_RATE = 1_500_000n;
const HALF_RATE = RATE_UNIT / 2n;

async function meet(
  chain: Chain,
  prepare: PrepareToken,
  token: BaseContract,
  outcome: Outcome,
  turn: Turn = {},
  gas: { readonly gasLimit?: bigint } = {},
): Promise<Attempt> {
  const attempt = await prepare(chain, token as TestToken);
  const expected = outcome.expected(await token.getAddress(), attempt);
  if ("name" in expected) await expectRefused(chain, attempt, expected, { turn, ...gas });
  else await expectWorks(chain, attempt, { ...expected, turn, ...gas });
  return attempt;
}

/** Sets the code of `name` at the token's address for the payment. */
async function replacing(chain: Chain, token: BaseContract, code: string): Promise<Turn> {
  const own = await chain.ethers.provider.getCode(token);
  const address = await token.getAddress();
  return {
    make: async () => chain.networkHelpers.setCode(address, code),
    undo: async () => chain.networkHelpers.setCode(address, own),
  };
}

async function replacingByBomb(chain: Chain, token: BaseContract, reverts: boolean): Promise<Turn> {
  const bomb = await chain.ethers.deployContract("ReturndataBomb", [BOMB_BYTES, reverts]);
  const turn = await replacing(chain, token, await chain.ethers.provider.getCode(bomb));
  const placed = await chain.ethers.getContractAt("ReturndataBomb", token);
  return {
    ...turn,
    make: async (attempt) => {
      await turn.make?.(attempt);
      await placed.configure(BOMB_BYTES, reverts);
    },
  };
}

async function asReentrant({ ethers }: Chain, account: string) {
  return ethers.getContractAt("ReentrantTarget", account);
}

/** Sets a mock's code at the payee, which must not be called. */
function uncalledPayee(prepare: PrepareToken, deploy: DeployToken, name: string, args: unknown[] = []): Cell {
  return [
    {
      does: "pays the token exactly, and does not call the payee",
      check: async (chain) => {
        const adversary = await chain.ethers.deployContract(name as string, args);
        const { payee } = await meet(chain, prepare, await deploy(chain, "PlainToken"), works(), {
          make: async ({ payee, contract, data }) => {
            await become(chain, payee, adversary);
            if (name === "ReentrantTarget") await (await asReentrant(chain, payee)).arm(contract, data);
          },
        });
        if (name === "ReentrantTarget") expect(await (await asReentrant(chain, payee)).fired()).to.equal(0n);
      },
    },
  ];
}

/** The whole row of a path that moves a token. */
export function tokenRow(
  prepare: PrepareToken,
  outcomes: TokenOutcomes,
  deploy: DeployToken = deployPlainly,
): Record<Adversary, Cell> {
  const simple = (name: string, args?: (chain: Chain) => Promise<readonly unknown[]>): readonly Meeting[] => [
    {
      does: "works to the unit",
      check: async (chain) => {
        await meet(chain, prepare, await deploy(chain, name, await args?.(chain)), works());
      },
    },
  ];
  const turned = (
    outcome: Outcome,
    make: (chain: Chain, token: BaseContract) => Promise<Turn>,
    what = "",
  ) => ({
    does: `${outcome.does}${what}`,
    check: async (chain: Chain) => {
      const token = await deploy(chain, "PlainToken");
      await meet(chain, prepare, token, outcome, await make(chain, token));
    },
  });

  return {
    "missing return": simple("NoReturnToken"),
    "returns false": outcomes.returnsFalse.map(({ functions, outcome }) => ({
      does: `${outcome.does} when ${["transfer", "transferFrom", "approve"].filter((_, i) => functions[i]).join(", ")} does`,
      check: async (chain) => {
        const token = await deploy(chain, "ReturnsFalseToken");
        const asFalse = await chain.ethers.getContractAt("ReturnsFalseToken", token);
        await asFalse.setRefusals(false, false, false);
        await meet(chain, prepare, token, outcome, {
          make: async () => void (await asFalse.setRefusals(...functions)),
        });
      },
    })),
    "fee on transfer": [
      {
        does: outcomes.fee.does,
        check: async (chain) => {
          await meet(chain, prepare, await deploy(chain, "FeeOnTransferToken", [100]), outcomes.fee);
        },
      },
    ],
    rebasing: rebasing(prepare, outcomes, deploy),
    "USDT-style approve": simple("LocalTether", async ({ ethers }) => [
      (await ethers.getSigners())[0]?.address,
    ]),
    blocklist: [
      {
        does: outcomes.blocked.outcome.does,
        check: async (chain) => {
          const token = await deploy(chain, "BlocklistToken");
          const asBlocklist = await chain.ethers.getContractAt("BlocklistToken", token);
          await meet(chain, prepare, token, outcomes.blocked.outcome, {
            make: async (attempt) => void (await asBlocklist.setBlocked(outcomes.blocked.who(attempt), true)),
          });
        },
      },
    ],
    "reverts on zero": simple("RevertsOnZeroToken"),
    "returns too much": simple("LongReturnToken", async () => [32n]),
    "reentrant token": [reentrantToken(prepare, outcomes, deploy)],
    "reentrant payee": uncalledPayee(prepare, deploy, "ReentrantTarget"),
    "gas-burning payee": uncalledPayee(prepare, deploy, "GasBurningRecipient", [10n ** 12n]),
    "returndata bomb": [bomb(prepare, outcomes, deploy, false), bomb(prepare, outcomes, deploy, true)],
    "payee that rejects ether": uncalledPayee(prepare, deploy, "RejectingRecipient"),
    "contract without code": [turned(outcomes.codeGone, (chain, token) => replacing(chain, token, "0x"))],
    "self-destructing payee": [
      turned(
        outcomes.selfDestructs,
        (chain, token) => replacing(chain, token, selfDestructingCode(HEIR)),
        ", as a token",
      ),
    ],
    ...outcomes.payees,
  };
}

function bomb(
  prepare: PrepareToken,
  { bombReturns, bombReverts }: TokenOutcomes,
  deploy: DeployToken,
  reverts: boolean,
): Meeting {
  const outcome = reverts ? bombReverts : bombReturns;
  return {
    does: `${outcome.does} when ${reverts ? "it reverts with it" : "the token returns it"}`,
    check: async (chain) => {
      const token = await deploy(chain, "PlainToken");
      const turn = await replacingByBomb(chain, token, reverts);
      const { contract } = await meet(chain, prepare, token, outcome, turn, { gasLimit: BOMB_GAS_LIMIT });
      const trace = await traceLatest(chain.ethers, await contract.getAddress());
      // Coverage instrumentation adds gas.
      if (!hre.globalOptions.coverage) expect(ownGas(trace)).to.be.below(OWN_GAS_LIMIT);
    },
  };
}

function rebasing(prepare: PrepareToken, outcomes: TokenOutcomes, deploy: DeployToken): Cell {
  const at = (rate: bigint, outcome: Outcome, before: boolean) => async (chain: Chain) => {
    const token = await deploy(chain, "ElasticToken");
    const elastic = await chain.ethers.getContractAt("ElasticToken", token);
    // The code may run on another contract's storage, which lacks the initial rate.
    await elastic.rebase(before ? rate : RATE_UNIT);
    await meet(chain, prepare, token, outcome, {
      make: async () => void (await elastic.rebase(rate)),
      // Balances are compared at one rate.
      undo: async () => void (await elastic.rebase(before ? rate : RATE_UNIT)),
    });
  };
  return [
    {
      does: `${outcomes.rounding.does} when a unit is lost on the way`,
      check: at(ODD_RATE, outcomes.rounding, true),
    },
    {
      does: `${outcomes.halved.does} when balances were halved meanwhile`,
      check: at(HALF_RATE, outcomes.halved, false),
    },
  ];
}

function reentrantToken(
  prepare: PrepareToken,
  { callsToken, again = reentrancyReason }: TokenOutcomes,
  deploy: DeployToken,
): Meeting {
  return {
    does: callsToken
      ? "works once, and the same call from within is refused"
      : "is only read, so it cannot call back",
    check: async (chain) => {
      const token = await deploy(chain, "ReentrantToken");
      const reentrant = await chain.ethers.getContractAt("ReentrantToken", token);
      await meet(chain, prepare, token, works(), {
        make: async ({ contract, data }) => void (await reentrant.arm(contract, data)),
      });
      expect(await reentrant.fired()).to.equal(callsToken ? 1n : 0n);
      if (callsToken) expect(await reentrant.lastReturnData()).to.equal(again());
    },
  };
}

/** The error for a token that returned false. */
export const returnedFalse = refused("TokenTransferFailed", (token) => [token, ZeroHash]);

/** The revert data of a blocklist. */
export function accountBlocked(account: string): string {
  return new Interface(["error AccountBlocked(address)"]).encodeErrorResult("AccountBlocked", [account]);
}

export const cutTransfer = refused("TokenTransferFailed", (token) => [token, isCut]);
export const readFailed = refused("TokenReadFailed", (token) => [token]);
export const hasNoCode = refused("TokenHasNoCode", (token) => [token]);
