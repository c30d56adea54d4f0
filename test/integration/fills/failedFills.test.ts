import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, parseAbi, parseUnits } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  carryOut,
  endOf,
  finalStatus,
  quoteFor,
  requestIdOf,
  sendAs,
  symbols,
} from "../../helpers/quotes/intents.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  quoteRevokedAllowance,
  refunded,
  replay,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

describe("fills that fail", () => {
  const fixture = useEmulator();

  // @spec error/allowance calls/revalidated
  it("names the user's call that reverts in a fill, and decodes its error", async () => {
    const { approve, quote } = await quoteRevokedAllowance(fixture);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE");
    expect(history.details).to.match(/InsufficientAllowance/);
    // The replay runs on the state of the failed fill, whatever has changed since.
    await approve(5_000_000n);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
    expect(history.events.map(({ status }) => status)).to.deep.equal([
      ...["waiting", "pending", "pending", "refund"],
    ]);
  });

  it("swaps a refund back to the paid currency, or pays the deposit's currency where the swap costs more than the slippage", async () => {
    const { alpha, beta, emulator } = fixture;
    // The pool keeps 30 basis points of the swap back.
    for (const [slippageTolerance, paidIn] of [
      ["200", "USDT"],
      ["20", "USDC"],
    ] as const) {
      const [recipient, refundTo] = [fresh(), fresh()];
      const quote = await quoteOf(fixture, {
        amount: parseUnits("500", 6),
        originCurrency: alpha.currency("USDT"),
        recipient,
        refundTo,
        slippageTolerance,
      });
      await setCode(beta, recipient, reverting);
      const { failReason, status } = await endOf(fixture, quote);
      expect([status, failReason]).to.deep.equal(["refund", "DESTINATION_TOKEN_TRANSFER_REJECTED"]);
      for (const symbol of ["USDC", "USDT"] as const) {
        const back = await alpha.balanceOf(alpha.currency(symbol), refundTo);
        if (symbol === paidIn) expect(back > parseUnits("490", 6), slippageTolerance).to.equal(true);
        else expect(back, slippageTolerance).to.equal(0n);
      }
      const { details } = await historyOf(emulator, idOf(quote));
      expect(/^REVERSE_SWAP_FAILED/.test(details ?? "")).to.equal(paidIn === "USDC");
    }
  });
});

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

/** Loops 40,000 times: about a million gas. */
const costly: Hex = "0x61aaaa5b6001900380600357600000";

describe("gas of calls whose deposit is below the quote's", () => {
  const fixture = useEmulator({}, { each: true });

  /** A quote whose payment swaps first, with any slippage, and whose calls cost about a million gas. */
  async function quoteOfCalls() {
    const { beta } = fixture;
    const burner = fresh();
    await setCode(beta, burner, costly);
    const txs = [{ data: "0x", to: burner, value: "0" }] as const;
    const recipient = fresh();
    const wanted = {
      from: "USDT",
      recipient,
      slippageTolerance: "10000",
      to: "USDC",
      txs: [...txs],
    } as const;
    return { quote: await quoteFor(fixture, wanted), recipient };
  }

  /** Deposits USDC under the quote's orderId without the swap. */
  async function deposit(quote: Quote, amount: bigint) {
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const token = alpha.currency("USDC");
    await sendAs(alpha, 0, { data: erc20Data("approve", depository, amount), to: token });
    const args = [alpha.wallet(0).account.address, token, amount, orderIdOf(quote) as Hex] as const;
    const data = encodeFunctionData({ abi: relayDepositoryAbi, args, functionName: "depositErc20" });
    await sendAs(alpha, 0, { data, to: depository });
    return finalStatus(fixture, requestIdOf(quote));
  }

  const amountsOf = ({ details, fees }: Quote) => ({
    deposit: BigInt(details.route?.origin?.outputCurrency?.amount ?? 0),
    gas: BigInt(fees.relayerGas?.amount ?? 0),
  });

  it("half of the deposit: pays all of the gas, and less than half is spent on the output", async () => {
    const { quote } = await quoteOfCalls();
    const { deposit: expected, gas } = amountsOf(quote);
    const { beta, emulator } = fixture;
    const token = beta.currency("USDC");
    const before = await beta.balanceOf(token, emulator.info.solver);
    expect((await deposit(quote, expected / 2n)).status).to.equal("success");
    const spent = before - (await beta.balanceOf(token, emulator.info.solver));
    expect(spent <= expected / 2n - gas, `${spent} of ${expected / 2n} with ${gas} for gas`).to.equal(true);
  });
});

describe("gas of calls in the user's own transaction", () => {
  const fixture = useEmulator();

  it("calls that cost about a million gas: the gas of the step suffices, and is not much more than they need", async () => {
    const { alpha } = fixture;
    const burner = fresh();
    await setCode(alpha, burner, costly);
    const txs = [{ data: "0x", to: burner, value: "0" }] as const;
    const quote = await quoteFor(fixture, { from: "USDT", sameChain: true, to: "USDC", txs: [...txs] });
    for (const step of quote.steps) {
      for (const { data } of step.kind === "transaction" ? step.items : []) {
        const { gas, to, ...call } = data as { data: Hex; gas?: string; to: Hex; value: string };
        const limit = gas === undefined ? {} : { gas: BigInt(gas) };
        await sendAs(alpha, 0, { data: call.data, to, value: BigInt(call.value), ...limit });
      }
    }
    const { status, txHashes } = await finalStatus(fixture, requestIdOf(quote));
    expect(status).to.equal("success");
    const { gasUsed } = await alpha.reader.getTransactionReceipt({ hash: txHashes?.[0] as Hex });
    const last = quote.steps.at(-1)?.items[0]?.data as { gas: string };
    expect(gasUsed > 1_000_000n && BigInt(last.gas) < 2n * gasUsed, `${gasUsed} of ${last.gas}`).to.equal(
      true,
    );
  });
});

describe("same-chain requests that the solver executes", () => {
  const fixture = useEmulator();

  for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
    it(`any pair of currencies, ${tradeType}: is deposited, and filled by the solver on the same chain`, async () => {
      const { alpha } = fixture;
      for (const from of symbols) {
        for (const to of symbols) {
          const recipient = fresh();
          const quote = await quoteFor(fixture, {
            forceSolverExecution: true,
            from,
            recipient,
            sameChain: true,
            to,
            tradeType,
          });
          expect(quote.steps.at(-1)?.id).to.equal("deposit");
          expect(quote.protocol?.v2?.orderId).to.have.length(66);
          await carryOut(fixture, quote);
          const held = await alpha.balanceOf(alpha.currency(to), recipient);
          const { amount, minimumAmount } = quote.details.currencyOut;
          expect(held >= BigInt(minimumAmount ?? amount), `${from} ${to}`).to.equal(true);
          const { deposits, transactions } = await historyOf(fixture.emulator, idOf(quote));
          expect([deposits.length, transactions.map(({ kind }) => kind)]).to.deep.equal([1, ["fill"]]);
        }
      }
    }).timeout(60_000);
  }
});
