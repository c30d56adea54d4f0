import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, isAddressEqual, parseAbi } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import { postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { carryOut, fiftyDollars, quoteFor, type Wanted } from "../../helpers/quotes/intents.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";

const wethAbi = parseAbi(["function transferFrom(address from, address to, uint256 amount) returns (bool)"]);

type Body = {
  errorCode?: string;
  errorData?: string;
  approxSimulatedBlock?: number;
  failedCallData?: { from: Address; to: Address; data: Hex; value: string };
};

describe("the simulation of a quote's fill", () => {
  const fixture = useEmulator();

  const bodyOf = async (wanted: Wanted, path = "/quote/v2"): Promise<Body> => {
    const { from, sameChain = false, to, tradeType = "EXACT_INPUT", ...overrides } = wanted;
    const { alpha, beta, emulator } = fixture;
    const destination = sameChain ? alpha : beta;
    const body = {
      amount: fiftyDollars(tradeType === "EXACT_INPUT" ? from : to),
      destinationChainId: destination.info.id,
      destinationCurrency: destination.currency(to),
      originChainId: alpha.info.id,
      originCurrency: alpha.currency(from),
      tradeType,
      user: alpha.wallet(0).account.address,
      ...overrides,
    };
    const answer = await postJson(`${emulator.info.apiUrl}${path}`, body);
    expect(answer.status, path).to.equal(400);
    return (await answer.json()) as Body;
  };
  /** The arriving amount, and the input's share for gas: a fill without fees would deliver an amount in between. */
  const amountsOf = ({ details, fees }: Quote) => ({
    arrives: BigInt(details.currencyOut.amount),
    gas: BigInt(fees.relayerGas?.amount ?? 0),
  });
  const pay = (value: bigint) => [{ to: fresh(), value }];
  const transfer = (chain: TestChain, amount: bigint) => [
    {
      data: erc20Data("transfer", fresh(), amount),
      to: chain.currency("USDC"),
    },
  ];

  for (const routerVersion of ["v3", "v2.1"] as const) {
    it(`calls with more value than arrives after fees, through router ${routerVersion}: rejected with both amounts`, async () => {
      await fixture.emulator.control.config.set({ routerVersion });
      const { arrives, gas } = amountsOf(await quoteFor(fixture, { from: "ETH", to: "ETH", txs: pay(1n) }));
      expect(gas > 0n).to.equal(true);
      const value = arrives + gas / 2n;
      const body = await bodyOf({ from: "ETH", to: "ETH", txs: pay(value) });
      expect(body.errorCode).to.equal("DESTINATION_TX_FAILED");
      expect(body.errorData).to.match(new RegExp(`^The calls carry ${value} wei of ETH, and \\d+ arrives: `));
      const { contracts } = fixture.beta.info;
      const router = routerVersion === "v3" ? contracts.v3.erc20Router : contracts.erc20Router;
      expect(isAddressEqual(body.failedCallData?.to ?? "0x", router)).to.equal(true);
      expect(body.failedCallData?.from).to.equal(fixture.emulator.info.solver);
      expect(BigInt(body.failedCallData?.value ?? 0) < value).to.equal(true);
      const head = Number(await fixture.beta.reader.getBlockNumber());
      expect(body.approxSimulatedBlock).to.equal(head);

      const fits = await quoteFor(fixture, { from: "ETH", to: "ETH", txs: pay((arrives * 999n) / 1000n) });
      expect((await carryOut(fixture, fits)).status).to.equal("success");
      await fixture.emulator.control.config.set({ routerVersion: "v3" });
    });
  }

  it("calls that spend more of a token than arrives after fees: rejected with the token's reason", async () => {
    const { beta } = fixture;
    const fitting: Quote[] = [];
    for (const from of ["USDC", "ETH"] as const) {
      const quote = await quoteFor(fixture, { from, to: "USDC", txs: transfer(beta, 1n) });
      const { arrives } = amountsOf(quote);
      const gas = from === "USDC" ? amountsOf(quote).gas : arrives / 2000n;
      const body = await bodyOf({ from, to: "USDC", txs: transfer(beta, arrives + gas / 2n) });
      expect(body.errorCode, from).to.equal("DESTINATION_TX_FAILED");
      expect(body.errorData, from).to.match(/^ERC20InsufficientBalance/);
      const txs = transfer(beta, (arrives * 99n) / 100n);
      fitting.push(await quoteFor(fixture, { from, to: "USDC", txs }));
    }
    // Cleared only now: the next calls could spend the rest on the router.
    for (const quote of fitting) expect((await carryOut(fixture, quote)).status).to.equal("success");
  });

  // @spec calls/approval-first error/allowance
  it("a call that pulls without an approval: rejected, with a fixed input, a fixed output and an expected one", async () => {
    const { beta } = fixture;
    const args = [beta.wallet(3).account.address, fresh(), 1n] as const;
    const data = encodeFunctionData({ abi: wethAbi, args, functionName: "transferFrom" });
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const) {
      const txs = [{ data, to: beta.currency("USDC") }];
      const body = await bodyOf({ from: "USDC", to: "USDC", tradeType, txs });
      expect(body.errorCode, tradeType).to.equal("DESTINATION_TX_FAILED");
      expect(body.errorData, tradeType).to.match(/^ERC20InsufficientAllowance/);
    }
  });

  it("a recipient that rejects native money, on either chain: rejected", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    for (const chain of [alpha, beta]) await setCode(chain, recipient, reverting);
    for (const sameChain of [false, true]) {
      for (const from of ["ETH", "USDC"] as const) {
        for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
          const body = await bodyOf({ from, recipient, sameChain, to: "ETH", tradeType });
          expect(body.errorCode, `${from} ${sameChain}`).to.equal("DESTINATION_TX_FAILED");
        }
      }
      await quoteFor(fixture, { from: "USDC", recipient, sameChain, to: "USDT" });
    }
  });

  it("calls that fail on the user's own chain: rejected by the price and by the quote", async () => {
    const { alpha } = fixture;
    const txs = transfer(alpha, 10n ** 12n);
    const body = await bodyOf({ from: "ETH", sameChain: true, to: "USDC", txs });
    expect(body.errorData).to.match(/^ERC20InsufficientBalance/);
    const priced = await bodyOf({ from: "ETH", sameChain: true, to: "USDC", txs }, "/price");
    expect(priced).to.include({ errorCode: body.errorCode, errorData: body.errorData });
  });
});
