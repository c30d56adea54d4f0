import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openStore } from "../../emulator/store/openStore.ts";
import type { Tables } from "../../emulator/store/tables.ts";
import { root } from "./docsHeadings.ts";
import { type EmulatorFixture, useEmulator } from "./emulatorFixture.ts";
import { readExchange, readSvm } from "./model/otherBooks.ts";
import { svmAccounts } from "./svm.ts";

/** Tables whose rows are money, or a promise of money. */
const moneyTables = [
  "address_payments",
  "app_fee_claims",
  "app_fees",
  "deposits",
  "exchange_actions",
  "exchange_balances",
  "fast_fills",
  "nonce_mappings",
  "relayed_deposits",
  "same_chain_transactions",
  "sponsor_entries",
  "sponsors",
  "svm_account_entries",
  "svm_entries",
  "transactions",
] as const satisfies readonly (keyof Tables)[];

/** Time in which the solver would act on a payment that it found. */
const roundsMs = 60;

/** An emulator of all ledgers, whose state is read from outside. */
export type LedgersFixture = EmulatorFixture & {
  /** Runs `act` and expects the same blocks, balances and rows before and after it. */
  nothingMoves<Result>(act: () => Promise<Result>): Promise<Result>;
};

/** Starts an emulator of EVM chains, exchange and SVM chain before a suite's tests, on a database in a file. */
export function useLedgers(): LedgersFixture {
  let folder = "";
  before("create a folder", () => {
    folder = mkdtempSync(join(tmpdir(), "waybill-ledgers-"));
  });
  const fixture = useEmulator({
    get database() {
      return join(folder, "emulator.db");
    },
    perps: true,
    svm: true,
  });
  after("remove the folder", () => rmSync(folder, { force: true, recursive: true }));
  const nothingMoves = async <Result>(act: () => Promise<Result>) => {
    const before = await readLedgers(fixture, folder);
    const result = await act();
    await new Promise((resolve) => setTimeout(resolve, roundsMs));
    expect(await readLedgers(fixture, folder)).to.deep.equal(before);
    return result;
  };
  return Object.defineProperties(
    { nothingMoves },
    Object.getOwnPropertyDescriptors(fixture),
  ) as LedgersFixture;
}

/** The hash of a block covers balances, nonces, code and storage of its chain. */
async function readLedgers({ alpha, beta, emulator }: EmulatorFixture, folder: string) {
  const { info } = emulator;
  const { faucet, solver, users } = await svmAccounts();
  const wallets = [faucet, solver, ...users].map(({ signer }) => signer.address as string);
  const accounts = [info.solver, ...alpha.info.accounts.map(({ address }) => address)];
  const blocks = await Promise.all([alpha, beta].map(({ reader }) => reader.getBlock()));
  return {
    blocks: blocks.map(({ hash, number }) => ({ hash, number })),
    exchange: await readExchange(info, accounts),
    svm: await readSvm(info, wallets),
    rows: await readRows(folder),
  };
}

/** Reads a copy of the database, because the emulator has the file alone. It is in this process: no write runs meanwhile. */
async function readRows(folder: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const [file, copy] = [join(folder, "emulator.db"), join(folder, "copy.db")];
  for (const part of ["", "-wal"]) {
    rmSync(`${copy}${part}`, { force: true });
    if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
  }
  const { close, store } = await openStore(copy);
  try {
    const rows: Record<string, readonly unknown[]> = {};
    for (const table of moneyTables) rows[table] = await store.selectFrom(table).selectAll().execute();
    rows["requests"] = await store
      .selectFrom("requests")
      .select(["id", "status", "delivered", "fail_reason"])
      .where("status", "!=", "waiting")
      .execute();
    return rows;
  } finally {
    await close();
  }
}

const pages = [
  "reference/codes",
  "reference/errors",
  "reference/failures",
  "reference/perps",
  "reference/emulator",
];
let documented: Set<string> | undefined;

/** Whether a table or a heading of the documents has a code. */
export function isDocumented(code: string): boolean {
  documented ??= new Set(
    pages.flatMap((page) =>
      readFileSync(join(root, "docs", `${page}.md`), "utf8")
        .split("\n")
        .filter((line) => /^[|#]/.test(line))
        .flatMap((line) => [...line.matchAll(/\b[A-Z][A-Z_0-9]{5,}\b/g)].map(([each]) => each)),
    ),
  );
  return documented.has(code);
}
