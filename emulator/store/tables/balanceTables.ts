import { integer, integerOrNull, serial, table, text, textOrNull } from "../table.ts";

/** Fees, advances and sponsors of integrators, the perps exchange, and the log of the SVM chain. */
export const balanceTables = {
  // A request that ends in success pays each share once.
  /** Integrators' earnings by successful requests, in USDC; see `appFeeCurrency`. */
  app_fees: table(
    {
      request_id: text("references requests (id)"),
      /** Index among the request's app fees. */
      place: integer(),
      recipient: text(),
      chain_id: integer(),
      currency: text(),
      bps: integer(),
      /** Smallest units. */
      amount: text(),
      at: integer(),
    },
    ["primary key (request_id, place)"],
    ["create index app_fees_recipient on app_fees (recipient, chain_id, currency)"],
  ),
  // A claim is debited once, even if the code fails to check.
  /**
   * Debits of signed claims from balances of app fees. They count while their request can still be paid: a claim that fails
   * returns its debits.
   */
  app_fee_claims: table(
    {
      request_id: text("references requests (id)"),
      /** Index among the claim's debits. */
      place: integer(),
      wallet: text(),
      chain_id: integer(),
      currency: text(),
      /** Smallest units. */
      amount: text(),
      signature: text(),
      at: integer(),
    },
    ["primary key (request_id, place)"],
    ["create index app_fee_claims_wallet on app_fee_claims (wallet)"],
  ),
  /** Accepted fast fills, one per request. */
  fast_fills: table(
    {
      request_id: text("primary key references requests (id)"),
      /** The key that asked for it, and that the advance counts against. */
      api_key_id: text("references api_keys (id)"),
      /** The first recipient of the request's app fees, whose balance shows the advance; `null` without app fees. */
      wallet: textOrNull(),
      /** Worth of all that leaves the solver, at that time: inventory, native currency and gas. */
      amount_usd: integer(),
      at: integer(),
    },
    [],
    [
      "create index fast_fills_api_key_id on fast_fills (api_key_id)",
      "create index fast_fills_wallet on fast_fills (wallet)",
    ],
  ),
  /** Balances of sponsors, one per API key. The balance is the sum of the key's entries in the ledger. */
  sponsors: table({
    api_key_id: text("primary key references api_keys (id)"),
    /** Millionths of a dollar, as decimal digits; below zero only after a reorg. */
    balance: text(),
  }),
  // Two processes cannot charge one fill twice.
  /** Append-only ledger of the sponsors' balances. */
  sponsor_entries: table(
    {
      seq: serial(),
      api_key_id: text("references sponsors (api_key_id)"),
      /** `null` for a balance that was set. */
      request_id: textOrNull("references requests (id)"),
      /** Number of earlier entries of the request: even ones charge the sponsor, odd ones repay it. */
      turn: integerOrNull(),
      /** Change of the balance in millionths of a dollar, as decimal digits. */
      amount: text(),
      at: integer(),
    },
    ["unique (request_id, turn)"],
    ["create index sponsor_entries_key on sponsor_entries (api_key_id, seq)"],
  ),
  /** Balances on the perps exchange. Its currencies are in the form of quotes. */
  exchange_balances: table(
    {
      account: text(),
      currency: text(),
      /** Smallest units. */
      amount: text(),
    },
    ["primary key (account, currency)"],
  ),
  /** Executed actions of the perps exchange. Each has used a nonce of its account, even if it failed and moved nothing. */
  exchange_actions: table(
    {
      /** Height: consecutive numbers from 1. */
      id: integer("primary key"),
      hash: text("unique"),
      /** Recovered signer. */
      account: text(),
      nonce: integer(),
      destination: text(),
      /** Currency that leaves the account; another dex can receive it. */
      sent_currency: text(),
      currency: text(),
      /** Smallest units. */
      amount: text(),
      at: integer(),
      /** Why nothing moved; `null` after a transfer. */
      error: textOrNull(),
      /** The posted request as JSON, its fields in the order of the schema. */
      request: text(),
    },
    ["unique (account, nonce)"],
    ["create index exchange_transfers on exchange_actions (destination, id) where error is null"],
  ),
  /** Signed statements of which nonce of a wallet pays for which order. */
  nonce_mappings: table(
    {
      order_id: text("primary key"),
      wallet: text(),
      nonce: integer(),
      depositor: text(),
      signature_chain_id: integer(),
      signature: text(),
      at: integer(),
    },
    ["unique (wallet, nonce)"],
  ),
  // A transaction is executed once, even if the code fails to check. A payer can sign one message in many ways; the other
  // signers agreed to one execution.
  /**
   * The log of the SVM chain, one entry a slot. Its state follows from the entries in their order, so that a restart and
   * every process that shares the database arrive at the same state.
   */
  svm_entries: table({
    slot: integer("primary key"),
    /** A `void` transaction was not executed, and never will be. */
    kind: text<"genesis" | "transaction" | "void" | "balance">(),
    /** Base64 of a transaction's wire format; JSON of a set balance; empty for the genesis. */
    data: text(),
    /** Base58; transactions refer to a recent one. */
    blockhash: text("unique"),
    /** Of a transaction, in base58. */
    signature: textOrNull("unique"),
    /** SHA-256 of a transaction's signed message, in hex. */
    message_hash: textOrNull("unique"),
    /** JSON of what a transaction did; see `SvmOutcome`. */
    outcome: textOrNull(),
    at: integer(),
  }),
  /** Accounts that a transaction names, to find the transactions of an account. */
  svm_account_entries: table(
    {
      address: text(),
      slot: integer("references svm_entries (slot)"),
    },
    ["primary key (address, slot)"],
  ),
};
