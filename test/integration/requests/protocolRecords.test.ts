import { expect } from "chai";
import { type Address, parseAbi } from "viem";
import { deriveAccounts } from "../../../emulator/chains/accounts.ts";
import { createClient, getRequests, type Quote } from "../../../src/client/index.ts";
import { TransactionRevertedError } from "../../../src/execute/index.ts";
import type { RequestV2 } from "../../../src/schema/record/requestV2.ts";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import { clockFrom } from "../../helpers/clockFrom.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import {
  carryOut,
  fiftyDollars,
  finalStatus,
  movePool,
  quoteFor,
  requestIdOf,
} from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

const depositoryAbi = parseAbi([
  "struct Call { address to; bytes data; uint256 value; bool allowFailure; }",
  "struct CallRequest { Call[] calls; uint256 nonce; uint256 expiration; }",
  "function execute(CallRequest request, bytes signature)",
]);
const withdrawalTypes = {
  Call: [
    { name: "to", type: "address" },
    { name: "data", type: "bytes" },
    { name: "value", type: "uint256" },
    { name: "allowFailure", type: "bool" },
  ],
  CallRequest: [
    { name: "calls", type: "Call[]" },
    { name: "nonce", type: "uint256" },
    { name: "expiration", type: "uint256" },
  ],
} as const;

describe("the record of a deposit in the depository", () => {
  // Version 2 ends in November.
  const fixture = useEmulator({ now: clockFrom(Date.UTC(2026, 9, 1)) });

  async function recordOf(quote: Quote): Promise<RequestRecord> {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const keyed = createClient({ apiKey: apiKeys[0]?.key, baseUrl: apiUrl });
    const { requests } = await getRequests(keyed, { id: requestIdOf(quote) });
    const [record] = requests as RequestRecord[];
    if (record === undefined) throw new Error("there is no record");
    return record;
  }

  const change = (address: string, tokenAddress: string, balanceDiff: bigint) => ({
    address: address.toLowerCase(),
    change: {
      balanceDiff: balanceDiff.toString(),
      data: { tokenAddress: tokenAddress.toLowerCase(), tokenKind: "ft" },
      kind: "token",
    },
  });

  for (const symbol of ["ETH", "USDC"] as const) {
    // @spec record-v2/state-changes
    it(`a filled deposit of ${symbol}: both versions show what depositor, depository, solver and recipient lost and gained`, async () => {
      const { alpha, beta, emulator } = fixture;
      const recipient = fresh();
      const quote = await quoteFor(fixture, { from: symbol, recipient, to: symbol });
      await carryOut(fixture, quote);
      const { depository } = alpha.info.contracts;
      const user = alpha.wallet(0).account.address;
      const paid = fiftyDollars(symbol);
      const record = await recordOf(quote);
      expect(record.data?.inTxs?.map(({ stateChanges }) => stateChanges)).to.deep.equal([
        [change(user, alpha.currency(symbol), -paid), change(depository, alpha.currency(symbol), paid)],
      ]);
      const out = await beta.balanceOf(beta.currency(symbol), recipient);
      const { address: solver } = deriveAccounts().solver.account;
      expect(record.data?.outTxs?.map(({ stateChanges }) => stateChanges)).to.deep.equal([
        [change(solver, beta.currency(symbol), -out), change(recipient, beta.currency(symbol), out)],
      ]);
      const answer = await fetch(`${emulator.info.apiUrl}/requests/v2?id=${requestIdOf(quote)}`);
      const [older] = ((await answer.json()) as { requests: RequestV2[] }).requests;
      expect(older?.data?.inTxs?.[0]?.stateChanges).to.deep.equal(record.data?.inTxs?.[0]?.stateChanges);
      expect(record.protocol?.isWithdrawable).to.equal(false);
    });
  }

  // @spec record-v2/state-changes
  it("a swap on one chain: shows what sender and recipient lost and gained, and nothing if it reverted", async () => {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    for (const isReverted of [false, true]) {
      const recipient = fresh();
      const quote = await quoteFor(fixture, { from: "USDC", recipient, sameChain: true, to: "WETH" });
      if (isReverted) await movePool(alpha, "USDC", "WETH", 10n);
      await carryOut(fixture, quote).catch((error: unknown) => {
        if (!(error instanceof TransactionRevertedError)) throw error;
      });
      const { status } = await finalStatus(fixture, requestIdOf(quote));
      expect(status).to.equal(isReverted ? "failure" : "success");
      const { data } = await recordOf(quote);
      const out = await alpha.balanceOf(alpha.currency("WETH"), recipient);
      const changes = [
        change(user, alpha.currency("USDC"), -fiftyDollars("USDC")),
        change(recipient, alpha.currency("WETH"), out),
      ];
      for (const those of [data?.inTxs, data?.outTxs]) {
        expect(those?.map(({ stateChanges }) => stateChanges)).to.deep.equal([isReverted ? [] : changes]);
      }
    }
  });

  // @spec record-v3/withdrawable
  it("a refund that failed: leaves the deposit in the depository, from which a signed withdrawal returns it", async () => {
    const { alpha, emulator } = fixture;
    const refundTo = fresh();
    const quote = await quoteFor(fixture, { from: "USDC", refundTo, to: "USDC" });
    const requestId = requestIdOf(quote);
    await emulator.control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId });
    await emulator.control.faults.add({ kind: "refund-rejected", requestId });
    await carryOut(fixture, quote).catch(() => undefined);
    expect((await finalStatus(fixture, requestId)).status).to.equal("failure");
    const record = await recordOf(quote);
    expect(record.protocol?.isWithdrawable).to.equal(true);
    expect(record.data?.outTxs).to.deep.equal([]);
    // The deposit is still there: the allocator's signature moves it to the depositor.
    const { depository } = alpha.info.contracts;
    const amount = BigInt(record.protocol?.deposit?.origin?.amount ?? 0);
    const data = erc20Data("transfer", refundTo, amount);
    const calls = [{ allowFailure: false, data, to: alpha.currency("USDC") as Address, value: 0n }];
    const request = { calls, expiration: 4_000_000_000n, nonce: 1n };
    const signature = await deriveAccounts().allocator.account.signTypedData({
      domain: {
        chainId: alpha.info.id,
        name: "RelayDepository",
        verifyingContract: depository,
        version: "1",
      },
      message: request,
      primaryType: "CallRequest",
      types: withdrawalTypes,
    });
    const wallet = alpha.wallet(4);
    const hash = await wallet.writeContract({
      abi: depositoryAbi,
      account: wallet.account,
      address: depository,
      args: [request, signature],
      chain: null,
      functionName: "execute",
    });
    await alpha.reader.waitForTransactionReceipt({ hash });
    expect(await alpha.balanceOf(alpha.currency("USDC"), refundTo)).to.equal(amount);
  });
});
