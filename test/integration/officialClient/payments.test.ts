import { createClient, type Execute, type ProgressData, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { type Address, type Hex, parseEther, zeroAddress } from "viem";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { localVaultAbi } from "../../../src/abi/LocalVault.ts";
import { calls } from "../../../src/calls/calls.ts";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { earn, balanceOf as feesOf } from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { fiftyDollars, gasSpent } from "../../helpers/quotes/intents.ts";
import { depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

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

  // @spec quote-request/error
  it("receives the message of a refused quote", async () => {
    const error = await failureOf(quoteOf({ toCurrency: recipient }));
    expect(error).to.be.instanceOf(Error);
    expect((error as Error).message).to.match(/Invalid input or output currency/);
  });
});

describe("the service's official client claims app fees, unmodified", () => {
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

  /** The wallet, and the amounts of the last claim that it signed. */
  function recordSigned(wallet: ReturnType<typeof fixture.alpha.wallet>) {
    let message: Record<string, unknown> = {};
    const signTypedData: typeof wallet.signTypedData = (data) => {
      message = data.message as Record<string, unknown>;
      return wallet.signTypedData(data);
    };
    const amountOf = (name: string) => BigInt(String(message[name]));
    return {
      amounts: () => ({ amount: amountOf("amount"), payout: amountOf("payout") }),
      wallet: { ...wallet, signTypedData } as typeof wallet,
    };
  }

  // @spec endpoints/claim-app-fees
  it("the whole balance has arrived when claimAppFees resolves", async () => {
    const { alpha } = fixture;
    const wallet = alpha.wallet(5);
    const { address } = wallet.account;
    await earn(fixture, address);
    const currency = alpha.currency("USDC");
    const recipient = fresh();
    const held = await feesOf(fixture, address);
    const { solver } = fixture.emulator.info;
    const before = await alpha.balanceOf(currency, solver);
    const signing = recordSigned(wallet);
    await client.actions.claimAppFees({
      chainId: alpha.info.id,
      currency,
      recipient,
      wallet: signing.wallet,
    });
    const arrived = await alpha.balanceOf(currency, recipient);
    expect(signing.amounts()).to.deep.equal({ amount: held, payout: arrived });
    expect(before - (await alpha.balanceOf(currency, solver))).to.equal(arrived);
    expect(arrived > 0n && arrived < held).to.equal(true);
    expect(await feesOf(fixture, address)).to.equal(0n);
  });
});

describe("the service's official client fills fast, unmodified", () => {
  let client: RelayClient;
  const fixture = useEmulator({ defaultKey: true });
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });

  async function quoted(options: Parameters<typeof client.actions.getQuote>[0]["options"] = {}) {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const quote = await client.actions.getQuote({
      options,
      amount: parseEther("1").toString(),
      chainId: alpha.info.id,
      currency: zeroAddress,
      recipient,
      toChainId: beta.info.id,
      toCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user: alpha.wallet(0).account.address,
    });
    const requestId = quote.steps[0]?.requestId as Hex;
    return { quote, recipient, requestId };
  }

  // @spec endpoints/fast-fill
  it("fastFill pays the recipient before execute deposits, and nothing is paid twice", async () => {
    const { quote, recipient, requestId } = await quoted();
    const { solver } = fixture.emulator.info;
    const held = await fixture.beta.balanceOf(zeroAddress, solver);
    const answer = await client.actions.fastFill({ requestId });
    expect(answer).to.deep.equal({ message: "Request successfully queued for fast fill." });
    await reached(fixture.emulator, requestId, "success");
    const output = BigInt(quote.details?.currencyOut?.amount ?? -1);
    expect(await fixture.beta.balanceOf(zeroAddress, recipient)).to.equal(output);
    const { depository } = fixture.alpha.info.contracts;
    const deposited = await fixture.alpha.balanceOf(zeroAddress, depository);
    await client.actions.execute({ quote, wallet: fixture.alpha.wallet(0) });
    expect(await fixture.beta.balanceOf(zeroAddress, recipient)).to.equal(output);
    expect((await fixture.alpha.balanceOf(zeroAddress, depository)) - deposited).to.equal(parseEther("1"));
    const { transactions } = await historyOf(fixture.emulator, requestId);
    expect(transactions).to.have.length(1);
    const gas = await gasSpent(fixture.beta, transactions[0]?.hash as Hex);
    expect(held - (await fixture.beta.balanceOf(zeroAddress, solver))).to.equal(output + gas);
  });
});

