import { expect } from "chai";
import { type Address, concat, type Hex, numberToHex, parseEther, parseGwei, zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askNode, automine, mine, setCode } from "../../helpers/localChain.ts";
import { forEachDialect } from "../../helpers/processes/stores.ts";
import { fiftyDollars, requestIdOf } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { signedBytes } from "../../helpers/requests/mineInstead.ts";
import { reached, until } from "../../helpers/requests/requestHistory.ts";

/** A payer, and the amount of the payment. */
type Paid = readonly [payer: number, amount: bigint];
type Call = { readonly method: string; readonly params: readonly unknown[] };

forEachDialect("a reorg that changes a payment whose sweep is signed", (kind) => {
  const fixture = useEmulator({}, { database: kind.newUrl, each: true });
  const { quoteAt, requestsAt } = depositAddressStage(fixture);
  const quoted = () => fiftyDollars("ETH");
  const more = parseEther("0.1");
  const held = (account: Address) => fixture.alpha.balanceOf(zeroAddress, account);

  /** Makes calls in one request, between which the solver does nothing. */
  async function atOnce(calls: readonly Call[]): Promise<readonly unknown[]> {
    const body = JSON.stringify(calls.map((each, id) => ({ ...each, id, jsonrpc: "2.0" })));
    const headers = { "content-type": "application/json" };
    const answer = await fetch(fixture.alpha.info.rpcUrl, { body, headers, method: "POST" });
    const results = (await answer.json()) as { error?: unknown; result?: unknown }[];
    const refused = results.filter(({ error }) => error !== undefined);
    if (refused.length > 0) throw new Error(`the node refused: ${JSON.stringify(refused)}`);
    return results.map(({ result }) => result);
  }

  /** A strict address that was paid the quoted amount. Its sweep is signed and not mined. */
  async function sweepUnderWay() {
    const { alpha } = fixture;
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await quoteAt({ from: "ETH", recipient, refundTo, strict: true, to: "ETH" });
    const address = addressOf(quote);
    const contract = fresh();
    // Sends all that it holds to the address.
    await setCode(alpha, contract, concat(["0x5f5f5f5f4773", address, "0x5af100"]));
    await automine(alpha, false);
    let snapshot: unknown = await askNode(alpha, "evm_snapshot");
    /** The same transaction of a payer each time, ahead of the solver's in its block. */
    const bytesOf = async (payer: number): Promise<Hex> => {
      const wallet = alpha.wallet(payer);
      return wallet.signTransaction({
        account: wallet.account,
        chain: null,
        chainId: alpha.info.id,
        gas: 100_000n,
        maxFeePerGas: parseGwei("100"),
        maxPriorityFeePerGas: parseGwei("50"),
        nonce: 0,
        to: contract,
        type: "eip1559",
      } as never);
    };
    const payments = async (paid: readonly Paid[]): Promise<readonly Call[]> =>
      (
        await Promise.all(
          paid.map(async ([payer, amount]) => [
            { method: "hardhat_setBalance", params: [contract, numberToHex(amount)] },
            { method: "eth_sendRawTransaction", params: [await bytesOf(payer)] },
            { method: "evm_mine", params: [] },
          ]),
        )
      ).flat();
    await atOnce(await payments([[7, quoted()]]));
    const hash = await until(async () => {
      const block = await alpha.reader.getBlock({ blockTag: "pending", includeTransactions: true });
      return block.transactions.find(({ from }) => from === fixture.emulator.info.solver.toLowerCase())?.hash;
    }, "the sweep to be sent");
    const sweep = { method: "eth_sendRawTransaction", params: [await signedBytes(alpha, hash)] };
    /** Removes everything since the first payment, and makes other payments before and after the sweep. */
    const replace = async (before: readonly Paid[], after: readonly Paid[] = []) => {
      await automine(alpha, false);
      const mined = { method: "evm_mine", params: [] };
      const [, next] = await atOnce([
        { method: "evm_revert", params: [snapshot] },
        { method: "evm_snapshot", params: [] },
        ...(await payments(before)),
        ...[sweep, mined],
        ...(await payments(after)),
      ]);
      snapshot = next;
      await automine(alpha, true);
      await mine(alpha);
    };
    return { address, quote, recipient, refundTo, replace };
  }
  type Stage = Awaited<ReturnType<typeof sweepUnderWay>>;

  /** Expects an empty address, these statuses of its requests, and one fill. */
  async function expectEnds(
    { address, quote, recipient }: Stage,
    statuses: readonly string[],
  ): Promise<void> {
    const { beta, emulator } = fixture;
    let seen: readonly string[] = [];
    await until(async () => {
      seen = (await requestsAt(address)).map(({ status }) => status).toSorted();
      const isSo = seen.join() === statuses.toSorted().join() && (await held(address)) === 0n;
      return isSo ? true : undefined;
    }, `requests to be ${statuses}`).catch((error: Error) => {
      throw new Error(`${error.message}, not ${seen}`);
    });
    await reached(emulator, requestIdOf(quote), "success");
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(BigInt(quote.details.currencyOut.amount));
  }
  /** Expects that an account was refunded an amount less gas. */
  async function expectRefunded(account: Address, amount: bigint): Promise<void> {
    expect(await held(account)).to.be.within((amount * 9n) / 10n, amount);
  }

  it("a larger payment: the quoted amount is filled, and the rest refunded without a reindex", async () => {
    const stage = await sweepUnderWay();
    await stage.replace([[7, quoted() + more]]);
    await expectEnds(stage, ["refund", "success"]);
    await expectRefunded(stage.refundTo, more);
  });

  it("three reorgs with different amounts: the last amount is paid out once, and nothing stays at the address", async () => {
    const stage = await sweepUnderWay();
    await stage.replace([[7, quoted() + more]]);
    await expectEnds(stage, ["refund", "success"]);
    await stage.replace([[7, quoted() + 3n * more]]);
    await expectEnds(stage, ["refund", "refund", "success"]);
    await expectRefunded(stage.refundTo, 3n * more);
    await stage.replace([[7, quoted()]]);
    await expectEnds(stage, ["failure", "failure", "success"]);
    expect(await held(stage.refundTo)).to.equal(0n);
  });

  it("another payment in its place: pays for the swept request, and the removed one is refunded when it returns", async () => {
    const stage = await sweepUnderWay();
    await stage.replace([[6, quoted()]]);
    await expectEnds(stage, ["success"]);
    await stage.replace([[6, quoted()]], [[7, quoted()]]);
    await expectEnds(stage, ["refund", "success"]);
    await expectRefunded(stage.refundTo, quoted());
  });
});
