import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, pad, zeroAddress } from "viem";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../../helpers/localChain.ts";
import { fiftyDollars, finalStatus, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

/** Index of the account that delegates. */
const delegator = 7;

/** Runtime code that destructs in favour of the address in its calldata. */
const destructing = "0x5f35ff";

describe("a native payment by code that is gone after its block", () => {
  const fixture = useEmulator();
  const { quoteAt } = depositAddressStage(fixture);
  const gas = 300_000n;

  /** Signs authorizations of the delegator, in the order of their nonces. */
  async function authorizations(targets: readonly Address[]) {
    const { alpha } = fixture;
    const wallet = alpha.wallet(delegator);
    const { address } = wallet.account;
    const nonce = await alpha.reader.getTransactionCount({ address });
    return Promise.all(
      targets.map((contractAddress, index) =>
        wallet.signAuthorization({ chainId: alpha.info.id, contractAddress, nonce: nonce + index }),
      ),
    );
  }

  /** Mines transactions of the payer in one block. */
  async function mineTogether(calls: readonly ((nonce: number) => Promise<Hex>)[]): Promise<readonly Hex[]> {
    const { alpha } = fixture;
    const { address } = alpha.wallet(payer).account;
    const first = await alpha.reader.getTransactionCount({ address });
    return withoutAutomine(alpha, async () => {
      const hashes: Hex[] = [];
      for (const [index, send] of calls.entries()) hashes.push(await send(first + index));
      await mine(alpha);
      const blocks = await Promise.all(
        hashes.map(async (hash) => (await alpha.reader.getTransactionReceipt({ hash })).blockNumber),
      );
      expect(new Set(blocks).size).to.equal(1);
      return hashes;
    });
  }

  const payThrough = (account: Address, target: Address, value: bigint) => (nonce: number) => {
    const call = { allowFailure: false, callData: "0x", target, value } as const;
    const data = encodeFunctionData({ abi: multicall3Abi, args: [[call]], functionName: "aggregate3Value" });
    return fixture.alpha.wallet(payer).sendTransaction({ data, gas, nonce, to: account, value });
  };

  for (const isEarlier of [true, false]) {
    const when = isEarlier ? "an earlier" : "the same";
    it(`a payment through an account that delegated in ${when} block and clears it in this one: is filled`, async () => {
      const { alpha } = fixture;
      const quote = await quoteAt({ from: "ETH", refundTo: fresh(), strict: true, to: "ETH" });
      const account = alpha.wallet(delegator).account.address;
      const [set, clear] = await authorizations([alpha.info.contracts.multicall3, zeroAddress]);
      if (set === undefined || clear === undefined) throw new Error("nothing was signed");
      const delegate = (authorization: typeof set) => (nonce: number) =>
        alpha
          .wallet(payer)
          .sendTransaction({ authorizationList: [authorization], gas, nonce, to: fresh(), value: 0n });
      if (isEarlier) await mineTogether([delegate(set)]);
      const hashes = await mineTogether([
        ...(isEarlier ? [] : [delegate(set)]),
        payThrough(account, addressOf(quote), fiftyDollars("ETH")),
        delegate(clear),
      ]);
      expect(await alpha.reader.getCode({ address: account })).to.equal(undefined);
      const { depositAddress, status } = await finalStatus(fixture, requestIdOf(quote));
      expect(status).to.equal("success");
      expect(depositAddress).to.include({ depositTxHash: hashes[isEarlier ? 0 : 1] });
      expect(await alpha.balanceOf(zeroAddress, addressOf(quote))).to.equal(0n);
    });
  }

  it("a payment by SELFDESTRUCT: is filled", async () => {
    const { alpha } = fixture;
    const quote = await quoteAt({ from: "ETH", refundTo: fresh(), strict: true, to: "ETH" });
    const contract = fresh();
    await setCode(alpha, contract, destructing);
    const data = pad(addressOf(quote));
    const txHash = await sendAs(alpha, payer, { data, to: contract, value: fiftyDollars("ETH") });
    const { depositAddress, status } = await finalStatus(fixture, requestIdOf(quote));
    expect(status).to.equal("success");
    expect(depositAddress).to.include({ depositor: contract, depositTxHash: txHash });
  });
});
