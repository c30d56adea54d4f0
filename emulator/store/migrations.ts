import type { Migration } from "kysely/migration";
import { up as keys } from "./migrations/0001-keys.ts";
import { up as requests } from "./migrations/0002-requests.ts";
import { up as events } from "./migrations/0003-events.ts";
import { up as money } from "./migrations/0004-money.ts";
import { up as chains } from "./migrations/0005-chains.ts";
import { up as settings } from "./migrations/0006-settings.ts";
import { up as blocks } from "./migrations/0010-blocks.ts";
import { up as own } from "./migrations/0011-own.ts";
import { up as work } from "./migrations/0030-work.ts";
import { up as search } from "./migrations/0040-search.ts";
import { up as webhooks } from "./migrations/0050-webhooks.ts";
import { up as controlLog } from "./migrations/0060-control-log.ts";
import { up as permits } from "./migrations/0070-permits.ts";
import { up as delivered } from "./migrations/0080-delivered.ts";
import { up as moved } from "./migrations/0090-moved.ts";
import { up as partner } from "./migrations/0110-partner.ts";
import { up as records } from "./migrations/0120-records.ts";

/** In order of their names; one that has shipped is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-keys": { up: keys },
  "0002-requests": { up: requests },
  "0003-events": { up: events },
  "0004-money": { up: money },
  "0005-chains": { up: chains },
  "0006-settings": { up: settings },
  "0010-blocks": { up: blocks },
  "0011-own": { up: own },
  "0030-work": { up: work },
  "0040-search": { up: search },
  "0050-webhooks": { up: webhooks },
  "0060-control-log": { up: controlLog },
  "0070-permits": { up: permits },
  "0080-delivered": { up: delivered },
  "0090-moved": { up: moved },
  "0110-partner": { up: partner },
  "0120-records": { up: records },
};
