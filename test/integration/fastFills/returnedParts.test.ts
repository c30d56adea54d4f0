import { expect } from "chai";
import { encodeFunctionData, type Hex, keccak256, toHex, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { fastFillStage } from "../../helpers/appFees/fastFillStage.ts";
import { earnedOf, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askNode, automine, mine, setCode } from "../../helpers/localChain.ts";
import { deposit, ether, fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { mineInstead, signedBytes } from "../../helpers/requests/mineInstead.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a deposit of a fast-filled request that vanishes with its refunds and returns", () => {
  const fixture = useEmulator({ reorgs: true }, { each: true });
  const stage = () => reorgStage(fixture);
  const { fillMined, filledFast, holds, paidOut, reverted, signedRefundOf } = fastFillStage(fixture);
  const refundedTo = (account: Hex) => fixture.alpha.balanceOf(zeroAddress, account);
  /** A refund less its gas. */
  const isAbout = (value: bigint) => [value - ether / 100n, value] as const;
  /** Drops the block of a transaction, and the later ones. */
  async function loseFrom(hash: Hex): Promise<void> {
    const { reader } = fixture.alpha;
    const { blockNumber } = await reader.getTransactionReceipt({ hash });
    await stage().lose(fixture.alpha, Number((await reader.getBlockNumber()) - blockNumber) + 1);
  }
  const resend = (raw: Hex) => askNode(fixture.alpha, "eth_sendRawTransaction", raw);
  const paysBack = (wallet: Hex) =>
    until(
      async () => ((await outstandingOf(fixture, wallet)) === 0 ? true : undefined),
      "the advance to be paid back",
    );
  const hasCancel = ({ transactions }: RequestHistory, state: string) =>
    transactions.some((each) => each.kind === "cancel" && each.state === state);

  it("a refunded part of a stranger, after the fill was paid: counts again", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, wallet } = await reverted([{ payer: 3, value: ether / 2n }]);
    const payment = (await historyOf(emulator, await signedRefundOf(quote))).deposits[0]?.txHash ?? "0x";
    const raw = await signedBytes(alpha, payment);
    await holds(quote, "the refund", ({ children: [child] }) => child?.status === "refund");
    await stage().lose(beta, 1, true);
    await reached(emulator, idOf(quote), "success");
    await stage().lose(alpha, 2);
    await holds(quote, "the loss", ({ children: [child] }) => child?.status === "failure");
    await resend(raw);
    await until(async () => {
      const outstanding = await outstandingOf(fixture, wallet);
      return outstanding < 1_300 ? outstanding : undefined;
    }, "the part to count");
    await deposit(fixture, orderIdOf(quote), ether / 2n);
    await paysBack(wallet);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
    await stage().expectNoGap(alpha);
  });

  it("the user's deposit, whose refund was cancelled because the fill was paid: counts again", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, refundTo, wallet } = await reverted([{ payer: 0, value: ether }]);
    const { deposits } = await reached(emulator, idOf(quote), "refund");
    const hash = deposits[0]?.txHash ?? "0x";
    const raw = await signedBytes(alpha, hash);
    await stage().lose(beta, 1, true);
    await fillMined(quote);
    await stage().lose(alpha);
    await holds(quote, "the cancel", (history) => hasCancel(history, "mined"));
    await paysBack(wallet);
    await loseFrom(hash);
    await until(
      async () => ((await outstandingOf(fixture, wallet)) > 2_450 ? true : undefined),
      "the loss of the deposit",
    );
    await resend(raw);
    await paysBack(wallet);
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    await stage().expectNoGap(alpha);
    expect(await refundedTo(refundTo)).to.equal(0n);
  });

  it("twice, and the first refund of its excess is mined at last: all is refunded once", async () => {
    const { alpha, emulator } = fixture;
    const { quote, refundTo, wallet } = await filledFast();
    const hash = await deposit(fixture, orderIdOf(quote), (ether * 3n) / 2n);
    const first = await holds(quote, "the refund", ({ children: [child] }) => child?.status === "refund");
    const child = first.children[0]?.requestId as Hex;
    const ofExcess = async (kind: string, state: string) =>
      until(async () => {
        const { transactions } = await historyOf(emulator, child);
        return transactions.find((each) => each.kind === kind && each.state === state)?.hash;
      }, `the ${kind} of the excess`);
    const payment = await signedBytes(alpha, hash);
    const refund = await signedBytes(alpha, await ofExcess("refund", "mined"));
    await stage().lose(alpha, 2);
    await ofExcess("cancel", "mined");
    const other = await signedBytes(
      alpha,
      await deposit(fixture, orderIdOf(quote), ether, {
        depositor: alpha.wallet(0).account.address,
        payer: 3,
      }),
    );
    await paysBack(wallet);
    await resend(payment);
    await holds(
      quote,
      "both refunds",
      ({ children }) => children.length === 2 && children.every(({ status }) => status === "refund"),
    );
    expect(await refundedTo(refundTo)).to.be.within(...isAbout((ether * 3n) / 2n));
    await automine(alpha, false);
    await loseFrom(await ofExcess("cancel", "mined"));
    await mineInstead(alpha, await ofExcess("cancel", "signed"), [refund, other]);
    await reached(emulator, child, "refund");
    await paysBack(wallet);
    await resend(payment);
    await mine(alpha);
    await holds(
      quote,
      "both refunds again",
      ({ children }) => children.length === 2 && children.every(({ status }) => status === "refund"),
    );
    await stage().expectNoGap(alpha);
    expect(await refundedTo(refundTo)).to.be.within(...isAbout((ether * 3n) / 2n));
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
  });

  it("in a smaller amount than its refunded excess, then vanishes again: no more is refunded than came", async () => {
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const payer = alpha.wallet(4);
    // Sends its balance on with the calldata.
    const forwarder = fresh();
    const holdings = async (value: bigint) => {
      await setCode(alpha, forwarder, `0x365f5f375f5f365f4773${depository.slice(2)}5af100`);
      await askNode(alpha, "hardhat_setBalance", forwarder, toHex(value));
    };
    const { quote, refundTo, wallet } = await filledFast();
    const args = [alpha.wallet(0).account.address, orderIdOf(quote)] as const;
    const data = encodeFunctionData({ abi: relayDepositoryAbi, args, functionName: "depositNative" });
    await holdings((ether * 3n) / 2n);
    const prepared = await payer.prepareTransactionRequest({ data, gas: 500_000n, to: forwarder });
    const raw = await payer.signTransaction(prepared);
    await resend(raw);
    await holds(quote, "the refund", ({ children: [child] }) => child?.status === "refund");
    await loseFrom(keccak256(raw));
    await holds(quote, "the loss", ({ children: [child] }) => child?.status === "failure");
    await holdings((ether * 3n) / 10n);
    await resend(raw);
    await holds(quote, "the refund again", ({ children: [child] }) => child?.status === "refund");
    expect(await refundedTo(refundTo)).to.be.within(...isAbout((ether * 3n) / 10n));
    expect(await outstandingOf(fixture, wallet)).to.be.above(2_450);
    await loseFrom(keccak256(raw));
    await holds(quote, "the second loss", ({ children: [child] }) => child?.status === "failure");
    await stage().expectNoGap(alpha);
    expect(await refundedTo(refundTo)).to.equal(0n);
  });
});
