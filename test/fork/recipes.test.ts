import { expect } from "chai";
import { type Address, parseEther, zeroAddress } from "viem";
import type { Call } from "../../src/calls/Call.ts";
import { calls } from "../../src/calls/calls.ts";
import {
  swapFromNativeOnUniswapV2,
  swapOnUniswapV2,
  swapToNativeOnUniswapV2,
} from "../../src/calls/recipes/uniswapV2.ts";
import { unwrapNative, wrapNative } from "../../src/calls/recipes/wrappedNative.ts";
import { deploy, gained } from "../helpers/localChain.ts";
import { quoteFor } from "../helpers/quotes/intents.ts";
import { runToEnd } from "../helpers/requests/requestRun.ts";
import { mainnet } from "./replica/addresses.ts";
import { useFork } from "./support/useFork.ts";

const { uniswapV2, usdc, usdt, weth } = mainnet;
const deadline = 10n ** 12n;
let counter = 0;
/** An account without history on any chain. */
const fresh = (): Address => `0x${(0xa11ce_0001_0000n + BigInt(++counter)).toString(16).padStart(40, "0")}`;

// `destinations.test.ts` runs the recipes for vaults, lending pools and NFTs.
describe("recipes on Ethereum", () => {
  const fork = useFork();
  let proxy: Address;
  before("deploy the proxy", async () => {
    proxy = await deploy(fork.ethereum, "proxy/BalanceProxy");
  });

  const router = () => fork.ethereum.info.contracts.v3.erc20Router;

  /** Sends about fifty dollars to the calls, and returns what a recipient gains of a currency. */
  const run = async (
    arriving: "ETH" | "USDC" | "USDT" | "WETH",
    bought: Address,
    compose: (recipient: Address) => readonly Call[],
  ) => {
    const recipient = fresh();
    const { txs } = calls({ proxy, router: router() }).add(compose(recipient));
    const quote = await quoteFor(fork, { from: "USDC", recipient, to: arriving, txs: [...txs] });
    const got = await gained(fork.ethereum, bought, recipient, async () => {
      expect((await runToEnd(fork, quote)).status).to.equal("success");
    });
    for (const token of [usdc, usdt, weth]) await fork.assertEmpty(token, [router(), proxy]);
    await fork.assertEmpty(zeroAddress, [router(), proxy]);
    return { arrived: BigInt(quote.details?.currencyOut.amount ?? 0), got };
  };

  it("swapOnUniswapV2: USDC that arrives becomes WETH, at least the minimum", async () => {
    const minimumOutput = parseEther("0.005");
    const { got } = await run("USDC", weth, (recipient) =>
      swapOnUniswapV2({
        deadline,
        minimumOutput,
        path: [usdc, weth],
        proxy,
        recipient,
        swapRouter: uniswapV2.router,
      }),
    );
    expect(got >= minimumOutput).to.equal(true);
  });

  it("swapOnUniswapV2: USDT, whose functions return nothing, becomes USDC over WETH", async () => {
    const { got } = await run("USDT", usdc, (recipient) =>
      swapOnUniswapV2({
        deadline,
        minimumOutput: 40_000_000n,
        path: [usdt, weth, usdc],
        proxy,
        recipient,
        swapRouter: uniswapV2.router,
      }),
    );
    expect(got >= 40_000_000n).to.equal(true);
  });

  it("swapToNativeOnUniswapV2: USDC that arrives becomes ether", async () => {
    const minimumOutput = parseEther("0.005");
    const { got } = await run("USDC", zeroAddress, (recipient) =>
      swapToNativeOnUniswapV2({
        deadline,
        minimumOutput,
        path: [usdc, weth],
        proxy,
        recipient,
        swapRouter: uniswapV2.router,
      }),
    );
    expect(got >= minimumOutput).to.equal(true);
  });

  it("swapFromNativeOnUniswapV2: ether that arrives becomes USDC", async () => {
    const minimumOutput = 20_000_000n;
    const { got } = await run("ETH", usdc, (recipient) =>
      swapFromNativeOnUniswapV2({
        deadline,
        minimumOutput,
        path: [weth, usdc],
        proxy,
        recipient,
        router: router(),
        swapRouter: uniswapV2.router,
      }),
    );
    expect(got >= minimumOutput).to.equal(true);
  });

  it("wrapNative: ether that arrives becomes as much WETH9", async () => {
    const { arrived, got } = await run("ETH", weth, (recipient) =>
      wrapNative({ proxy, recipient, router: router(), wrappedNative: weth }),
    );
    expect(got).to.equal(arrived);
  });

  it("unwrapNative: WETH9 that arrives becomes as much ether", async () => {
    const { arrived, got } = await run("WETH", zeroAddress, (recipient) =>
      unwrapNative({ proxy, recipient, wrappedNative: weth }),
    );
    expect(got).to.equal(arrived);
  });
});
