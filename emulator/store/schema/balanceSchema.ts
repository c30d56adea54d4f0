import type { ColumnTypes } from "../dialect/columnTypes.ts";

/** Fees, advances and sponsors of integrators, the perps exchange, and the log of the SVM chain. */
export const balanceSchema = ({ integer, serial, text }: ColumnTypes): readonly string[] => [
  // A request that ends in success pays each share once.
  `create table app_fees (
    request_id ${text} not null references requests (id),
    place ${integer} not null,
    recipient ${text} not null,
    chain_id ${integer} not null,
    currency ${text} not null,
    bps ${integer} not null,
    amount ${text} not null,
    at ${integer} not null,
    primary key (request_id, place)
  )`,
  "create index app_fees_recipient on app_fees (recipient, chain_id, currency)",
  // A claim is debited once, even if the code fails to check.
  `create table app_fee_claims (
    request_id ${text} not null references requests (id),
    place ${integer} not null,
    wallet ${text} not null,
    chain_id ${integer} not null,
    currency ${text} not null,
    amount ${text} not null,
    signature ${text} not null,
    at ${integer} not null,
    primary key (request_id, place)
  )`,
  "create index app_fee_claims_wallet on app_fee_claims (wallet)",
  `create table fast_fills (
    request_id ${text} primary key references requests (id),
    api_key_id ${text} not null references api_keys (id),
    wallet ${text},
    amount_usd ${integer} not null,
    at ${integer} not null
  )`,
  "create index fast_fills_api_key_id on fast_fills (api_key_id)",
  "create index fast_fills_wallet on fast_fills (wallet)",
  `create table sponsors (
    api_key_id ${text} primary key references api_keys (id),
    balance ${text} not null
  )`,
  // Two processes cannot charge one fill twice.
  `create table sponsor_entries (
    seq ${serial},
    api_key_id ${text} not null references sponsors (api_key_id),
    request_id ${text} references requests (id),
    turn ${integer},
    amount ${text} not null,
    at ${integer} not null,
    unique (request_id, turn)
  )`,
  "create index sponsor_entries_key on sponsor_entries (api_key_id, seq)",
  `create table exchange_balances (
    account ${text} not null,
    currency ${text} not null,
    amount ${text} not null,
    primary key (account, currency)
  )`,
  `create table exchange_actions (
    id ${integer} primary key,
    hash ${text} not null unique,
    account ${text} not null,
    nonce ${integer} not null,
    destination ${text} not null,
    sent_currency ${text} not null,
    currency ${text} not null,
    amount ${text} not null,
    at ${integer} not null,
    error ${text},
    request ${text} not null,
    unique (account, nonce)
  )`,
  "create index exchange_transfers on exchange_actions (destination, id) where error is null",
  `create table nonce_mappings (
    order_id ${text} primary key,
    wallet ${text} not null,
    nonce ${integer} not null,
    depositor ${text} not null,
    signature_chain_id ${integer} not null,
    signature ${text} not null,
    at ${integer} not null,
    unique (wallet, nonce)
  )`,
  // A transaction is executed once, even if the code fails to check. A payer can sign one message in many ways; the other
  // signers agreed to one execution.
  `create table svm_entries (
    slot ${integer} primary key,
    kind ${text} not null,
    data ${text} not null,
    blockhash ${text} not null unique,
    signature ${text} unique,
    message_hash ${text} unique,
    outcome ${text},
    at ${integer} not null
  )`,
  `create table svm_account_entries (
    address ${text} not null,
    slot ${integer} not null references svm_entries (slot),
    primary key (address, slot)
  )`,
];
