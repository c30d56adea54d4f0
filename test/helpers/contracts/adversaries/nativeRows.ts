import { expect } from "chai";
import { ownGas, traceLatest } from "../callTrace.ts";
import {
  AMOUNT,
  type Attempt,
  become,
  expectRefused,
  expectWorks,
  isCut,
  type NamedError,
  selfDestructingCode,
} from "./attempt.ts";
import type { Adversary, Cell, Chain, Meeting, NotApplicable } from "./matrix.ts";
import { HEIR } from "./tokenRows.ts";

/** A payment in native currency, to a payee without code. */
export type PrepareNative = (chain: Chain) => Promise<Attempt>;

export interface NativeOutcomes {
  /** The reported error of a failed payee. */
  readonly failed: (attempt: Attempt, reason: unknown) => NamedError;
  /** The error of the same call, made by the payee. */
  readonly again: (attempt: Attempt) => string;
  /** The nested caller: it sends the received money, unless the call takes none. */
  readonly reentrant?: "RepayingPayee" | "ReentrantTarget";
  /** Exceptions for a payee without code. */
  readonly withoutCode?: Cell;
}

const BOMB_BYTES = 400_000n;
/** Above the call's own gas, below the payee's. */
const TOO_LITTLE_GAS = 500_000n;
const WASTED_GAS = 1_000_000n;
/** Copying the bomb's bytes alone would cost 380,000 gas, most of it for memory. */
const OWN_GAS_LIMIT = 250_000n;

const noToken: NotApplicable = { reason: "It moves native currency: no token is called or read." };

/** The cells of tokens, for paths that move native currency. */
export const noTokenCells = {
  "missing return": noToken,
  "returns false": noToken,
  "fee on transfer": noToken,
  rebasing: noToken,
  "USDT-style approve": noToken,
  blocklist: noToken,
  "reverts on zero": noToken,
  "returns too much": noToken,
  "reentrant token": noToken,
} as const satisfies Partial<Record<Adversary, NotApplicable>>;

/** The whole row of a path that pays native currency. */
export function nativeRow(prepare: PrepareNative, outcomes: NativeOutcomes): Record<Adversary, Cell> {
  return {
    ...noTokenCells,
    "reentrant payee": [reentrantPayee(prepare, outcomes)],
    "gas-burning payee": gasBurner(prepare, outcomes),
    "returndata bomb": [bomb(prepare, outcomes, false), bomb(prepare, outcomes, true)],
    "payee that rejects ether": [
      {
        does: "is refused with the payee's own reason",
        check: async (chain) => {
          const attempt = await prepare(chain);
          const rejecting = await chain.ethers.deployContract("RejectingRecipient");
          await become(chain, attempt.payee, rejecting);
          const reason = rejecting.interface.encodeErrorResult("Rejected", [AMOUNT]);
          await expectRefused(chain, attempt, outcomes.failed(attempt, reason));
        },
      },
    ],
    "contract without code": outcomes.withoutCode ?? [
      {
        does: "works to the unit, as for any account",
        check: async (chain) => expectWorks(chain, await prepare(chain)),
      },
    ],
    "self-destructing payee": [
      {
        does: "works to the unit; what the payee then does with its money is its own",
        check: async (chain) => {
          const attempt = await prepare(chain);
          await chain.networkHelpers.setCode(attempt.payee, selfDestructingCode(HEIR));
          const holders = attempt.holders.map((holder) => (holder === attempt.payee ? HEIR : holder));
          const had = await chain.ethers.provider.getBalance(attempt.payee);
          const moved = attempt.moved.map((change, i) => (holders[i] === HEIR ? change + had : change));
          await expectWorks(chain, attempt, { holders, moved });
        },
      },
    ],
  };
}

function reentrantPayee(
  prepare: PrepareNative,
  { again, reentrant = "RepayingPayee" }: NativeOutcomes,
): Meeting {
  return {
    does: "works once, and the same call from within is refused",
    check: async (chain) => {
      const attempt = await prepare(chain);
      await become(chain, attempt.payee, await chain.ethers.deployContract(reentrant as string));
      // Both have the same functions.
      const payee = await chain.ethers.getContractAt("RepayingPayee", attempt.payee);
      await payee.arm(attempt.contract, attempt.data);
      await expectWorks(chain, attempt);
      expect(await payee.fired()).to.equal(1n);
      expect(await payee.lastSuccess()).to.equal(false);
      expect(await payee.lastReturnData()).to.equal(again(attempt));
    },
  };
}

function gasBurner(prepare: PrepareNative, { failed }: NativeOutcomes): Cell {
  const burning = async (chain: Chain) => {
    const attempt = await prepare(chain);
    await become(
      chain,
      attempt.payee,
      await chain.ethers.deployContract("GasBurningRecipient", [WASTED_GAS]),
    );
    return attempt;
  };
  return [
    {
      does: "is refused by name when the gas is too little for the payee",
      check: async (chain) => {
        const attempt = await burning(chain);
        await expectRefused(chain, attempt, failed(attempt, "0x"), { gasLimit: TOO_LITTLE_GAS });
      },
    },
    {
      does: "works to the unit when the gas is enough",
      check: async (chain) => expectWorks(chain, await burning(chain), { gasLimit: 2n * WASTED_GAS }),
    },
  ];
}

function bomb(prepare: PrepareNative, { failed }: NativeOutcomes, reverts: boolean): Meeting {
  return {
    does: reverts ? "is refused with a reason that is cut" : "works, and nothing is paid for the answer",
    check: async (chain) => {
      const attempt = await prepare(chain);
      await become(chain, attempt.payee, await chain.ethers.deployContract("ReturndataBomb", [0n, false]));
      const payee = await chain.ethers.getContractAt("ReturndataBomb", attempt.payee);
      await payee.configure(BOMB_BYTES, reverts);
      const gasLimit = 2_000_000n;
      if (reverts) await expectRefused(chain, attempt, failed(attempt, isCut), { gasLimit });
      else await expectWorks(chain, attempt, { gasLimit });
      const trace = await traceLatest(chain.ethers, await attempt.contract.getAddress());
      expect(ownGas(trace)).to.be.below(OWN_GAS_LIMIT);
    },
  };
}
