import { expect } from "chai";
import { serializeIntent } from "../../../../emulator/requests/Intent.ts";
import type { Store } from "../../../../emulator/store/tables.ts";

import { webhookPayload } from "../../../../emulator/webhooks/webhookPayload.ts";
import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { addRequest, intent, requestId, requestRow } from "../support/requests.ts";

const address = `0x${"ad".repeat(20)}` as const;
const sender = `0x${"5e".repeat(20)}`;
const txHash = `0x${"77".repeat(32)}`;

forEachDialect("webhookPayload", ({ open }) => {
  const depositAddress = { address, refundsSender: false, type: "strict" } as const;
  const row = { deposit_address: address, intent: serializeIntent({ ...intent, depositAddress }) };
  const eventWith = (status: "depositing" | "waiting") => ({
    at: 1,
    data: "{}",
    request_id: requestId,
    seq: 1,
    status,
    trigger: "quoted",
  });
  let store: Store;
  before(async () => {
    store = (await open()).store;
    await addRequest(store, row);
    await store
      .insertInto("deposit_addresses")
      .values({
        address,
        chain_id: 31337,
        created_at: 1,
        quote_request: "{}",
        request_id: requestId,
        type: "strict",
      })
      .execute();
    await store
      .insertInto("address_payments")
      .values({
        address,
        amount: "100",
        at: 1,
        chain_id: 31337,
        currency: intent.origin.currency,
        id: `31337:${txHash}:value`,
        request_id: requestId,
        sender,
        state: "assigned",
        tx_hash: txHash,
      })
      .execute();
  });

  // @spec webhook/deposit-address-form
  it("a paid deposit address: names address, type, payer and the payment's transaction", async () => {
    const { data } = await webhookPayload(store, requestRow(row), eventWith("depositing"));
    expect(data.depositAddress).to.deep.equal({
      address,
      depositAddressType: "strict",
      depositor: sender,
      depositTxHash: txHash,
    });
  });

  it("an event before the payment: names neither payer nor transaction, even if it is delivered later", async () => {
    const { data } = await webhookPayload(store, requestRow(row), eventWith("waiting"));
    expect(data.depositAddress).to.deep.equal({
      address,
      depositAddressType: "strict",
      depositor: null,
      depositTxHash: null,
    });
  });
});
