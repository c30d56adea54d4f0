import { failReasons } from "../../src/schema/request/failReason.ts";
import { filterableStatuses } from "../../src/schema/request/query/requestsV2Query.ts";
import { requestFeatures } from "../../src/schema/request/requestFeature.ts";
import { requestTypes } from "../../src/schema/request/requestType.ts";
import { chainIds, currencies, type Known } from "./makeRows.ts";
import type { Random } from "./random.ts";

type Make = (known: Known, random: Random) => string;

const chain: Make = (_, random) => String(random.skewed(chainIds));
const address: Make = (_, random) => random.skewed(currencies)[0];
const symbol: Make = (_, random) => random.skewed(currencies)[1];
const user: Make = ({ users }, random) => (random.next() < 0.5 ? random.skewed(users) : random.pick(users));
const time: Make = ({ firstAt, lastAt }, random) =>
  String(Math.floor((firstAt + random.next() * (lastAt - firstAt)) / 1_000));
const dollars: Make = (_, random) => (10 ** (5 * random.next() - 1)).toFixed(2);

/** Parameters that groups of `filters` accept too. */
const fields: Readonly<Record<string, Make>> = {
  chainId: chain,
  currencyInAddress: address,
  currencyInChainId: chain,
  currencyInSymbol: symbol,
  currencyOutAddress: address,
  currencyOutChainId: chain,
  currencyOutSymbol: symbol,
  depositAddress: ({ depositAddresses }, random) => random.pick(depositAddresses),
  depositTxHash: ({ hashes }, random) => random.pick(hashes),
  destinationChainId: chain,
  failReason: (_, random) => random.skewed(failReasons),
  fillTxHash: ({ hashes }, random) => random.pick(hashes),
  id: ({ ids }, random) => random.pick(ids),
  orderId: ({ orderIds }, random) => random.pick(orderIds),
  originChainId: chain,
  recipient: user,
  refundFailReason: () => "AMOUNT_TOO_LOW_TO_REFUND",
  refundTxHash: ({ hashes }, random) => random.pick(hashes),
  requestType: (_, random) => random.pick(requestTypes),
  status: (_, random) => random.pick(filterableStatuses),
  user,
};

/** Parameters of the top level only. */
const topLevel: Readonly<Record<string, Make>> = {
  amountUsdMax: dollars,
  amountUsdMin: dollars,
  appFeesAmountUsdMax: dollars,
  appFeesAmountUsdMin: (_, random) => (10 ** (3 * random.next() - 2)).toFixed(2),
  endBlock: (_, random) => String(random.below(10_000_000)),
  endTimestamp: time,
  features: (_, random) => random.pick(requestFeatures),
  fillTimeMax: (_, random) => (30 * random.next()).toFixed(1),
  fillTimeMin: (_, random) => (60 * random.next()).toFixed(1),
  startBlock: (_, random) => String(random.below(10_000_000)),
  startTimestamp: time,
  term: (known, random) =>
    random.pick([known.ids, known.users, known.hashes].map((list) => random.pick(list))),
};
const numeric = /ChainId$|^chainId$/;

/** A lookup by one name, in the default order. */
const names = ["id", "orderId", "depositTxHash", "depositAddress", "user", "term"];

/** Builds a selective query of `GET /requests/v3`. */
export function namedQuery(known: Known, random: Random): URLSearchParams {
  const name = random.pick(names);
  const value =
    name === "user" ? random.pick(known.users) : ({ ...fields, ...topLevel }[name]?.(known, random) ?? "");
  return new URLSearchParams({ [name]: value });
}

/** Builds a random query of `GET /requests/v3`: one to four parameters, every sort and page size, sometimes groups. */
export function randomQuery(known: Known, random: Random): URLSearchParams {
  const query = new URLSearchParams();
  const all = { ...fields, ...topLevel };
  const wanted = 1 + random.below(4);
  for (let i = 0; i < wanted; i++) {
    const name = random.pick(Object.keys(all));
    query.set(name, all[name]?.(known, random) ?? "");
  }
  if (random.next() < 0.25) query.set("filters", JSON.stringify(groups(known, random)));
  if (random.next() < 0.1) query.set("apiKey", known.apiKeys[0]?.key ?? "");
  if (random.next() < 0.1) query.set("includeChildRequests", "true");
  query.set("sortBy", random.pick(["createdAt", "updatedAt", "amountUsd"]));
  query.set("sortDirection", random.pick(["asc", "desc"]));
  query.set("limit", random.pick(["20", "50"]));
  return query;
}

function groups(known: Known, random: Random) {
  return Array.from({ length: 1 + random.below(3) }, () => {
    const group: Record<string, unknown> = {};
    const size = 1 + random.below(2);
    for (let i = 0; i < size; i++) {
      const name = random.pick(Object.keys(fields));
      const values = Array.from({ length: 1 + random.below(2) }, () => {
        const value = fields[name]?.(known, random) ?? "";
        return numeric.test(name) ? Number(value) : value;
      });
      group[`${random.next() < 0.25 ? "not:" : ""}${name}`] = values.length === 1 ? values[0] : values;
    }
    return group;
  });
}
