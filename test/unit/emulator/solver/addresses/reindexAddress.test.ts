import { expect } from "chai";
import { numberToHex, zeroAddress } from "viem";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import { reindexAddress, retryAtOnce } from "../../../../../emulator/solver/addresses/reindexAddress.ts";
import { resetStore } from "../../../../../emulator/store/resetStore.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { testContext } from "../../support/context.ts";
import { startLiveChain } from "../../support/liveChain.ts";
import { addDepositAddress, addRequest, idOf, readAll, requestId } from "../../support/requests.ts";

const address = `0x${"ad".repeat(20)}`;
const paid = 50_000_000n;

forEachStore("reindexAddress", (kind) => {
  let store: Store;
  let chain: Chain;
  before(async () => {
    ({ store } = await kind.open());
    ({ chain } = await startLiveChain(31_397, "delta"));
  });
  after(() => chain?.close());

  it("a sweep mined after the block of the balance: is reserved; one mined up to it is not", async () => {
    const currency = chain.currencies.find(({ symbol }) => symbol === "USDC");
    if (currency === undefined) throw new Error("the chain has no USDC");
    const chain_id = chain.definition.id;
    await addRequest(store, { id: requestId });
    await addDepositAddress(store, { address, chain_id, request_id: requestId });
    const payment = { address, amount: paid.toString(), at: 1, chain_id, request_id: requestId };
    await store
      .insertInto("address_payments")
      .values({ ...payment, currency: currency.address.toLowerCase(), id: "paid", state: "assigned" })
      .execute();
    const sweep = { at: 1, chain_id, kind: "sweep", payload: "{}", request_id: requestId } as const;
    await store
      .insertInto("relayed_deposits")
      .values({ ...sweep, block_number: 8, state: "mined" })
      .execute();
    const context = testContext({ store });
    const search = async (blockNumber: bigint, balance: bigint) => {
      const balances = { balanceOf: async () => balance, blockNumber };
      const { triggeredCurrencies } = await reindexAddress(address, chain, [currency], balances, context);
      return triggeredCurrencies.map((each) => each.balance);
    };
    expect(await search(7n, paid)).to.deep.equal([]);
    // Only what exceeds the swept payment is new.
    expect(await search(7n, paid + 20_000_000n)).to.deep.equal(["20000000"]);
    // The new payment is reserved in turn.
    expect(await search(7n, paid + 20_000_000n)).to.deep.equal([]);
    expect(await search(8n, 20_000_000n)).to.deep.equal([]);
    expect(await search(8n, 20_000_000n + paid)).to.deep.equal([paid.toString()]);
    expect(await readAll(store, "address_payments")).to.have.length(3);
  });

  it("two searches at once, which read the same balance: record its money once", async () => {
    const currency = chain.currencies.find(({ symbol }) => symbol === "USDT");
    if (currency === undefined) throw new Error("the chain has no USDT");
    const balances = { balanceOf: async () => paid, blockNumber: 9n };
    let drawn = 1_000;
    const random32 = () => numberToHex(++drawn, { size: 32 });
    const context = testContext({ random32, store });
    const found = await Promise.all(
      [1, 2].map(() => reindexAddress(address, chain, [currency], balances, context)),
    );
    const triggered = found.flatMap(({ triggeredCurrencies }) => triggeredCurrencies);
    expect(triggered.map(({ balance }) => balance)).to.deep.equal([paid.toString()]);
    const rows = (await readAll(store, "address_payments")).filter(
      (payment) => payment.currency === currency.address.toLowerCase(),
    );
    expect(rows).to.have.length(1);
  });

  it("a retry of an address: ends the delays of its payments and sweeps on the chain, and of no others", async () => {
    await resetStore(store);
    const chain_id = chain.definition.id;
    const elsewhere = chain_id + 1;
    const other = `0x${"ae".repeat(20)}`;
    const delayed = { amount: "1", at: 1, attempts: 5, currency: zeroAddress, not_before: 9_000 };
    const [own, foreign, abroad] = [requestId, idOf(1), idOf(3)] as const;
    await addRequest(store, { id: own });
    await addRequest(store, { id: foreign, order_id: idOf(2) });
    await addRequest(store, { id: abroad, order_id: idOf(4) });
    await addDepositAddress(store, { address, chain_id, request_id: own });
    await addDepositAddress(store, { address: other, chain_id, request_id: foreign });
    await store
      .insertInto("address_payments")
      .values([
        { ...delayed, address, chain_id, id: "found", state: "found" },
        { ...delayed, address, chain_id, id: "swept", request_id: own, state: "assigned" },
        { ...delayed, address, chain_id: elsewhere, id: "found abroad", state: "found" },
        {
          ...delayed,
          address,
          chain_id: elsewhere,
          id: "swept abroad",
          request_id: abroad,
          state: "assigned",
        },
        { ...delayed, address: other, chain_id, id: "found at another", state: "found" },
        {
          ...delayed,
          address: other,
          chain_id,
          id: "swept at another",
          request_id: foreign,
          state: "assigned",
        },
      ])
      .execute();
    const sweep = { at: 1, attempts: 5, kind: "sweep", not_before: 9_000, payload: "{}" } as const;
    await store
      .insertInto("relayed_deposits")
      .values([
        { ...sweep, chain_id, request_id: own, state: "signed" },
        { ...sweep, chain_id: elsewhere, request_id: abroad, state: "due" },
        { ...sweep, chain_id, request_id: foreign, state: "due" },
      ])
      .execute();
    await retryAtOnce(address, chain, { store });
    const payments = await readAll(store, "address_payments");
    const sweeps = await readAll(store, "relayed_deposits");
    expect(payments.filter((row) => row.not_before === null).map(({ id }) => id)).to.deep.equal(["found"]);
    expect(sweeps.filter((row) => row.not_before === null).map((row) => row.request_id)).to.deep.equal([own]);
    expect(sweeps.find((row) => row.request_id === own)?.attempts).to.equal(0);
  });
});
