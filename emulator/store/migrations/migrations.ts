import type { Migration } from "kysely/migration";
import { up as keys } from "./0001-keys.ts";
import { up as requests } from "./0002-requests.ts";
import { up as events } from "./0003-events.ts";
import { up as money } from "./0004-money.ts";
import { up as chains } from "./0005-chains.ts";
import { up as settings } from "./0006-settings.ts";
import { up as blocks } from "./0010-blocks.ts";
import { up as own } from "./0011-own.ts";
import { up as work } from "./0030-work.ts";
import { up as search } from "./0040-search.ts";
import { up as webhooks } from "./0050-webhooks.ts";
import { up as controlLog } from "./0060-control-log.ts";
import { up as permits } from "./0070-permits.ts";
import { up as delivered } from "./0080-delivered.ts";
import { up as moved } from "./0090-moved.ts";
import { up as partner } from "./0110-partner.ts";
import { up as records } from "./0120-records.ts";

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