describe("the service's official client is sponsored, unmodified", () => {
  const fixture = useEmulator({ defaultKey: true });
  const sponsor = () => fixture.emulator.info.apiKeys[0]?.id ?? "";
  before(async () => {
    createClient({ baseApiUrl: fixture.emulator.info.apiUrl, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });

  it("a sponsored quote: the recipient gets the whole input, and the first key's balance pays the fees once", async () => {
    const { alpha, beta, emulator } = fixture;
    const { sponsors } = emulator.control;
    await sponsors.set({ amount: 100_000_000n, apiKeyId: sponsor() });
    const recipient = fresh();
    const { actions } = createClient({ baseApiUrl: emulator.info.apiUrl, source: "waybill.test" });
    const quote = await actions.getQuote({
      amount: fiftyDollars("USDC").toString(),
      chainId: alpha.info.id,
      currency: alpha.currency("USDC"),
      options: { refundTo: fresh(), subsidizeFees: true },
      recipient,
      toChainId: beta.info.id,
      toCurrency: beta.currency("USDC"),
      tradeType: "EXACT_INPUT",
      user: alpha.wallet(0).account.address,
    });
    await actions.execute({ quote, wallet: alpha.wallet(0) });
    expect(await beta.balanceOf(beta.currency("USDC"), recipient)).to.equal(fiftyDollars("USDC"));
    const entries = await sponsors.entries(sponsor());
    expect(entries.filter(({ requestId }) => requestId === quote.steps[0]?.requestId)).to.have.length(1);
    expect(((await sponsors.get(sponsor())) ?? 0n) < 100_000_000n).to.equal(true);
  });
});

describe("the service's official client quotes deposit addresses, unmodified", () => {
  let client: RelayClient;
  const fixture = useEmulator();
  const { pay } = depositAddressStage(fixture);
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });

  /** Balances that a payment changes, in smallest units of its currency. */
  async function books(symbol: "ETH" | "USDC", recipient: Address) {
    const { alpha, beta, emulator } = fixture;
    const { depository } = alpha.info.contracts;
    return {
      deposited: await alpha.balanceOf(alpha.currency(symbol), depository),
      received: await beta.balanceOf(beta.currency(symbol), recipient),
      solver: await beta.balanceOf(beta.currency(symbol), emulator.info.solver),
    };
  }

  for (const symbol of ["ETH", "USDC"] as const) {
    for (const by of ["another account's plain transfer", "execute"] as const) {
      it(`${symbol} paid by ${by}: arrives to the unit that the solver spent, and the deposit is whole`, async () => {
        const { alpha, beta, emulator } = fixture;
        const [recipient, amount] = [fresh(), fiftyDollars(symbol)];
        const quote = await client.actions.getQuote({
          amount: amount.toString(),
          chainId: alpha.info.id,
          currency: alpha.currency(symbol),
          options: { refundTo: fresh(), strict: true, useDepositAddress: true },
          recipient,
          toChainId: beta.info.id,
          toCurrency: beta.currency(symbol),
          tradeType: "EXACT_INPUT",
          user: alpha.wallet(0).account.address,
        });
        const [step] = quote.steps;
        const address = step?.depositAddress as Address;
        const before = await books(symbol, recipient);
        if (by === "execute") await client.actions.execute({ quote, wallet: alpha.wallet(0) });
        else await pay(address, symbol, amount, payer);
        const { transactions } = await reached(
          emulator,
          step?.requestId as Hex,
          "success",
          "refund",
          "failure",
        );
        const fill = transactions.find(({ kind }) => kind === "fill")?.hash as Hex;
        const after = await books(symbol, recipient);
        const gas = symbol === "ETH" ? await gasSpent(beta, fill) : 0n;
        const received = after.received - before.received;
        expect(received).to.equal(before.solver - after.solver - gas);
        expect(received.toString()).to.equal(quote.details?.currencyOut?.amount);
        // The documented fees: two cents and the gas of fill and sweep.
        const cent = symbol === "ETH" ? 4_000_000_000_000n : 10_000n;
        expect(amount - received >= 2n * cent && amount - received < amount / 10n).to.equal(true);
        expect(after.deposited - before.deposited).to.equal(amount);
        expect(await alpha.balanceOf(alpha.currency(symbol), address)).to.equal(0n);
      });
    }
  }
});
