import { expect } from "chai";
import { assertNode } from "../../../emulator/access/assertNode.ts";
import { searchCurrencies, searchCurrencyGroups } from "../../../emulator/currencies/searchCurrencies.ts";
import { openApiKeys } from "../../../emulator/keys/openApiKeys.ts";
import { loadAdminKey } from "../../../emulator/keys/secrets.ts";
import { dropRepetitions, type LogEntry } from "../../../emulator/log/LogEntry.ts";
import { drawNonce } from "../../../emulator/perps/openExchange.ts";
import { isSolverCurrency } from "../../../emulator/quote/route/planRoute.ts";
import type { OpenedStore } from "../../../emulator/store/openStore.ts";
import type { Store } from "../../../emulator/store/tables.ts";
import { delaySuccess } from "../../../emulator/websocket/statusSubscriptions.ts";
import { currenciesRequestSchema } from "../../../src/schema/chain/currencies.ts";
import { forEachDialect, forEachStore } from "../../helpers/processes/stores.ts";
import { ether, fakeChain, usdc, usdt } from "./support/fakeChains.ts";
import { idOf } from "./support/requests.ts";
import { pause } from "./support/waiting.ts";

describe("assertNode", () => {
  for (const version of ["18.0.0", "20.20.2", "22.15.1"]) {
    it(`rejects Node ${version}, and names it and the oldest supported version`, () => {
      expect(() => assertNode(version)).to.throw(
        `The emulator needs Node 22.16 or newer; this is Node ${version}.`,
      );
    });
  }

  for (const version of ["22.16.0", "24.0.0", "100.0.0"]) {
    it(`accepts Node ${version}`, () => expect(() => assertNode(version)).to.not.throw());
  }
});

const windowMs = 60;

const away = (details: string) => new Error(`the node does not answer\n${details}`);

describe("dropRepetitions", () => {
  it("a line that comes 121 times within a window is written once, and again after it", async () => {
    const written: LogEntry[] = [];
    const log = dropRepetitions((entry) => written.push(entry), windowMs);
    for (let i = 0; i < 121; i++)
      log({ cause: away(`block ${i}`), level: "error", message: "a round failed" });
    expect(written.map(({ message }) => message)).to.deep.equal(["a round failed"]);
    await pause(2 * windowMs);
    log({ cause: away("later"), level: "error", message: "a round failed" });
    expect(written).to.have.length(2);
  });
});

const delayMs = 60;

describe("delaySuccess", () => {
  let sent: string[];
  const delayed = (ms = delayMs) =>
    delaySuccess<{ readonly status: string }>(({ status }) => sent.push(status), ms);
  beforeEach(() => {
    sent = [];
  });

  for (const [title, statuses, atOnce] of [
    ["success after pending", ["waiting", "pending", "submitted", "success"], 3],
    ["success without pending, as on one chain", ["waiting", "success"], 1],
    ["statuses after a delayed success", ["success", "submitted", "success"], 0],
  ] as const) {
    it(`${title}: sends ${atOnce} at once, and the rest in order after the delay`, async () => {
      const { send } = delayed();
      for (const status of statuses) send({ status });
      expect(sent).to.deep.equal(statuses.slice(0, atOnce));
      await pause(2 * delayMs);
      expect(sent).to.deep.equal(statuses);
    });
  }

  it("pending sent longer ago than the delay, or a delay of 0: sends success at once", async () => {
    const slow = delayed();
    slow.send({ status: "pending" });
    await pause(2 * delayMs);
    slow.send({ status: "success" });
    expect(sent).to.deep.equal(["pending", "success"]);
    delayed(0).send({ status: "success" });
    expect(sent).to.have.length(3);
  });
});

