import { expect } from "chai";
import { type Address, encodeFunctionData, parseAbi, parseUnits } from "viem";
import { getQuote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { carryOut, sendAs } from "../../helpers/quotes/intents.ts";
import { fresh, idOf, quoteOf, refunded, reverting } from "../../helpers/requests/failureStage.ts";
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
