import { expect } from "chai";
import { encodeFunctionData, type Hex, maxUint256, parseEther, parseUnits, zeroAddress } from "viem";
import { readArtifact } from "../../../emulator/chains/setup/artifacts.ts";
import { localVaultAbi } from "../../../src/abi/LocalVault.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { calls } from "../../../src/calls/calls.ts";
import { getQuote, getStatus, type Quote, waitForRequest } from "../../../src/client/index.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";
const ether = parseEther("1");

describe("a request from quote to end", () => {
  const platform = { Request: globalThis.Request, Response: globalThis.Response };
  const fixture = useEmulator();

  it("leaves the platform's own Request and Response alone", () => {
    expect({ Request: globalThis.Request, Response: globalThis.Response }).to.deep.equal(platform);
  });

  /** A quote from alpha to beta for the first user. */
  async function quoteOf(overrides: Partial<Parameters<typeof getQuote>[1]> = {}): Promise<Quote> {
    return getQuote(fixture.client, {
      amount: ether,
      destinationChainId: fixture.beta.info.id,
      destinationCurrency: zeroAddress,
      originChainId: fixture.alpha.info.id,
      originCurrency: zeroAddress,
      recipient,
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });
  }

  async function run(quote: Quote) {
    return execute(fixture.client, {
      publicClient: fixture.alpha.reader,
      quote,
      timeout: 20_000,
      verify: false,
      wallet: fixture.alpha.wallet(0),
    });
  }

  function requestIdOf(quote: Quote): Hex {
    return quote.steps[0]?.requestId as Hex;
  }

  /** What a call of `execute` rejects with. */
  async function failureOf(quote: Quote): Promise<RequestFailedError> {
    const error = await run(quote).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof RequestFailedError)) throw error ?? new Error("the request did not fail");
    return error;
  }

  /** Sends the deposit of a quote with another value or currency than it asks for. */
  async function depositNative(orderId: Hex, value: bigint, payer = 0): Promise<void> {
    const wallet = fixture.alpha.wallet(payer);
    const hash = await wallet.sendTransaction({
      data: encodeFunctionData({
        abi: relayDepositoryAbi,
        args: [wallet.account.address, orderId],
        functionName: "depositNative",
      }),
      to: fixture.alpha.info.contracts.depository,
      value,
    });
    await fixture.alpha.reader.waitForTransactionReceipt({ hash });
  }

  it("bridges native money, to the unit of the quote", async () => {
    const before = await fixture.beta.balanceOf(zeroAddress, recipient);
    const quote = await quoteOf();
    const { inTxHashes, status, txHashes } = await run(quote);
    const after = await fixture.beta.balanceOf(zeroAddress, recipient);
    expect([status, inTxHashes.length, txHashes.length]).to.deep.equal(["success", 1, 1]);
    expect(after - before).to.equal(BigInt(quote.details.currencyOut.amount));
  });

  for (const symbol of ["USDC", "USDT"]) {
    it(`bridges ${symbol} with an approval first, to the unit of the quote`, async () => {
      const before = await fixture.beta.balanceOf(fixture.beta.currency(symbol), recipient);
      const quote = await quoteOf({
        amount: parseUnits("100", 6),
        destinationCurrency: fixture.beta.currency(symbol),
        originCurrency: fixture.alpha.currency(symbol),
      });
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
      await run(quote);
      const after = await fixture.beta.balanceOf(fixture.beta.currency(symbol), recipient);
      expect(after - before).to.equal(BigInt(quote.details.currencyOut.amount));
    });
  }

  it("sets an allowance of a USDT-like token to zero when it is there but too small", async () => {
    const wallet = fixture.alpha.wallet(0);
    const token = fixture.alpha.currency("USDT");
    const hash = await wallet.sendTransaction({
      data: erc20Data("approve", fixture.alpha.info.contracts.v3.approvalProxy, 1n),
      to: token,
    });
    await fixture.alpha.reader.waitForTransactionReceipt({ hash });
    const quote = await quoteOf({
      amount: parseUnits("10", 6),
      destinationCurrency: fixture.beta.currency("USDT"),
      originCurrency: token,
    });
    expect(quote.steps[0]?.items.length).to.equal(2);
    expect((await run(quote)).status).to.equal("success");
  });

  it("delivers an exact output across currencies", async () => {
    const token = fixture.beta.currency("USDC");
    const amount = parseUnits("123.456789", 6);
    const before = await fixture.beta.balanceOf(token, recipient);
    const quote = await quoteOf({ amount, destinationCurrency: token, tradeType: "EXACT_OUTPUT" });
    await run(quote);
    expect((await fixture.beta.balanceOf(token, recipient)) - before).to.equal(amount);
  });

  it("has amounts and fees that add up exactly", async () => {
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
      const { details, fees } = await quoteOf({
        destinationCurrency: fixture.beta.currency("WETH"),
        tradeType,
      });
      const relayer = BigInt(fees.relayer?.amount ?? -1n);
      expect(relayer).to.equal(
        BigInt(fees.relayerGas?.amount ?? 0n) + BigInt(fees.relayerService?.amount ?? 0n),
      );
      // Ether and wrapped ether have one price and the same decimals: what goes in comes out, less the fees.
      expect(BigInt(details.currencyIn.amount)).to.equal(BigInt(details.currencyOut.amount) + relayer);
    }
  });

  it("makes native calls through the router and sends what is left to the recipient", async () => {
    const target = "0x00000000000000000000000000000000000ca11e";
    const value = parseEther("0.25");
    const router = fixture.beta.info.contracts.v3.erc20Router;
    const { txs } = calls({ router }).add({ data: "0x", to: target, value }).sweepNative({ recipient });
    const before = await fixture.beta.balanceOf(zeroAddress, recipient);
    const quote = await quoteOf({ txs: [...txs] });
    await run(quote);
    expect(await fixture.beta.balanceOf(zeroAddress, target)).to.equal(value);
    const left = (await fixture.beta.balanceOf(zeroAddress, recipient)) - before;
    expect(left).to.equal(BigInt(quote.details.currencyOut.amount) - value);
    expect(await fixture.beta.balanceOf(zeroAddress, router)).to.equal(0n);
  });

  it("refuses to quote calls that revert, and says which call to replay", async () => {
    const token = fixture.beta.currency("USDC");
    const data = erc20Data("transfer", recipient, maxUint256);
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/quote/v2`, {
      body: JSON.stringify({
        amount: ether.toString(),
        destinationChainId: fixture.beta.info.id,
        destinationCurrency: token,
        originChainId: fixture.alpha.info.id,
        originCurrency: zeroAddress,
        tradeType: "EXACT_INPUT",
        txs: [{ data, to: token, value: "0" }],
        user: fixture.alpha.wallet(0).account.address,
      }),
      method: "POST",
    });
    const body = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, body.errorCode]).to.deep.equal([400, "DESTINATION_TX_FAILED"]);
    expect(body.errorData).to.match(/ERC20InsufficientBalance/);
    expect(body.failedCallData).to.have.keys("from", "to", "data", "value");
  });

  describe("when the fill cannot be done any more", () => {
    it("refunds the deposit, less gas, to refundTo, and the request ends in refund", async () => {
      const refundTo = "0x0000000000000000000000000000000000def00d";
      const token = fixture.beta.currency("USDC");
      const wallet = fixture.beta.wallet(2);
      const { abi, bytecode } = readArtifact("service/currencies/LocalVault");
      const deployed = await fixture.beta.reader.waitForTransactionReceipt({
        hash: await wallet.deployContract({ abi, args: [token, "Vault", "V"], bytecode }),
      });
      const vault = deployed.contractAddress;
      if (!vault) throw new Error("no vault");
      const router = fixture.beta.info.contracts.v3.erc20Router;
      const shares = parseUnits("1", 6);
      const { txs } = calls({ router })
        .approve({ amount: shares, spender: vault, token })
        .call({ abi: localVaultAbi, address: vault, args: [shares, recipient], functionName: "deposit" })
        .sweepErc20s({ recipient, tokens: [token] });
      const quote = await quoteOf({ destinationCurrency: token, refundTo, txs: [...txs] });
      // Between quote and deposit the vault is gone: code that reverts stands in its place.
      await fixture.beta.reader.request({
        method: "hardhat_setCode",
        params: [vault, "0x60006000fd"],
      } as never);

      const error = await failureOf(quote);
      expect([error.status, error.failReason]).to.deep.equal(["refund", "MISSING_REVERT_DATA"]);
      const refunded = await fixture.alpha.balanceOf(zeroAddress, refundTo);
      expect(refunded > (ether * 99n) / 100n && refunded < ether).to.equal(true);
    });
  });

  describe("when the deposit is not what the quote asked for", () => {
    it("refunds one wei less than asked", async () => {
      const quote = await quoteOf();
      const orderId = quote.protocol?.v2?.orderId as Hex;
      await depositNative(orderId, ether - 1n);
      const error = await waitForRequest(fixture.client, {
        requestId: requestIdOf(quote),
        timeout: 20_000,
      }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(RequestFailedError);
      const status = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
      expect([status.status, status.failReason]).to.deep.equal([
        "refund",
        "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      ]);
    });

    it("gives a stranger's deposit back, and goes on waiting for the user's", async () => {
      const quote = await quoteOf();
      const stranger = fixture.alpha.wallet(3).account.address;
      const paidBefore = await fixture.alpha.balanceOf(zeroAddress, stranger);
      await depositNative(quote.protocol?.v2?.orderId as Hex, ether, 3);
      await run(await quoteOf());
      const status = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
      expect([status.status, status.inTxHashes]).to.deep.equal(["waiting", []]);
      const lost = paidBefore - (await fixture.alpha.balanceOf(zeroAddress, stranger));
      expect(lost < ether / 100n).to.equal(true);
      await depositNative(quote.protocol?.v2?.orderId as Hex, ether);
      await ended(requestIdOf(quote));
      expect((await getStatus(fixture.client, { requestId: requestIdOf(quote) })).status).to.equal("success");
    });

    it("delivers a payer's surplus when the output varies", async () => {
      const before = await fixture.beta.balanceOf(zeroAddress, recipient);
      const quote = await quoteOf();
      await depositNative(quote.protocol?.v2?.orderId as Hex, ether * 2n);
      await ended(requestIdOf(quote));
      const gained = (await fixture.beta.balanceOf(zeroAddress, recipient)) - before;
      expect(gained).to.equal(BigInt(quote.details.currencyOut.amount) * 2n);
    });

    it("fills a request that is paid twice once, and gives the second payment back", async () => {
      const before = await fixture.beta.balanceOf(zeroAddress, recipient);
      const quote = await quoteOf();
      const orderId = quote.protocol?.v2?.orderId as Hex;
      await depositNative(orderId, ether);
      await ended(requestIdOf(quote));
      const payer = fixture.alpha.wallet(0).account.address;
      const [paidBefore, blockBefore] = [
        await fixture.alpha.balanceOf(zeroAddress, payer),
        await fixture.alpha.reader.getBlockNumber(),
      ];
      await depositNative(orderId, ether);
      // The refund is the block behind the deposit's.
      while ((await fixture.alpha.reader.getBlockNumber()) < blockBefore + 2n) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const lost = paidBefore - (await fixture.alpha.balanceOf(zeroAddress, payer));
      expect(lost < ether / 100n).to.equal(true);
      expect((await fixture.beta.balanceOf(zeroAddress, recipient)) - before).to.equal(
        BigInt(quote.details.currencyOut.amount),
      );
      const status = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
      expect([status.status, status.failReason]).to.deep.equal(["success", "N/A"]);
    });

    it("fails when the deposit does not cover its own refund's gas", async () => {
      const quote = await quoteOf();
      await depositNative(quote.protocol?.v2?.orderId as Hex, 1n);
      await ended(requestIdOf(quote));
      const status = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
      expect([status.status, status.failReason, status.refundFailReason]).to.deep.equal([
        "failure",
        "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
        "AMOUNT_TOO_LOW_TO_REFUND",
      ]);
    });
  });

  it("finds a plain token transfer to the solver by the requestId behind it", async () => {
    const token = fixture.alpha.currency("USDC");
    const amount = parseUnits("50", 6);
    const quote = await quoteOf({
      amount,
      destinationCurrency: fixture.beta.currency("USDC"),
      originCurrency: token,
    });
    const transfer = erc20Data("transfer", fixture.emulator.info.solver, amount);
    await fixture.alpha.wallet(0).sendTransaction({
      data: `${transfer}${requestIdOf(quote).slice(2)}`,
      to: token,
    });
    await ended(requestIdOf(quote));
    expect((await getStatus(fixture.client, { requestId: requestIdOf(quote) })).status).to.equal("success");
  });

  it("does not take an event of another contract for a deposit", async () => {
    const quote = await quoteOf();
    const wallet = fixture.alpha.wallet(0);
    const { abi, bytecode } = readArtifact("service/RelayDepository");
    const { contractAddress } = await fixture.alpha.reader.waitForTransactionReceipt({
      hash: await wallet.deployContract({
        abi,
        args: [wallet.account.address, wallet.account.address],
        bytecode,
      }),
    });
    if (!contractAddress) throw new Error("no depository");
    await wallet.writeContract({
      abi: relayDepositoryAbi,
      address: contractAddress,
      args: [wallet.account.address, quote.protocol?.v2?.orderId as Hex],
      functionName: "depositNative",
      value: ether,
    });
    // A deposit that counts, made after it, has been dealt with: so the false one has been seen too.
    await run(await quoteOf());
    expect((await getStatus(fixture.client, { requestId: requestIdOf(quote) })).status).to.equal("waiting");
  });

  it("tells the legacy status in its own words", async () => {
    const quote = await quoteOf();
    const legacy = async () => {
      const url = `${fixture.emulator.info.apiUrl}/intents/status?requestId=${requestIdOf(quote)}`;
      return (await (await fetch(url)).json()) as Record<string, unknown>;
    };
    expect((await legacy()).status).to.equal("received");
    await run(quote);
    const answer = await legacy();
    expect(answer.status).to.equal("success");
    expect(answer.time).to.be.a("number");
  });

  /** Waits until a request is final, whichever way. */
  async function ended(requestId: Hex): Promise<void> {
    await waitForRequest(fixture.client, {
      failureGrace: 0,
      requestId,
      timeout: 20_000,
    }).catch((error: unknown) => {
      if (!(error instanceof RequestFailedError)) throw error;
    });
  }
});
