import { expect } from "chai";
import type { Insertable } from "kysely";
import { appFeeBalancesOf } from "../../../../emulator/requests/accrueAppFees.ts";
import type { RequestRow, Store, Tables } from "../../../../emulator/store/tables.ts";

import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { requestRow } from "../support/requests.ts";

const wallet = "0x00000000000000000000000000000000000000aa";
const other = "0x00000000000000000000000000000000000000bb";
const usdc = "0x00000000000000000000000000000000000000cc";

forEachDialect("appFeeBalancesOf", (kind) => {
  let store: Store;
  beforeEach(async () => {
    store = (await kind.open()).store;
  });

  async function request(id: string, status: RequestRow["status"]): Promise<void> {
    await store
      .insertInto("requests")
      .values(requestRow({ id, order_id: id, status }))
      .execute();
  }
  async function earned(id: string, amount: string, recipient = wallet, chain_id = 1): Promise<void> {
    await request(id, "success");
    const fee = { at: 1, bps: 1, chain_id, currency: usdc, place: 0, request_id: id };
    await store
      .insertInto("app_fees")
      .values({ ...fee, amount, recipient })
      .execute();
  }
  async function claimed(id: string, amount: string, status: RequestRow["status"]): Promise<void> {
    await request(id, status);
    const debit: Insertable<Tables["app_fee_claims"]> = {
      amount,
      at: 1,
      chain_id: 1,
      currency: usdc,
      place: 0,
      request_id: id,
      signature: "0x",
      wallet,
    };
    await store.insertInto("app_fee_claims").values(debit).execute();
  }
  const balances = async () =>
    (await appFeeBalancesOf(store, wallet.toUpperCase().replace("0X", "0x"))).map(({ amount, chainId }) => [
      chainId,
      amount,
    ]);

  it("no fees: no balance", async () => expect(await balances()).to.deep.equal([]));

  it("fees of several requests: a sum for each chain, without those of other wallets", async () => {
    await earned("0x1", "100");
    await earned("0x2", "23");
    await earned("0x3", "7", wallet, 2);
    await earned("0x4", "1000", other);
    expect(await balances()).to.deep.equal([
      [1, 123n],
      [2, 7n],
    ]);
  });

  for (const [status, left] of [
    ["pending", 60n],
    ["submitted", 60n],
    ["success", 60n],
    ["failure", 100n],
  ] as const) {
    it(`a claim that is ${status}: leaves ${left} of 100`, async () => {
      await earned("0x1", "100");
      await claimed("0x2", "40", status);
      expect(await balances()).to.deep.equal([[1, left]]);
    });
  }

  it("fees that a reorg takes back after their claim: the balance is negative", async () => {
    await earned("0x1", "100");
    await claimed("0x2", "100", "success");
    await store.deleteFrom("app_fees").where("request_id", "=", "0x1").execute();
    expect(await balances()).to.deep.equal([[1, -100n]]);
  });

  it("a second debit of a claim: the database refuses it", async () => {
    await claimed("0x2", "40", "pending");
    const again = store
      .insertInto("app_fee_claims")
      .columns(["request_id", "place", "wallet", "chain_id", "currency", "amount", "signature", "at"])
      .expression((from) =>
        from
          .selectFrom("app_fee_claims")
          .select(["request_id", "place", "wallet", "chain_id", "currency", "amount", "signature", "at"]),
      )
      .execute();
    const refused = await again.then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
  });
});
