import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseUnits,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { readArtifact } from "../../../emulator/chains/setup/artifacts.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  refunded,
  replay,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

/** Code of a token of which every account has plenty, and that cannot be transferred. */
const blocking = "0x60003560e01c63a9059cbb14601c57600160801b60005260206000f35b60006000fd";
const swapAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
]);

describe("what goes wrong with a fill", () => {
  const fixture = useEmulator();

  it("says with which call of the user's a fill reverts, and decodes why", async () => {
    const token = fixture.beta.currency("USDC");
    const spend = encodeFunctionData({
      abi: erc20Abi,
      args: [fixture.beta.wallet(4).account.address, fresh(), 5_000_000n],
      functionName: "transferFrom",
    });
    const wallet = fixture.beta.wallet(4);
    const approve = (amount: bigint) =>
      wallet.writeContract({
        abi: erc20Abi,
        address: token,
        args: [fixture.beta.info.contracts.v3.erc20Router, amount],
        functionName: "approve",
      });
    await approve(maxUint256);
    const txs = [{ data: spend, to: token, value: 0n }];
    const quote = await quoteOf(fixture, { destinationCurrency: token, txs });
    await approve(0n);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE");
    expect(history.details).to.match(/InsufficientAllowance/);
    // What it met then is what it meets again, whatever has changed since.
    await approve(maxUint256);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
    expect(history.events.map(({ status }) => status)).to.deep.equal([
      "waiting",
      "pending",
      "pending",
      "refund",
    ]);
  });

  it("tells a call that reverts with an error of its own, as it is", async () => {
    const { abi, bytecode } = readArtifact("mocks/RejectingRecipient");
    const target = fresh();
    const quote = await quoteOf(fixture, { txs: [{ data: "0x", to: target, value: 1_000n }] });
    const { contractAddress } = await fixture.beta.reader.waitForTransactionReceipt({
      hash: await fixture.beta.wallet(5).deployContract({ abi, bytecode }),
    });
    const code = await fixture.beta.reader.getCode({ address: contractAddress as Address });
    await setCode(fixture.beta, target, code as Hex);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("EXECUTION_REVERTED");
    // The selector and the argument of an error that no ABI here has.
    expect(history.details).to.equal(
      `0x${toFunctionSelector("Rejected(uint256)").slice(2)}${(1_000).toString(16).padStart(64, "0")}`,
    );
    expect(await replay(fixture.beta, history)).to.equal(history.details);
  });

  it("says that a call reverted without a word", async () => {
    const target = fresh();
    const quote = await quoteOf(fixture, { txs: [{ data: "0x", to: target, value: 1_000n }] });
    await setCode(fixture.beta, target, reverting);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("MISSING_REVERT_DATA");
    expect(await replay(fixture.beta, history)).to.equal(history.details);
  });

  it("refunds when the recipient does not take ether", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    await setCode(fixture.beta, recipient, reverting);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
    expect(await replay(fixture.beta, history)).to.equal(history.details);
  });

  it("refunds when the token does not let the recipient have it", async () => {
    const token = fixture.beta.currency("USDC");
    const quote = await quoteOf(fixture, { destinationCurrency: token });
    const code = (await fixture.beta.reader.getCode({ address: token })) as Hex;
    await setCode(fixture.beta, token, blocking);
    try {
      await deposit(fixture, orderIdOf(quote));
      const history = await refunded(fixture, quote);
      expect(history.failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
      expect(await replay(fixture.beta, history)).to.equal(history.details);
    } finally {
      await setCode(fixture.beta, token, code);
    }
  });

  it("tells a fill that was mined and reverted, with its transaction and block", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    const automine = (isOn: boolean) =>
      fixture.beta.reader.request({ method: "evm_setAutomine", params: [isOn] } as never);
    await automine(false);
    try {
      await deposit(fixture, orderIdOf(quote));
      await reached(fixture.emulator, idOf(quote), "submitted");
      await setCode(fixture.beta, recipient, reverting);
      await fixture.beta.reader.request({ method: "evm_mine" } as never);
    } finally {
      await automine(true);
    }
    const history = await refunded(fixture, quote);
    const [fill, refund] = history.transactions;
    expect([history.failReason, fill?.state, refund?.state]).to.deep.equal([
      "TRANSACTION_REVERTED",
      "reverted",
      "mined",
    ]);
    const receipt = await fixture.beta.reader.getTransactionReceipt({ hash: fill?.hash as Hex });
    expect([history.failedTxHash, history.failedTxBlockNumber]).to.deep.equal([
      fill?.hash,
      Number(receipt.blockNumber),
    ]);
    expect(BigInt(fill?.fee ?? 0)).to.equal(receipt.gasUsed * receipt.effectiveGasPrice);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
  });

  it("refunds when the pool moved between quote and fill", async () => {
    const [usdc, usdt] = [fixture.beta.currency("USDC"), fixture.beta.currency("USDT")];
    const quote = await quoteOf(fixture, {
      amount: parseUnits("100", 6),
      destinationCurrency: usdt,
      originCurrency: fixture.alpha.currency("USDC"),
      slippageTolerance: "50",
    });
    const wallet = fixture.beta.wallet(6);
    const router = fixture.beta.info.contracts.uniswapV2Router;
    const amount = parseUnits("10000000", 6);
    await fixture.emulator.control.balances.set({
      account: wallet.account.address,
      amount,
      chainId: fixture.beta.info.id,
      currency: usdc,
    });
    await wallet.writeContract({
      abi: erc20Abi,
      address: usdc,
      args: [router, amount],
      functionName: "approve",
    });
    await wallet.writeContract({
      abi: swapAbi,
      address: router,
      args: [amount, 0n, [usdc, usdt], wallet.account.address, maxUint256],
      functionName: "swapExactTokensForTokens",
    });
    const transfer = erc20Data("transfer", fixture.emulator.info.solver, parseUnits("100", 6));
    await fixture.alpha.wallet(0).sendTransaction({
      data: `${transfer}${idOf(quote).slice(2)}`,
      to: fixture.alpha.currency("USDC"),
    });
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("SLIPPAGE");
    await fixture.emulator.control.prices.repegPools(fixture.beta.info.id);
  });

  it("swaps the deposit back to what the user paid, or pays it out where the way back is too dear", async () => {
    const user = fixture.alpha.wallet(0);
    const [usdc, usdt] = [fixture.alpha.currency("USDC"), fixture.alpha.currency("USDT")];
    /** Has a bridge of tether fail on the other side, and answers with what `refundTo` got back. */
    async function failedBridge(slippageTolerance: string) {
      const [recipient, refundTo] = [fresh(), fresh()];
      const quote = await quoteOf(fixture, {
        amount: parseUnits("500", 6),
        originCurrency: usdt,
        recipient,
        refundTo,
        slippageTolerance,
      });
      await setCode(fixture.beta, recipient, reverting);
      await execute(fixture.client, {
        publicClient: fixture.alpha.reader,
        quote,
        timeout: 20_000,
        verify: false,
        wallet: user,
      }).catch((error: unknown) => {
        if (!(error instanceof RequestFailedError)) throw error;
      });
      const history = await refunded(fixture, quote);
      expect(history.failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
      const back = [
        await fixture.alpha.balanceOf(usdc, refundTo),
        await fixture.alpha.balanceOf(usdt, refundTo),
      ];
      return { back, history };
    }
    const near = await failedBridge("200");
    expect(near.back[0]).to.equal(0n);
    expect((near.back[1] ?? 0n) > parseUnits("490", 6)).to.equal(true);
    // The pool keeps 30 basis points of what is swapped back, and this user agreed to 20.
    const dear = await failedBridge("20");
    expect(dear.back[1]).to.equal(0n);
    expect((dear.back[0] ?? 0n) > parseUnits("490", 6)).to.equal(true);
    expect(dear.history.details).to.match(/^REVERSE_SWAP_FAILED/);
  });

  it("refunds what the solver cannot pay, and what it does not lend to one request", async () => {
    const poor = await quoteOf(fixture);
    const capacity = await quoteOf(fixture);
    const account = fixture.emulator.info.solver;
    const of = { account, chainId: fixture.beta.info.id, currency: zeroAddress } as const;
    const held = await fixture.emulator.control.balances.get(of);
    await fixture.emulator.control.balances.set({ ...of, amount: ether / 2n });
    await deposit(fixture, orderIdOf(poor));
    expect((await refunded(fixture, poor)).failReason).to.equal("SOLVER_BALANCE_TOO_LOW");
    await fixture.emulator.control.balances.set({ ...of, amount: held });

    await fixture.emulator.control.config.set({ capacityPerRequest: "1000" });
    await deposit(fixture, orderIdOf(capacity));
    expect((await refunded(fixture, capacity)).failReason).to.equal("SOLVER_CAPACITY_EXCEEDED");
    await fixture.emulator.control.config.set({ capacityPerRequest: "10000000" });
  });

  it("refunds calls that take more gas than the quote allows", async () => {
    const target = fresh();
    const quote = await quoteOf(fixture, {
      txs: [{ data: "0x", to: target, value: 1n }],
      txsGasLimit: 60_000,
    });
    // Writes a new place in storage each time, five times.
    await setCode(
      fixture.beta,
      target,
      `0x${[1, 2, 3, 4, 5].map((slot) => `600160${slot.toString(16).padStart(2, "0")}55`).join("")}00`,
    );
    await deposit(fixture, orderIdOf(quote));
    expect((await refunded(fixture, quote)).failReason).to.equal("QUOTED_GAS_LIMIT_EXCEEDED");
  });
});
