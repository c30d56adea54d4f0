import { expect } from "chai";
import { requestsPageSchema } from "../../../src/schema/record/requestV3.ts";
import { isFinalStatus } from "../../../src/track/reduceStatus.ts";
import {
  type DepositAddressRequest,
  type TrackDepositAddressParameters,
  trackDepositAddress,
} from "../../../src/track/trackDepositAddress.ts";
import { json, rejectionOf } from "../client/support/fakeService.ts";
import { fakeStream } from "./support/fakeStream.ts";
import { VirtualClock } from "./support/VirtualClock.ts";

const address = "bc1q9h6tz4f0zmg7v5jzh3yqk2w8x0r5u4c7d6e3fa";
const [first, second, third] = ["a8", "b7", "c6"].map((byte) => `0x${byte.repeat(32)}`) as [
  string,
  string,
  string,
];

type Row = { id: string; status: string; updatedAt: string } & Record<string, unknown>;

/** A request record as the listing has it, changed at some second. */
function row(id: string, status: string, second: number, more: Record<string, unknown> = {}): Row {
  return {
    data: { failReason: null, inTxs: [], outTxs: [] },
    depositAddress: { address, depositTxHash: null, depositor: null, type: "open" },
    id,
    status,
    supersededByRequestId: null,
    updatedAt: new Date(1_700_000_000_000 + second * 1_000).toISOString(),
    ...more,
  };
}

/** A service that lists the requests of an address, two a page, and finds those it does not list by their id. */
function fakeListing() {
  const listing = {
    /** Played before the listing itself, one a call. */
    fails: [] as (() => Response)[],
    queries: [] as Record<string, string>[],
    rows: [] as Row[],
    unlisted: [] as Row[],
  };
  const fetch = async (url: string): Promise<Response> => {
    const query = Object.fromEntries(new URL(url).searchParams);
    listing.queries.push(query);
    const failure = listing.fails.shift();
    if (failure !== undefined) return failure();
    const { continuation = "0", depositAddress, id } = query;
    if (id !== undefined) {
      const requests = [...listing.rows, ...listing.unlisted].filter((one) => one.id === id);
      return json(requestsPageSchema.parse({ requests }));
    }
    expect(depositAddress).to.equal(address);
    const sorted = listing.rows.toSorted((left, right) => right.updatedAt.localeCompare(left.updatedAt));
    const begin = Number(continuation);
    const next = begin + 2 < sorted.length ? { continuation: String(begin + 2) } : {};
    return json(requestsPageSchema.parse({ ...next, requests: sorted.slice(begin, begin + 2) }));
  };
  const { client, clock } = fakeStream(undefined, { fetch, retry: { count: 0 } });
  return { ...listing, client, clock, listing };
}

/** Follows the address until a change fits, and checks that no timer is left. */
async function collect(
  { client, clock }: ReturnType<typeof fakeListing>,
  isLast: (change: DepositAddressRequest) => boolean = isFilled,
  parameters: Partial<TrackDepositAddressParameters> = {},
) {
  const changes: DepositAddressRequest[] = [];
  const work = (async () => {
    for await (const change of trackDepositAddress(client, { address, ...parameters })) {
      changes.push(change);
      if (isLast(change)) break;
    }
  })();
  await clock.run(work);
  await VirtualClock.settle();
  expect(clock.sleeping).to.equal(0);
  return changes;
}

const isFilled = ({ progress }: DepositAddressRequest) => isFinalStatus(progress.status);
const isOf = (id: string) => (change: DepositAddressRequest) => change.requestId === id;
const never = () => false;
const successorsOf = (changes: readonly DepositAddressRequest[]) =>
  changes.map(({ progress, requestId, supersededByRequestId }) => [
    requestId,
    progress.status,
    supersededByRequestId,
  ]);