forEachStore("openApiKeys", (kind) => {
  let drawn = 0;
  const random32 = () => idOf(++drawn);
  let at = 1_000;
  const open = (opened: OpenedStore) =>
    openApiKeys({
      ...opened,
      log: ({ cause }) => {
        throw cause;
      },
      now: () => at++,
      random32,
    });

  if (!kind.isLasting) return;

  it("a restart: keeps keys and the admin key, revoked keys stay revoked, and no key is added", async () => {
    const url = await kind.newUrl();
    const first = await kind.open(url);
    const before = await open(first);
    const [made] = before.list();
    const mine = await before.create({ isElevated: true, name: "mine" });
    await before.revoke(made?.id ?? "");
    const admin = await loadAdminKey({ random32, store: first.store });
    await first.close();

    const second = await kind.open(url);
    const after = await open(second);
    expect(after.list()).to.deep.equal([mine]);
    expect(after.find(made?.key ?? "")).to.equal(undefined);
    expect(await loadAdminKey({ random32, store: second.store })).to.equal(admin);
    await after.revoke(mine.id);
    await second.close();
    expect((await open(await kind.open(url))).list()).to.deep.equal([]);
  });

  if (!kind.isShared) return;
});

const now = 1_800_000_000_000;

forEachDialect("drawNonce", (kind) => {
  let store: Store;
  beforeEach(async () => {
    ({ store } = await kind.open());
  });

  it("fifty draws at one time: are fifty different nonces from that time on", async () => {
    const drawn = await Promise.all(Array.from({ length: 50 }, () => drawNonce(store, now)));
    expect([...drawn].sort()).to.deep.equal(Array.from({ length: 50 }, (_, index) => now + index));
  });
});

const otherUsdc = { ...usdc, address: "0x00000000000000000000000000000000000000C2" } as const;

const chains = [fakeChain(1, "one"), fakeChain(2, "two", { currencies: [ether, otherUsdc] })];

const everything = ["1 ETH", "1 USDC", "1 USDT", "2 ETH", "2 USDC"];

const find = (request: object) =>
  searchCurrencies(chains, currenciesRequestSchema.parse(request), isSolverCurrency).map(
    ({ chainId, symbol }) => `${chainId} ${symbol}`,
  );

describe("searchCurrencies", () => {
  it("no condition, the default list, or verified currencies: finds all", () => {
    for (const request of [{}, { defaultList: true }, { verified: true }, { useExternalSearch: true }]) {
      expect(find(request)).to.deep.equal(everything);
    }
  });

  const cases: [name: string, request: object, expected: string[]][] = [
    ["chains", { chainIds: [2] }, ["2 ETH", "2 USDC"]],
    ["an unknown chain", { chainIds: [3] }, []],
    ["part of a symbol in any case", { term: "uSd" }, ["1 USDC", "1 USDT", "2 USDC"]],
    ["part of a name", { term: "tether" }, ["1 USDT"]],
    ["part of an address", { term: usdt.address.slice(0, 12).toUpperCase() }, ["1 USDT"]],
    ["an address in any case", { address: usdc.address.toLowerCase() }, ["1 USDC"]],
    ["an id", { currencyId: "USDC" }, ["1 USDC", "2 USDC"]],
    [
      "tokens",
      { tokens: [`1:${usdt.address}`, `2:${ether.address}`, `2:${usdt.address}`] },
      ["1 USDT", "2 ETH"],
    ],
    ["several conditions at once", { chainIds: [1], currencyId: "usdc", term: "coin" }, ["1 USDC"]],
    ["conditions that contradict each other", { chainIds: [2], address: usdt.address }, []],
    [
      "a currency on every chain",
      { address: otherUsdc.address, chainIds: [2], includeAllChains: true },
      ["1 USDC", "2 USDC"],
    ],
    ["a limit of two", { limit: 2 }, ["1 ETH", "1 USDC"]],
    [
      "what deposit addresses take: native currency and USDC",
      { depositAddressOnly: true },
      ["1 ETH", "1 USDC", "2 ETH", "2 USDC"],
    ],
  ];
  for (const [name, request, expected] of cases) {
    it(`finds by ${name}`, () => {
      expect(find(request)).to.deep.equal(expected);
    });
  }

  it("version 1: groups the chains of a currency, and limits the groups", () => {
    const groups = searchCurrencyGroups(chains, currenciesRequestSchema.parse({ limit: 2 }));
    expect(
      groups.map((group) => group.map(({ chainId, groupID, symbol }) => [groupID, chainId, symbol])),
    ).to.deep.equal([
      [
        ["eth", 1, "ETH"],
        ["eth", 2, "ETH"],
      ],
      [
        ["usdc", 1, "USDC"],
        ["usdc", 2, "USDC"],
      ],
    ]);
  });
});
