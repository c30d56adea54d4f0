import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseUnits,
  zeroAddress,
} from "viem";
import { readArtifact } from "../../../emulator/chains/setup/artifacts.ts";
import { calls } from "../../../src/calls/calls.ts";
import { getQuote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import { carryOut, endOf, movePool, sendAs } from "../../helpers/quotes/intents.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  refunded,
  replay,
  reverting,
  senderOf,
} from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

const poolAbi = parseAbi([
  "function factory() view returns (address)",
  "function getPair(address a, address b) view returns (address)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function sync()",
]);

describe("reasons of failures, from their real causes", () => {
  const fixture = useEmulator({ reorgs: true });

  const control = () => fixture.emulator.control;
  /** Calls of the destination's router. */
  const plan = () => calls({ router: fixture.beta.info.contracts.v3.erc20Router, routerVersion: "v3" });

  it("a call that moves more than its owner's balance", async () => {
    const { beta } = fixture;
    const token = beta.currency("USDC");
    const owner = beta.wallet(4).account.address;
    const data = encodeFunctionData({
      abi: erc20Abi,
      args: [owner, fresh(), 5_000_000n],
      functionName: "transferFrom",
    });
    const approve = erc20Data("approve", beta.info.contracts.v3.erc20Router, maxUint256);
    await sendAs(beta, 4, { data: approve, to: token });
    const quote = await quoteOf(fixture, {
      destinationCurrency: token,
      txs: [{ data, to: token, value: 0n }],
    });
    const of = { account: owner, chainId: beta.info.id, currency: token } as const;
    const held = await control().balances.get(of);
    await control().balances.set({ ...of, amount: 4_999_999n });
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("TRANSFER_AMOUNT_EXCEEDS_BALANCE");
    expect(await replay(beta, history)).to.equal(history.details);
    await control().balances.set({ ...of, amount: held });
  });

  it("a swap among the calls that returns less than the user's minimum", async () => {
    const { beta } = fixture;
    const [usdc, usdt] = [beta.currency("USDC"), beta.currency("USDT")];
    const router = beta.info.contracts.uniswapV2Router;
    const amount = parseUnits("100", 6);
    const least = parseUnits("99", 6);
    const { txs } = plan()
      .approve({ amount, spender: router, token: usdc })
      .call({
        abi: poolAbi,
        address: router,
        args: [amount, least, [usdc, usdt], fresh(), maxUint256],
        functionName: "swapExactTokensForTokens",
      });
    const quote = await quoteOf(fixture, {
      amount: 2n * amount,
      destinationCurrency: usdc,
      originCurrency: fixture.alpha.currency("USDC"),
      txs: [...txs],
    });
    await movePool(beta, "USDC", "USDT", 5n);
    expect((await endOf(fixture, quote)).status).to.equal("refund");
    const history = await refunded(fixture, quote);
    await control().prices.repegPools(beta.info.id);
    expect(history.failReason).to.equal("TOO_LITTLE_RECEIVED");
    expect(history.details).to.match(/INSUFFICIENT_OUTPUT_AMOUNT/);
    expect(await replay(beta, history)).to.equal(history.details);
  });

  it("a sweep to a recipient that rejects ether, and one of a token to the zero address", async () => {
    const { beta } = fixture;
    const target = fresh();
    const native = await quoteOf(fixture, { txs: [...plan().sweepNative({ recipient: target }).txs] });
    await setCode(beta, target, reverting);
    await deposit(fixture, orderIdOf(native));
    const history = await refunded(fixture, native);
    expect([history.failReason, history.details]).to.deep.equal(["TRANSFER_FAILED", "ETHTransferFailed()"]);
    expect(await replay(beta, history)).to.equal(history.details);

    const blocked = fresh();
    const { abi, bytecode } = readArtifact("mocks/BlocklistToken");
    const { contractAddress: token } = await beta.reader.waitForTransactionReceipt({
      hash: await beta.wallet(2).deployContract({ abi, bytecode }),
    });
    if (!token) throw new Error("no token");
    const { txs } = plan()
      .call({
        abi,
        address: token,
        args: [fixture.beta.info.contracts.v3.erc20Router, 5n],
        functionName: "mint",
      })
      .sweepErc20s({ recipient: blocked, tokens: [token] });
    const swept = await quoteOf(fixture, { txs: [...txs] });
    const block = encodeFunctionData({ abi, args: [blocked, true], functionName: "setBlocked" });
    await sendAs(beta, 2, { data: block, to: token });
    await deposit(fixture, orderIdOf(swept));
    const second = await refunded(fixture, swept);
    expect([second.failReason, second.details]).to.deep.equal(["TRANSFER_FAILED", "TransferFailed()"]);
    expect(await replay(beta, second)).to.equal(second.details);
  });

  it("a deposit that a reorg removes, and that returns", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    await control().faults.add({ delayMs: 3_600_000, kind: "fill-slow", requestId: idOf(quote) });
    const pay = await senderOf(fixture, quote);
    const hash = await pay();
    await reached(fixture.emulator, idOf(quote), "pending");
    await control().chains.reorg({ blocks: 1, chainId: alpha.info.id, returns: false });
    const lost = await reached(fixture.emulator, idOf(quote), "failure");
    expect([lost.failReason, lost.deposits[0]?.txStatus]).to.deep.equal(["DEPOSIT_REORGED", "failure"]);
    await control().faults.clear();
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(0n);

    expect(await pay()).to.equal(hash);
    const found = await reached(fixture.emulator, idOf(quote), "success");
    expect([found.failReason, found.deposits.length]).to.deep.equal([null, 1]);
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(
      BigInt(quote.details.currencyOut?.amount ?? 0),
    );
  });

  it("a refund whose swap back has no pool any more", async () => {
    const { alpha } = fixture;
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await quoteOf(fixture, {
      amount: parseUnits("500", 6),
      originCurrency: alpha.currency("USDT"),
      recipient,
      refundTo,
    });
    await control().faults.add({ delayMs: 3_600_000, kind: "fill-slow", requestId: idOf(quote) });
    await setCode(fixture.beta, recipient, reverting);
    const done = carryOut(fixture, quote).catch((error: unknown) => error);
    await reached(fixture.emulator, idOf(quote), "pending");
    await emptyPool(alpha, "USDC", "USDT");
    await control().faults.clear();
    const history = await refunded(fixture, quote);
    await done;
    expect([history.failReason, history.refundFailReason]).to.deep.equal([
      "DESTINATION_TOKEN_TRANSFER_REJECTED",
      "SWAP_CURRENCY_NOT_ON_ORIGIN",
    ]);
    expect((await alpha.balanceOf(alpha.currency("USDC"), refundTo)) > parseUnits("490", 6)).to.equal(true);
    // No quote promises a swap there, either.
    const refused = await getQuote(fixture.client, {
      amount: parseUnits("5", 6),
      destinationChainId: alpha.info.id,
      destinationCurrency: alpha.currency("USDC"),
      originChainId: alpha.info.id,
      originCurrency: alpha.currency("USDT"),
      recipient,
      tradeType: "EXACT_INPUT",
      user: alpha.wallet(0).account.address,
    }).catch((error: { errorCode?: string }) => error.errorCode);
    expect(refused).to.equal("NO_SWAP_ROUTES_FOUND");
  });

  /** Empties a pool, as if all providers had withdrawn. */
  async function emptyPool(chain: TestChain, ...symbols: readonly ["USDC", "USDT"]): Promise<void> {
    const tokens = symbols.map((symbol) => chain.currency(symbol)) as [Address, Address];
    const router = { abi: poolAbi, address: chain.info.contracts.uniswapV2Router } as const;
    const factory = await chain.reader.readContract({ ...router, functionName: "factory" });
    const pool = await chain.reader.readContract({
      abi: poolAbi,
      address: factory,
      args: tokens,
      functionName: "getPair",
    });
    for (const currency of tokens) {
      await control().balances.set({ account: pool, amount: 0n, chainId: chain.info.id, currency });
    }
    await sendAs(chain, 9, { data: encodeFunctionData({ abi: poolAbi, functionName: "sync" }), to: pool });
  }
});
