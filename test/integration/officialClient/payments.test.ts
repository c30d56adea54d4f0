import { createClient, type Execute, type ProgressData, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { parseEther, parseUnits, zeroAddress } from "viem";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { localVaultAbi } from "../../../src/abi/LocalVault.ts";
import { calls } from "../../../src/calls/calls.ts";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";

const recipient = "0x00000000000000000000000000000000000b0bb0";

describe("the service's official client, unmodified", () => {
  let client: RelayClient;
  const fixture = useEmulator();
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });

  type QuoteParameters = Parameters<RelayClient["actions"]["getQuote"]>[0];

  async function quoteOf(overrides: Partial<QuoteParameters> = {}): Promise<Execute> {
    const user = fixture.alpha.wallet(0).account.address;
    return client.actions.getQuote({
      amount: parseEther("1").toString(),
      chainId: fixture.alpha.info.id,
      currency: zeroAddress,
      recipient,
      toChainId: fixture.beta.info.id,
      toCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user,
      ...overrides,
    });
  }

  async function run(quote: Execute): Promise<ProgressData[]> {
    const progress: ProgressData[] = [];
    await client.actions.execute({
      onProgress: (data) => progress.push(data),
      quote,
      wallet: fixture.alpha.wallet(0),
    });
    return progress;
  }

  function amountOut(quote: Execute): bigint {
    return BigInt(quote.details?.currencyOut?.amount ?? -1);
  }

  // @spec chain/list
  it("reads the chains of the emulator", () => {
    expect(client.chains.map(({ id }) => id)).to.deep.equal([fixture.alpha.info.id, fixture.beta.info.id]);
  });

  // @spec service/flow steps/request-id
  it("bridges native money, which has arrived when execute resolves", async () => {
    const before = await fixture.beta.balanceOf(zeroAddress, recipient);
    const quote = await quoteOf();
    const progress = await run(quote);
    const after = await fixture.beta.balanceOf(zeroAddress, recipient);
    expect(after - before).to.equal(amountOut(quote));
    expect(progress.at(-1)?.txHashes?.map(({ chainId }) => chainId)).to.include(fixture.beta.info.id);
  });

  // @spec calls/exact-output quote-request/trade-type
  it("delivers an exact output", async () => {
    const amount = parseEther("0.123456789");
    const before = await fixture.beta.balanceOf(zeroAddress, recipient);
    await run(await quoteOf({ amount: amount.toString(), tradeType: "EXACT_OUTPUT" }));
    expect((await fixture.beta.balanceOf(zeroAddress, recipient)) - before).to.equal(amount);
  });

  // @spec step/approval
  it("approves and bridges a token", async () => {
    const token = fixture.beta.currency("USDC");
    const before = await fixture.beta.balanceOf(token, recipient);
    const quote = await quoteOf({
      amount: parseUnits("75", 6).toString(),
      currency: fixture.alpha.currency("USDC"),
      toCurrency: token,
    });
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    await run(quote);
    expect((await fixture.beta.balanceOf(token, recipient)) - before).to.equal(amountOut(quote));
  });

  // @spec calls/live-balance quote-request/txs
  it("makes a call with txs: the output is in the vault when execute resolves", async () => {
    const token = fixture.beta.currency("USDC");
    const deploy = async (path: string, args: readonly unknown[]) => {
      const { abi, bytecode } = readArtifact(path);
      const hash = await fixture.beta.wallet(1).deployContract({ abi, args, bytecode });
      const { contractAddress } = await fixture.beta.reader.waitForTransactionReceipt({ hash });
      if (!contractAddress) throw new Error(`${path} was not deployed`);
      return contractAddress;
    };
    const vault = await deploy("service/currencies/LocalVault", [token, "Vault", "V"]);
    const proxy = await deploy("proxy/BalanceProxy", []);
    const { txs } = calls({ proxy, router: fixture.beta.info.contracts.v3.erc20Router })
      .proxyStep({
        abi: localVaultAbi,
        address: vault,
        args: [balanceOf(token), recipient],
        functionName: "deposit",
        recipient,
        token,
      })
      .sweepErc20s({ recipient, tokens: [token] });
    const quote = await quoteOf({ toCurrency: token, txs: [...txs] });
    await run(quote);
    const shares = await fixture.beta.balanceOf(vault, recipient);
    expect(shares).to.equal(amountOut(quote));
  });

  it("swaps on one chain: the recipient has the output when execute resolves", async () => {
    const { alpha } = fixture;
    for (const [from, to] of [
      ["ETH", "USDC"],
      ["USDT", "WETH"],
      ["WETH", "ETH"],
    ] as const) {
      const token = alpha.currency(to);
      const before = await alpha.balanceOf(token, recipient);
      const quote = await quoteOf({
        amount: (from === "USDT" ? parseUnits("75", 6) : parseEther("0.02")).toString(),
        currency: alpha.currency(from),
        toChainId: alpha.info.id,
        toCurrency: token,
      });
      expect(quote.steps.at(-1)?.id).to.equal("swap");
      await run(quote);
      expect((await alpha.balanceOf(token, recipient)) - before).to.equal(amountOut(quote));
    }
  });

  it("swaps across chains with a swap on both sides", async () => {
    const token = fixture.beta.currency("WETH");
    const before = await fixture.beta.balanceOf(token, recipient);
    const quote = await quoteOf({
      amount: parseUnits("75", 6).toString(),
      currency: fixture.alpha.currency("USDT"),
      toCurrency: token,
    });
    await run(quote);
    expect((await fixture.beta.balanceOf(token, recipient)) - before).to.equal(amountOut(quote));
  });

  // @spec quote-request/error
  it("receives the message of a refused quote", async () => {
    const error = await failureOf(quoteOf({ toCurrency: recipient }));
    expect(error).to.be.instanceOf(Error);
    expect((error as Error).message).to.match(/Invalid input or output currency/);
  });
});
