import { type Kysely, sql } from "kysely";
import { columnTypes } from "../dialect/columnTypes.ts";

/** Deposits that the service sends for their users: signatures of `permits`, and later kinds in the same table. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable("relayed_deposits")
    // A request takes one such deposit, even if the code fails to check.
    .addColumn("request_id", text, (column) => column.primaryKey().references("requests.id"))
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("payload", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("chain_id", integer, (column) => column.notNull())
    .addColumn("nonce", integer)
    .addColumn("hash", text, (column) => column.unique())
    .addColumn("raw", text)
    .addColumn("block_number", integer)
    .addColumn("block_hash", text)
    .addColumn("block_at", integer)
    .addColumn("gas_used", integer)
    .addColumn("fee", text)
    .addColumn("at", integer, (column) => column.notNull())
    .addUniqueConstraint("relayed_deposits_one_for_each_nonce", ["chain_id", "nonce"])
    .execute();
  const copied = sql.raw(
    "state, chain_id, nonce, hash, raw, block_number, block_hash, block_at, gas_used, fee, at",
  );
  // Signatures are hex: the literal needs no escapes.
  await sql`insert into relayed_deposits (request_id, kind, payload, ${copied})
    select request_id, way, '{"signature":"' || signature || '"}', ${copied} from permits`.execute(database);
  await database.schema.dropTable("permits").execute();
  await database.schema
    .createIndex("relayed_deposits_state")
    .on("relayed_deposits")
    .columns(["state", "at"])
    .execute();
  await database.schema
    .createIndex("relayed_deposits_block")
    .on("relayed_deposits")
    .columns(["chain_id", "block_number"])
    .execute();
}
