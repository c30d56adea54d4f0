import type { ColumnTypes } from "../dialect/columnTypes.ts";

/** Deposits with the solver's transactions for them, users' own transactions, and payments that the service sweeps or sends. */
export const paymentSchema = ({ integer, serial, text }: ColumnTypes): readonly string[] => [
  `create table deposits (
    id ${text} primary key,
    source ${text} not null default 'payment',
    state ${text} not null,
    chain_id ${integer} not null,
    tx_hash ${text} not null,
    block_number ${integer} not null,
    block_hash ${text},
    block_at ${integer},
    tag ${text} not null,
    request_id ${text} not null references requests (id),
    depositor ${text} not null,
    currency ${text} not null,
    amount ${text} not null,
    reason ${text},
    fee ${text},
    at ${integer} not null,
    tx_data ${text},
    tx_from ${text},
    tx_to ${text},
    tx_value ${text},
    paid ${text},
    not_before ${integer},
    claimed_until ${integer}
  )`,
  "create index deposits_request_id on deposits (request_id)",
  "create index deposits_blocks on deposits (chain_id, block_number)",
  // Keeps the query for pending work fast, however many deposits are settled.
  "create index deposits_todo on deposits (at, id) where state in ('fill-due', 'refund-due')",
  // A claim is paid once and a request advanced once, even if the code fails to check.
  "create unique index one_obligation_a_request on deposits (request_id) where source <> 'payment'",
  // `replaced_by` is checked at the commit: a copy of the table is restored in no particular order.
  `create table transactions (
    id ${serial},
    deposit_id ${text} not null references deposits (id),
    request_id ${text} not null references requests (id),
    kind ${text} not null,
    chain_id ${integer} not null,
    nonce ${integer} not null,
    hash ${text} not null unique,
    state ${text} not null,
    block_number ${integer},
    block_hash ${text},
    block_at ${integer},
    gas_used ${integer},
    fee ${text},
    at ${integer} not null,
    raw ${text} not null,
    tx_data ${text},
    replaced_by ${integer} references transactions (id) deferrable initially deferred,
    refund_fail_reason ${text},
    details ${text}
  )`,
  "create index transactions_state on transactions (state)",
  "create index transactions_request_id on transactions (request_id)",
  "create index transactions_deposit on transactions (deposit_id)",
  // A reorg finds the transactions that it moved by their block.
  "create index transactions_block on transactions (chain_id, block_number)",
  "create index transactions_replaced on transactions (replaced_by) where replaced_by is not null",
  // A deposit is filled or refunded once, even if the code fails to check.
  `create unique index one_of_a_kind on transactions (deposit_id, kind)
    where kind <> 'cancel' and replaced_by is null`,
  // A payment and the cancel that replaces it share a nonce.
  "create unique index one_for_each_nonce on transactions (chain_id, nonce, (kind = 'cancel'))",
  // A request is filled for its deposit or for its advance, never for both.
  `create unique index one_fill_a_request on transactions (request_id)
    where kind = 'fill' and replaced_by is null`,
  `create table same_chain_transactions (
    request_id ${text} not null references requests (id),
    hash ${text} not null,
    chain_id ${integer} not null,
    block_number ${integer} not null,
    block_hash ${text} not null,
    block_at ${integer} not null,
    from_address ${text} not null,
    tx_to ${text},
    value ${text} not null,
    status ${text} not null,
    fee ${text} not null,
    at ${integer} not null,
    tx_data ${text} not null,
    paid ${text},
    primary key (request_id, hash)
  )`,
  // A request takes one such deposit, even if the code fails to check.
  `create table relayed_deposits (
    request_id ${text} primary key references requests (id),
    kind ${text} not null,
    payload ${text} not null,
    state ${text} not null,
    chain_id ${integer} not null,
    nonce ${integer},
    hash ${text} unique,
    raw ${text},
    block_number ${integer},
    block_hash ${text},
    block_at ${integer},
    gas_used ${integer},
    fee ${text},
    at ${integer} not null,
    attempts ${integer} not null default 0,
    not_before ${integer},
    unique (chain_id, nonce)
  )`,
  "create index relayed_deposits_state on relayed_deposits (state, at)",
  "create index relayed_deposits_block on relayed_deposits (chain_id, block_number)",
  `create table deposit_addresses (
    address ${text} primary key,
    request_id ${text} not null unique references requests (id),
    type ${text} not null,
    chain_id ${integer} not null,
    refund_to ${text},
    quote_request ${text} not null,
    created_at ${integer} not null,
    reindexed_at ${integer}
  )`,
  "create index deposit_addresses_chain on deposit_addresses (chain_id)",
  // A request is opened for one payment, even if the code fails to check.
  `create table address_payments (
    id ${text} primary key,
    address ${text} not null references deposit_addresses (address),
    chain_id ${integer} not null,
    currency ${text} not null,
    amount ${text} not null,
    sender ${text},
    tx_hash ${text},
    block_number ${integer},
    state ${text} not null,
    request_id ${text} unique references requests (id),
    at ${integer} not null,
    attempts ${integer} not null default 0,
    not_before ${integer}
  )`,
  "create index address_payments_address on address_payments (address)",
  "create index address_payments_tx_hash on address_payments (tx_hash)",
  "create index address_payments_block on address_payments (chain_id, block_number)",
  // Keeps the query for new payments fast, however many payments are swept.
  "create index address_payments_found on address_payments (chain_id, at, id) where state = 'found'",
];
