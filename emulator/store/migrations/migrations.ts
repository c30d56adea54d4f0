import type { Migration } from "kysely/migration";
import { up as keys } from "./0001-keys.ts";
import { up as requests } from "./0002-requests.ts";
import { up as events } from "./0003-events.ts";
import { up as payments } from "./0004-payments.ts";
import { up as chains } from "./0005-chains.ts";
import { up as control } from "./0006-control.ts";
import { up as webhooks } from "./0007-webhooks.ts";
import { up as relayedDeposits } from "./0008-relayed-deposits.ts";
import { up as search } from "./0009-search.ts";
import { up as depositAddresses } from "./0010-deposit-addresses.ts";
import { up as sponsors } from "./0012-sponsors.ts";
import { up as obligations } from "./0013-obligations.ts";
import { up as exchange } from "./0014-exchange.ts";
import { up as svm } from "./0016-svm.ts";
import { up as retries } from "./0032-retries.ts";

/** In order of their names. A migration that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-keys": { up: keys },
  "0002-requests": { up: requests },
  "0003-events": { up: events },
  "0004-payments": { up: payments },
  "0005-chains": { up: chains },
  "0006-control": { up: control },
  "0007-webhooks": { up: webhooks },
  "0008-relayed-deposits": { up: relayedDeposits },
  "0009-search": { up: search },
  "0010-deposit-addresses": { up: depositAddresses },
  "0012-sponsors": { up: sponsors },
  "0013-obligations": { up: obligations },
  "0014-exchange": { up: exchange },
  "0016-svm": { up: svm },
  "0032-retries": { up: retries },
};