describe("trackDepositAddress", () => {
  it("follows a payment from the quote's request to the one that took it over", async () => {
    const fake = fakeListing();
    const { clock, listing } = fake;
    const superseded = row(first, "waiting", 3, { supersededByRequestId: second });
    listing.rows = [row(first, "waiting", 0)];
    clock.after(3_000, () => {
      listing.rows = [superseded, row(second, "pending", 3)];
    });
    const inTxs = [{ chainId: 8253038, txHash: "in" }];
    const data = { inTxs, outTxs: [{ chainId: 10, txHash: "0x02" }] };
    clock.after(5_000, () => {
      listing.rows = [superseded, row(second, "success", 5, { data })];
    });
    const changes = await collect(fake);
    expect(successorsOf(changes)).to.have.deep.members([
      [first, "waiting", undefined],
      [first, "waiting", second],
      [second, "pending", undefined],
      [second, "success", undefined],
    ]);
    const chains = { destinationChainId: 10, originChainId: 8253038 };
    expect(changes.at(-1)?.progress).to.deep.include({ ...chains, inTxHashes: ["in"], txHashes: ["0x02"] });
    expect(changes.at(-1)?.record.depositAddress?.address).to.equal(address);
    expect(clock.elapsed).to.equal(6_000);
  });

  it("finds the successor by its id while the address does not list it, and until its end", async () => {
    const fake = fakeListing();
    const { clock, listing } = fake;
    const upperCase = second.toUpperCase().replace("0X", "0x");
    listing.rows = [row(first, "waiting", 1, { supersededByRequestId: upperCase })];
    listing.unlisted = [row(second, "pending", 1, { supersededByRequestId: third })];
    clock.after(5_000, () => listing.unlisted.push(row(third, "refund", 5)));
    expect(successorsOf(await collect(fake))).to.have.deep.members([
      [first, "waiting", second],
      [second, "pending", third],
      [third, "refund", undefined],
    ]);
  });

  it("reports every payment to an open address, each change once, and those before the first look", async () => {
    const fake = fakeListing();
    const { clock, listing } = fake;
    listing.rows = [row(first, "success", 1), row(second, "refund", 2)];
    clock.after(3_000, () => listing.rows.push(row(third, "pending", 3)));
    clock.after(7_000, () => {
      listing.rows[2] = row(third, "success", 7);
    });
    const changes = await collect(fake, (change) => isOf(third)(change) && isFilled(change));
    expect(changes.map(({ progress, requestId }) => [requestId, progress.status])).to.deep.equal([
      [first, "success"],
      [second, "refund"],
      [third, "pending"],
      [third, "success"],
    ]);
  });

  it("reads all pages at first, and later no further than a page without news", async () => {
    const fake = fakeListing();
    const { clock, listing, queries } = fake;
    const ids = Array.from({ length: 7 }, (_, index) => `0x${String(index).repeat(64)}`);
    listing.rows = ids.map((id, index) => row(id, "success", index));
    clock.after(3_000, () => {
      listing.rows[0] = row(ids[0] ?? "", "success", 9, { supersededByRequestId: null });
      listing.rows.push(row(first, "success", 10));
    });
    expect(await collect(fake, isOf(first))).to.have.length(8);
    const pages = queries.map(({ continuation }) => continuation);
    // At 0, 2 and 4 seconds.
    expect(pages).to.deep.equal([undefined, "2", "4", "6", undefined, undefined, "2"]);
    const newest = { includeChildRequests: "true", sortBy: "updatedAt", sortDirection: "desc" };
    expect(queries[0]).to.include(newest);
  });

  it("goes on through errors that pass, in the middle of a look too, and loses nothing by them", async () => {
    const fake = fakeListing();
    const { clock, listing } = fake;
    listing.rows = [first, second, third].map((id, index) => row(id, "pending", index));
    const ok = () => json(requestsPageSchema.parse({ continuation: "2", requests: listing.rows.slice(1) }));
    const broken = () => {
      throw new TypeError("fetch failed");
    };
    listing.fails = [() => json({}, 429, { "retry-after": "7" }), ok, () => json({}, 503), broken];
    const changes = await collect(fake, isOf(third));
    expect(changes.map(({ requestId }) => requestId)).to.deep.equal([first, second, third]);
    // 2 + 7 + half of 2; 2 + half of 4; 2 + half of 8.
    expect(clock.elapsed).to.equal(10_000 + 4_000 + 6_000);
  });

  it("ignores successors that are no ids, and ends though two requests name each other or one names itself", async () => {
    const fake = fakeListing();
    const { clock, listing, queries } = fake;
    listing.rows = [
      row(first, "waiting", 1, { supersededByRequestId: "../admin" }),
      row(second, "waiting", 2, { supersededByRequestId: third }),
      row(third, "waiting", 3, { supersededByRequestId: second }),
    ];
    clock.after(5_000, () => {
      listing.rows[2] = row(third, "success", 5, { supersededByRequestId: third });
    });
    expect(successorsOf(await collect(fake)).at(-1)).to.deep.equal([third, "success", third]);
    expect(queries.filter(({ id }) => id !== undefined && id !== second && id !== third)).to.deep.equal([]);
  });

  it("stops when the caller aborts", async () => {
    const fake = fakeListing();
    const abort = new AbortController();
    fake.clock.after(5_000, () => abort.abort());
    const error = await rejectionOf(collect(fake, never, { signal: abort.signal }));
    expect(error).to.have.property("code", "ABORTED");
  });

  for (const fields of [{ address: "" }, { address: "a b" }, { pollingInterval: 0 }, { timeout: 0 }]) {
    it(`refuses ${JSON.stringify(fields)} before it sends anything`, async () => {
      const fake = fakeListing();
      const [parameter] = Object.keys(fields);
      const error = await rejectionOf(collect(fake, never, fields));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
      expect(fake.queries).to.deep.equal([]);
    });
  }
});
