import { expect } from "chai";
import { parseGwei, zeroHash } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askNode, mine, setCode } from "../../helpers/localChain.ts";
import {
  carryOut,
  endOf,
  finalStatus,
  poolOf,
  quoteFor,
  requestIdOf,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { handIn, signedQuote } from "../../helpers/quotes/permits.ts";
import { asIntegrator, newSponsor } from "../../helpers/quotes/sponsors.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

/** Loops 40,000 times: about a million gas. */
const takesMillion = "0x61a3405b6001900380600357600000";

describe("fills at a gas price that rose after the quote", () => {
  const fixture = useEmulator();
  const burner = fresh();
  before(() => setCode(fixture.beta, burner, takesMillion));

  /** Sets the base fee of the destination chain. */
  const setBaseFee = async (gwei: string) => {
    await askNode(fixture.beta, "hardhat_setNextBlockBaseFeePerGas", `0x${parseGwei(gwei).toString(16)}`);
    await mine(fixture.beta);
  };
  afterEach(() => setBaseFee("1"));

  const ether = 600_000_000_000_000n;
  const call = (to = fresh(), value = 0n) => [{ data: "0x" as const, to, value }];
  const cases: readonly (readonly [string, Wanted])[] = [
    ["a plain transfer of ether", { amount: ether, from: "ETH", to: "ETH" }],
    ["a plain transfer of a token with six decimals", { amount: 1_500_000n, from: "USDC", to: "USDC" }],
    ["a swap", { amount: ether, from: "ETH", to: "USDC" }],
    ["a swap to an exact output", { amount: 1_000_000n, from: "ETH", to: "USDC", tradeType: "EXACT_OUTPUT" }],
    ["an exact output", { amount: ether, from: "ETH", to: "ETH", tradeType: "EXACT_OUTPUT" }],
    ["a gas top-up", { amount: 4_000_000n, from: "USDC", to: "USDC", topupGas: true }],
    ["a call without effect", { amount: ether, from: "ETH", to: "ETH", txs: call() }],
    ["calls within a gas limit", { amount: ether, from: "ETH", to: "ETH", txs: call(), txsGasLimit: 50_000 }],
    ["a call of a million gas", { amount: 10n * ether, from: "ETH", to: "ETH", txs: call(burner) }],
    ["ether that is wrapped", { amount: ether, from: "ETH", to: "WETH" }],
    [
      "an exact output of wrapped ether",
      { amount: ether, from: "ETH", to: "WETH", tradeType: "EXACT_OUTPUT" },
    ],
    [
      "a true exact output",
      { amount: 1_000_000n, enableTrueExactOutput: true, from: "ETH", to: "USDT", tradeType: "EXACT_OUTPUT" },
    ],
    ["a swap with a call", { amount: 4_000_000n, from: "USDC", to: "ETH", txs: call() }],
    [
      "an exact output with a call",
      { amount: ether, from: "USDC", to: "ETH", tradeType: "EXACT_OUTPUT", txs: call(fresh(), ether) },
    ],
    [
      "a swap to an exact output with a call",
      { amount: 1_000_000n, from: "ETH", to: "USDT", tradeType: "EXACT_OUTPUT", txs: call() },
    ],
    [
      "a swap to an expected output",
      { amount: 1_000_000n, from: "ETH", to: "USDT", tradeType: "EXPECTED_OUTPUT" },
    ],
    ["a swap with a gas top-up", { amount: 6_000_000n, from: "USDC", to: "USDT", topupGas: true }],
    ["a fee that a sponsor pays", { amount: 2_000_000n, from: "USDC", subsidizeFees: true, to: "USDT" }],
    ["a fixed rate", { amount: ether, fixedRate: "50", from: "ETH", to: "ETH" }],
    ["a swap at a fixed rate", { amount: 2_000_000n, fixedRate: "50", from: "USDC", to: "USDT" }],
  ];

  for (const [what, wanted] of cases) {
    it(`${what}, nine tenths dearer: is filled`, async () => {
      const own = asIntegrator(fixture, (await newSponsor(fixture, 1_000_000_000n)).key);
      const quote = await quoteFor(own, { recipient: fresh(), ...wanted });
      await setBaseFee("2.8");
      // Throws unless the request succeeds.
      await carryOut(own, quote);
    });
  }

  it("an exact output with a call, nine tenths dearer, whose pool begins to sum its prices: is filled", async () => {
    const { beta } = fixture;
    const pool = await poolOf(beta, beta.currency("USDC"), beta.currency("WETH"));
    const wanted = { amount: ether, from: "USDC", to: "ETH", tradeType: "EXACT_OUTPUT" } as const;
    await carryOut(fixture, await quoteFor(fixture, { ...wanted, recipient: fresh() }));
    await setBaseFee("1");
    const quote = await quoteFor(fixture, { ...wanted, recipient: fresh(), txs: call(fresh(), ether) });
    // Uniswap v2 keeps them in the slots 9 and 10.
    for (const slot of ["0x9", "0xa"]) await askNode(beta, "hardhat_setStorageAt", pool, slot, zeroHash);
    // It adds to them once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await setBaseFee("2.8");
    await carryOut(fixture, quote);
  });

  it("a fixed rate paid by a signature, whose fill is dearer than its deposit: is filled", async () => {
    await setBaseFee("40");
    const wanted = { fixedRate: "50", from: "USDC", recipient: fresh(), to: "USDT" } as const;
    const quote = await signedQuote(asIntegrator(fixture), wanted);
    await handIn(fixture, quote);
    expect((await finalStatus(fixture, requestIdOf(quote))).status).to.equal("success");
  });

  it("a fixed rate, fifty times dearer: is refunded, and the solver pays the recipient nothing", async () => {
    const own = asIntegrator(fixture);
    const recipient = fresh();
    const quote = await quoteFor(own, { amount: ether, fixedRate: "50", from: "ETH", recipient, to: "ETH" });
    await setBaseFee("99");
    const { details, status } = await endOf(own, quote);
    expect(status).to.equal("refund");
    expect(details).to.match(/gas, which costs more than the quote's fee and the solver's largest loss$/);
    expect(await fixture.beta.reader.getBalance({ address: recipient })).to.equal(0n);
  });
});
