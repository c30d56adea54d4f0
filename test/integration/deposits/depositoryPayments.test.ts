import { expect } from "chai";
import {
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseUnits,
} from "viem";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { type GetQuoteParameters, getQuote, type Quote } from "../../../src/client/index.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../../src/execute/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { setCode } from "../../helpers/localChain.ts";
import { lastTransaction, quoteFor, sendAs } from "../../helpers/quotes/intents.ts";
import { policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  refunded,
} from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, requestsOf, until } from "../../helpers/requests/requestHistory.ts";

const amount = parseUnits("25", 6);

describe("direct transfers to the depository", () => {
  const fixture = useEmulator({ reorgs: true });
  const user = () => fixture.alpha.wallet(0).account.address;

  function quoted(overrides: Partial<GetQuoteParameters> = {}): Promise<Quote> {
    return quoteFor(fixture, {
      amount,
      explicitDeposit: false,
      from: "USDC",
      recipient: fresh(),
      to: "USDC",
      ...overrides,
    });
  }

  /** Calldata of a transfer to the depository under a quote's orderId. */
  function transferOf(quote: Quote, units = amount): Hex {
    const args = [fixture.alpha.info.contracts.depository, units] as const;
    const transfer = erc20Data("transfer", ...args);
    return concat([transfer, orderIdOf(quote)]);
  }

  /** Sends the transfer of a quote, or another one under its orderId. */
  async function pay(
    quote: Quote,
    more: { chain?: TestChain; payer?: number; token?: Address; units?: bigint } = {},
  ): Promise<Hex> {
    const { chain = fixture.alpha, payer = 0, token = chain.currency("USDC"), units = amount } = more;
    return sendAs(chain, payer, { data: transferOf(quote, units), to: token });
  }

  const received = (quote: Quote) =>
    fixture.beta.balanceOf(fixture.beta.currency("USDC"), quote.details.recipient as Address);

  it("quotes explicitDeposit false as one token transfer to the depository, with the orderId appended", async () => {
    const quote = await quoted();
    expect(quote.steps.map(({ id, kind }) => [id, kind])).to.deep.equal([["deposit", "transaction"]]);
    expect(lastTransaction(quote)).to.deep.equal({
      data: transferOf(quote),
      to: fixture.alpha.currency("USDC"),
      value: 0n,
    });
  });

  it("execute proves and makes a direct transfer where the request allows it, and rejects it elsewhere", async () => {
    const allowed = requestOf(fixture, "USDC", "USDC", {
      amount,
      explicitDeposit: false,
      recipient: fresh(),
    });
    const { explicitDeposit: _, ...cautious } = allowed;
    const quote = await getQuote(fixture.client, allowed);
    const verify = policyOf(fixture, quote);
    const run = (request: GetQuoteParameters) =>
      execute(fixture.client, {
        publicClient: fixture.alpha.reader,
        quote,
        request,
        timeout: 20_000,
        verify,
        wallet: fixture.alpha.wallet(0),
      });
    expect(await failureOf(run(cautious))).to.be.instanceOf(QuoteMismatchError);
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
    await run(allowed);
    expect(await received(quote)).to.equal(BigInt(quote.details.currencyOut.amount));
  });

  describe("hostile tokens", () => {
    const tokenAbi = parseAbi(["function mint(address to, uint256 amount)"]);

    async function deployFeeToken(): Promise<Address> {
      const { abi, bytecode } = readArtifact("mocks/FeeOnTransferToken");
      const wallet = fixture.alpha.wallet(0);
      const nonce = await fixture.alpha.reader.getTransactionCount({ address: wallet.account.address });
      const data = encodeDeployData({ abi, args: [100n], bytecode });
      const hash = await wallet.sendTransaction({ data });
      await fixture.alpha.reader.waitForTransactionReceipt({ hash });
      return getContractAddress({ from: wallet.account.address, nonce: BigInt(nonce) });
    }

    it("a transfer of a token that the service does not list is no deposit", async () => {
      const quote = await quoted();
      const token = await deployFeeToken();
      const mint = encodeFunctionData({ abi: tokenAbi, args: [user(), amount], functionName: "mint" });
      await sendAs(fixture.alpha, 0, { data: mint, to: token });
      const hash = await pay(quote, { token });
      // A later payment is found only after the earlier one.
      await pay(quote);
      await reached(fixture.emulator, idOf(quote), "success");
      expect(await requestsOf(fixture.emulator, hash)).to.deep.equal([]);
      expect(await received(quote)).to.equal(BigInt(quote.details.currencyOut.amount));
    });

    it("counts the received amount of a token that takes a fee, and refunds it", async () => {
      const token = fixture.alpha.currency("USDC");
      const code = (await fixture.alpha.reader.getCode({ address: token })) ?? "0x";
      const feeCode = await fixture.alpha.reader.getCode({ address: await deployFeeToken() });
      const quote = await quoted({ refundTo: fresh(), tradeType: "EXACT_OUTPUT" });
      await setCode(fixture.alpha, token, feeCode ?? "0x");
      try {
        const units = BigInt(quote.details.currencyIn.amount);
        const mint = encodeFunctionData({ abi: tokenAbi, args: [user(), units], functionName: "mint" });
        await sendAs(fixture.alpha, 0, { data: mint, to: token });
        const solver = fixture.emulator.info.solver;
        const give = encodeFunctionData({ abi: tokenAbi, args: [solver, units], functionName: "mint" });
        await sendAs(fixture.alpha, 0, { data: give, to: token });
        await pay(quote, { units });
        const history = await refunded(fixture, quote);
        expect(history.failReason).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
        expect(history.deposits[0]?.amount).to.equal((units - units / 100n).toString());
      } finally {
        await setCode(fixture.alpha, token, code);
      }
    });
  });
});

describe("failed deposits and refunds", () => {
  const fixture = useEmulator();

  it("refunds another payer's deposit as a child request, even in the user's name, and still fills the user's", async () => {
    const quote = await quoteOf(fixture);
    const user = fixture.alpha.wallet(0).account.address;
    await deposit(fixture, orderIdOf(quote), ether, { payer: 3 });
    await deposit(fixture, orderIdOf(quote), ether / 2n, { depositor: user, payer: 3 });
    const { children, status } = await until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      const isOver =
        history.children.length === 2 && history.children.every((child) => child.status === "refund");
      return isOver ? history : undefined;
    }, "the children's refunds");
    expect(status).to.equal("waiting");
    expect(children.map(({ failReason, parentId }) => [failReason, parentId])).to.have.deep.members([
      ["INVALID_SENDER", idOf(quote)],
      ["DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", idOf(quote)],
    ]);
    const hash = await deposit(fixture, orderIdOf(quote));
    const history = await reached(fixture.emulator, idOf(quote), "success");
    expect(history.deposits.map(({ txHash }) => txHash)).to.deep.equal([hash]);
    expect(history.originBlock).to.be.a("number");
    expect(history.fillTimeMs).to.be.at.least(0);
  });
});
