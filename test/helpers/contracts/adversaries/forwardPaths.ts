import { expect } from "chai";
import { type BaseContract, ZeroAddress } from "ethers";
import { reentrancyReason } from "../libraryErrors.ts";
import { refundPayee } from "../receiverStage.ts";
import {
  deployRefundStage,
  type Forwarder,
  forwarders,
  fundRefunder,
  type RefundStage,
} from "../refundStage.ts";
import { AMOUNT, type Attempt, become, expectWorks } from "./attempt.ts";
import type { Adversary, Cell, Path } from "./matrix.ts";
import { nativeRow, type PrepareNative } from "./nativeRows.ts";
import { rescueOutcomes } from "./refundPaths.ts";
import { pulledOutcomes } from "./tokenOutcomes.ts";
import { type PrepareToken, tokenRow } from "./tokenRows.ts";

/** A call of the stage's receiver that moves money and leaves the stored state unchanged. */
async function attemptOf(
  stage: RefundStage,
  currency: string,
  data: string,
  payee: string,
  moved: { readonly holders: readonly string[]; readonly moved: readonly bigint[]; readonly value?: bigint },
): Promise<Attempt> {
  const contract: BaseContract = stage.receiver;
  return {
    contract,
    from: stage.refunder,
    data,
    value: 0n,
    currency,
    payee,
    books: async () => [await stage.receiver.depositorOf(stage.id)],
    booksAfter: [stage.depositor.address],
    ...moved,
  };
}

const prepareRefundNative =
  (contract: Forwarder): PrepareNative =>
  async ({ ethers }) => {
    const stage = await deployRefundStage(ethers, contract);
    const { depositor, id, receiver, refunder } = stage;
    return attemptOf(stage, ZeroAddress, id, depositor.address, {
      holders: [refunder.address, await receiver.getAddress(), depositor.address],
      moved: [-AMOUNT, 0n, AMOUNT],
      value: AMOUNT,
    });
  };

const prepareRefundErc20 =
  (contract: Forwarder): PrepareToken =>
  async ({ ethers }, token) => {
    const stage = await deployRefundStage(ethers, contract);
    await fundRefunder(stage, token, 2n * AMOUNT);
    const { depositor, id, receiver, refunder } = stage;
    const currency = await token.getAddress();
    const data = receiver.interface.encodeFunctionData("refundErc20", [id, currency, AMOUNT]);
    return attemptOf(stage, currency, data, depositor.address, {
      holders: [refunder.address, await receiver.getAddress(), depositor.address],
      moved: [-AMOUNT, 0n, AMOUNT],
    });
  };

const prepareSweepNative =
  (contract: Forwarder): PrepareNative =>
  async ({ ethers }) => {
    const stage = await deployRefundStage(ethers, contract);
    await stage.refunder.sendTransaction({ to: stage.receiver, value: AMOUNT });
    const data = stage.receiver.interface.encodeFunctionData("sweep", [AMOUNT, ZeroAddress]);
    return attemptOf(stage, ZeroAddress, data, refundPayee, {
      holders: [await stage.receiver.getAddress(), refundPayee],
      moved: [-AMOUNT, AMOUNT],
    });
  };

const prepareSweepErc20 =
  (contract: Forwarder): PrepareToken =>
  async ({ ethers }, token) => {
    const stage = await deployRefundStage(ethers, contract);
    await token.mint(stage.receiver, AMOUNT);
    const currency = await token.getAddress();
    const amount = await token.balanceOf(stage.receiver);
    const data = stage.receiver.interface.encodeFunctionData("sweep", [amount, currency]);
    return attemptOf(stage, currency, data, refundPayee, {
      holders: [await stage.receiver.getAddress(), refundPayee],
      moved: [-amount, amount],
    });
  };

const failed = ({ payee }: Attempt, reason: unknown) => ({
  name: "PayeeRejectedNative",
  args: [payee, AMOUNT, reason],
});

const native = { failed, again: reentrancyReason, reentrant: "ReentrantTarget" } as const;

/** A refund may return and be forwarded again: the depositor receives its money once. */
const repaidRefund = (contract: Forwarder): Cell => [
  {
    does: "works once, and the same money sent back from within comes again",
    check: async (chain) => {
      const attempt = await prepareRefundNative(contract)(chain);
      await become(chain, attempt.payee, await chain.ethers.deployContract("RepayingPayee"));
      const payee = await chain.ethers.getContractAt("RepayingPayee", attempt.payee);
      await payee.connect(attempt.from).arm(attempt.contract, attempt.data);
      await expectWorks(chain, attempt);
      expect(await payee.fired()).to.equal(1n);
      expect(await payee.lastSuccess()).to.equal(true);
    },
  },
];

export const forwardPaths: readonly Path[] = forwarders.flatMap((contract) => {
  const pathOf = (call: string, variant: string, cells: Record<Adversary, Cell>): Path => ({
    contract,
    function: call,
    variant,
    cells,
  });
  const refundRow = nativeRow(prepareRefundNative(contract), native);
  return [
    pathOf("fallback", "native currency with an id", {
      ...refundRow,
      "reentrant payee": repaidRefund(contract),
    }),
    pathOf("refundErc20", "a token", tokenRow(prepareRefundErc20(contract), pulledOutcomes)),
    pathOf("sweep", "native currency", nativeRow(prepareSweepNative(contract), native)),
    pathOf(
      "sweep",
      "a token",
      tokenRow(prepareSweepErc20(contract), { ...rescueOutcomes, again: reentrancyReason }),
    ),
  ];
});
