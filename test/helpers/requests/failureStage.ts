import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther } from "viem";
import { revertReason } from "../../../emulator/router/revertReason.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { mine, setCode, withoutAutomine } from "../localChain.ts";
import { bridgeIntent } from "../quotes/bridgeIntent.ts";
import { lastTransaction, sendAs } from "../quotes/intents.ts";
import { type RequestHistory, reached } from "./requestHistory.ts";

export const ether = parseEther("1");
/** Code that reverts every call without data. */
export const reverting = "0x60006000fd";

export const idOf = (quote: Pick<Quote, "steps">) => quote.steps[0]?.requestId as Hex;
export const orderIdOf = (quote: Quote) => quote.protocol?.v2?.orderId as Hex;

let drawn = 0xfa11_0000;

/** An account without any transaction. */
export const fresh = (): Address => `0x${(++drawn).toString(16).padStart(40, "0")}`;

/** A quote for a bridge of one ether from alpha to beta, to a fresh recipient by default. */
export async function quoteOf(
  fixture: EmulatorFixture,
  overrides: Partial<Parameters<typeof getQuote>[1]> = {},
): Promise<Quote> {
  return getQuote(fixture.client, bridgeIntent(fixture, { recipient: fresh(), ...overrides }));
}

/** Pays the depository, and waits until that is mined. */
export async function deposit(
  fixture: EmulatorFixture,
  id: Hex,
  value = ether,
  {
    chain = fixture.alpha,
    depositor,
    payer = 0,
  }: { chain?: TestChain; depositor?: Address; payer?: number } = {},
): Promise<Hex> {
  const wallet = chain.wallet(payer);
  const hash = await wallet.writeContract({
    abi: relayDepositoryAbi,
    address: chain.info.contracts.depository,
    args: [depositor ?? wallet.account.address, id],
    functionName: "depositNative",
    value,
  });
  await chain.reader.waitForTransactionReceipt({ hash });
  return hash;
}

/** Waits until a request ends, and checks that the refund reached its address. */
export async function refunded(fixture: EmulatorFixture, quote: Quote): Promise<RequestHistory> {
  const history = await reached(fixture.emulator, idOf(quote), "refund", "failure", "success");
  expect(history.status).to.equal("refund");
  expect(
    history.transactions.filter(({ kind, state }) => kind === "refund" && state === "mined"),
  ).to.have.length(1);
  return history;
}

/**
 * Simulates the failed call on its own state: that of the named block, or of the block before for a mined call.
 *
 * @returns The decoded revert.
 */
export async function replay(chain: TestChain, history: RequestHistory): Promise<string> {
  const { failedCallData, failedTxBlockNumber, failedTxHash } = history;
  if (failedCallData === null || failedTxBlockNumber === null) throw new Error("no failed call");
  const { data, from, to, value } = failedCallData;
  const blockNumber = BigInt(failedTxBlockNumber) - (failedTxHash === null ? 0n : 1n);
  return chain.reader.call({ account: from, blockNumber, data, to, value: BigInt(value) }).then(
    () => "it works",
    (error: unknown) => revertReason(error).message,
  );
}

/** Quotes a call that pulls USDC under an allowance of the router, which is revoked after the quote. */
export async function quoteRevokedAllowance(fixture: EmulatorFixture) {
  const { beta } = fixture;
  const [owner, token] = [beta.wallet(4), beta.currency("USDC")];
  const approve = (amount: bigint) =>
    sendAs(beta, 4, {
      data: erc20Data("approve", beta.info.contracts.v3.erc20Router, amount),
      to: token,
    });
  const args = [owner.account.address, fresh(), 5_000_000n] as const;
  const data = encodeFunctionData({ abi: erc20Abi, args, functionName: "transferFrom" });
  const txs = [{ data, to: token, value: 0n }];
  await approve(5_000_000n);
  const quote = await quoteOf(fixture, { destinationCurrency: token, txs });
  await approve(0n);
  return { approve, quote, txs };
}

/** Signs the last transaction of a quote as the first user; the returned function sends the same bytes at each call. */
export async function senderOf(
  fixture: EmulatorFixture,
  quote: Quote,
  gas = 500_000n,
): Promise<() => Promise<Hex>> {
  const user = fixture.alpha.wallet(0);
  const prepared = await user.prepareTransactionRequest({ ...lastTransaction(quote), gas });
  const serializedTransaction = await user.signTransaction(prepared);
  return () => user.sendRawTransaction({ serializedTransaction });
}

/** Pays for a quote and makes its fill revert in its block: the recipient rejects ether in that block alone. */
export async function revertFill(fixture: EmulatorFixture, quote: Quote): Promise<void> {
  await withoutAutomine(fixture.beta, async () => {
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "submitted");
    await setCode(fixture.beta, quote.details.recipient as Address, reverting);
    await mine(fixture.beta);
  });
}
