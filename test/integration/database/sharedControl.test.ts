import { expect } from "chai";
import { zeroAddress } from "viem";
import { getChains, getStatus } from "../../../src/client/index.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";
import { type SharedIntent, startMs, useSharedEmulators } from "./sharedEmulators.ts";

/** Time limit for a change to reach another process, in milliseconds. */
const noticeMs = 5_000;

const endMs = 40_000;

forEachStore("what is set on one of two emulators over one database", (kind) => {
  if (!kind.isShared) return;
  const { admin, chains, clientOf, infos, payAll, quotes, spawned, start } = useSharedEmulators(kind);

  /** Waits until a process returns the same answer as another. */
  const heard = (index: number, path: string, isSo: (answer: Record<string, unknown>) => boolean) =>
    until(
      async () => {
        const answer = await admin(index, "GET", path);
        return isSo(answer) ? answer : undefined;
      },
      `${path} to be heard of`,
      noticeMs,
    );
  const idsOf = ({ faults }: Record<string, unknown>) => (faults as { id: string }[]).map(({ id }) => id);

  async function ends(intents: readonly SharedIntent[]): Promise<readonly string[]> {
    const statuses: string[] = [];
    for (const { quote } of intents) {
      const { status } = await until(
        async () => {
          const answer = await getStatus(clientOf(1), { requestId: idOf(quote) });
          return ["success", "refund", "failure"].includes(answer.status) ? answer : undefined;
        },
        `the end of ${idOf(quote)}`,
        endMs,
      );
      statuses.push(status);
    }
    return statuses;
  }

  it("faults, prices, health, configuration and clock of one process apply to the other", async function () {
    this.timeout(3 * startMs);
    const { id } = chains()[0].info;
    await admin(0, "POST", "/faults", { kind: "route-slow", delayMs: 1, path: "/nowhere" });
    await heard(1, "/faults", (answer) => idsOf(answer).join() === "fault-1");
    await admin(1, "POST", "/faults", { kind: "route-broken", path: "/currencies", status: 503 });
    await heard(0, "/faults", (answer) => idsOf(answer).join() === "fault-1,fault-2");
    await admin(0, "PATCH", "/prices", { ETH: "3000" });
    await admin(1, "PATCH", "/prices", { USDT: "0.5" });
    for (const index of [0, 1]) {
      await heard(index, "/prices", ({ prices }) => {
        const { ETH, USDT } = prices as Record<string, string>;
        return ETH === "3000" && USDT === "0.5";
      });
    }
    await admin(1, "PATCH", `/chains/${id}/health`, { disabled: true });
    await heard(0, `/chains/${id}/health`, ({ disabled }) => disabled === true);
    await admin(0, "PATCH", "/config", { routerVersion: "v2.1" });
    await admin(1, "PATCH", "/config", { rateLimits: true });
    for (const index of [0, 1]) {
      await heard(index, "/config", (all) => all.routerVersion === "v2.1" && all.rateLimits === true);
    }
    const { now } = await admin(1, "POST", "/clock", { advance: 3_600_000, frozen: true });
    await heard(0, "/clock", (clock) => clock.isFrozen === true && clock.now === now);
    // Concurrent changes: neither hour is lost.
    await Promise.all([0, 1].map((index) => admin(index, "POST", "/clock", { advance: 3_600_000 })));
    for (const index of [0, 1])
      await heard(index, "/clock", (clock) => clock.now === Number(now) + 7_200_000);

    // The settings take effect too, and a start over the same database finds all of them.
    const third = await start("--router-version", "v3");
    for (const index of [0, third]) {
      const { chains: shown } = await getChains(clientOf(index));
      expect(shown.find((chain) => chain.id === id)?.disabled).to.equal(true);
      expect((await admin(index, "GET", "/clock")).now).to.equal(Number(now) + 7_200_000);
      expect(idsOf(await admin(index, "GET", "/faults"))).to.deep.equal(["fault-1", "fault-2"]);
    }
    // A parameter of the start holds for that process, until it is set.
    expect((await admin(third, "GET", "/config")).routerVersion).to.equal("v3");
    await admin(0, "PATCH", "/config", { routerVersion: "v2.1" });
    await heard(third, "/config", ({ routerVersion }) => routerVersion === "v2.1");
    expect(spawned.map(({ output }) => output().stderr)).to.deep.equal(["", "", ""]);
  });

  it("a fault with a limited count is used up by both processes together", async function () {
    this.timeout(3 * startMs);
    const intents = await quotes(24);
    await admin(0, "POST", "/faults", { count: 5, failReason: "SLIPPAGE", kind: "fill-fails" });
    await admin(1, "POST", "/faults", { count: 4, kind: "route-limited", path: "/chains" });
    for (const index of [0, 1]) await heard(index, "/faults", (answer) => idsOf(answer).length === 2);
    await payAll(intents);
    const statuses = await ends(intents);
    expect(statuses.filter((status) => status === "refund")).to.have.length(5);
    expect(statuses.filter((status) => status === "success")).to.have.length(19);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fetch(`${infos[index % 2]?.apiUrl}/chains`)),
    );
    expect(answers.filter(({ status }) => status === 429)).to.have.length(4);
    for (const index of [0, 1]) await heard(index, "/faults", (answer) => idsOf(answer).length === 0);
    const { entries } = await admin(0, "GET", "/log?limit=100");
    const fired = (entries as { kind: string; faultId?: string }[]).filter((entry) => entry.kind === "fault");
    expect(fired.map(({ faultId }) => faultId).sort()).to.deep.equal([
      ...Array<string>(5).fill("fault-1"),
      ...Array<string>(4).fill("fault-2"),
    ]);
  });
});

/** A lease, and the work after its expiry, in milliseconds. */
const takeoverMs = 40_000;

forEachStore("fast fills of two emulators over one database", (kind) => {
  if (!kind.isShared) return;
  const { admin, chains, clientOf, infos, payAll, quotes, spawned } = useSharedEmulators(kind);

  /** Asks one of the emulators for a fast fill; undefined when it has died. */
  async function fillAt(index: number, { quote }: SharedIntent): Promise<number | undefined> {
    const { apiKeys, apiUrl } = infos[index] ?? {};
    const answer = await fetch(`${apiUrl}/fast-fill`, {
      body: JSON.stringify({ requestId: idOf(quote) }),
      headers: { "content-type": "application/json", "x-api-key": apiKeys?.[0]?.key ?? "" },
      method: "POST",
    }).catch(() => undefined);
    return answer?.status;
  }

  it("fast fills of one key at both processes: their limit lets exactly two through", async () => {
    const intents = await quotes(8);
    await admin(0, "PATCH", "/config", { advancePerKey: "5200" });
    for (const index of [0, 1]) {
      const heard = async () => {
        const config = await admin(index, "GET", "/config");
        return config["advancePerKey"] === "5200" ? true : undefined;
      };
      await until(heard, "the limit at both processes");
    }
    const statuses = await Promise.all(intents.map((intent, index) => fillAt(index % 2, intent)));
    expect(statuses.toSorted()).to.deep.equal([200, 200, ...Array(6).fill(400)]);
  });

  it("fast fills and deposits race, and a process is killed: each request is filled once, none is refunded", async function () {
    this.timeout(2 * startMs);
    const intents = await quotes(16);
    const paying = payAll(intents);
    const asked = intents.map((intent) => Promise.all([fillAt(0, intent), fillAt(1, intent)]));
    const early = await Promise.all(asked.slice(0, 4));
    spawned[0]?.child.kill("SIGKILL");
    await paying;
    const statuses = [...early, ...(await Promise.all(asked))].flat();
    expect(statuses.filter((status) => ![200, 409, undefined].includes(status))).to.deep.equal([]);
    for (const { from, quote, recipient } of intents) {
      const history = await until(
        async () => {
          if ((await getStatus(clientOf(1), { requestId: idOf(quote) })).status !== "success")
            return undefined;
          const found = (await admin(1, "GET", `/requests/${idOf(quote)}/events`)) as {
            children: unknown[];
            deposits: { outcome: string }[];
            transactions: { kind: string }[];
          };
          return found.deposits.length > 0 ? found : undefined;
        },
        `the fill and the deposit of ${idOf(quote)}`,
        takeoverMs,
      );
      // The deposit was filled itself, or it paid the advance back.
      expect(history.deposits.map(({ outcome }) => outcome).join()).to.be.oneOf(["accepted", "netted"]);
      expect(history.transactions.map(({ kind: made }) => made)).to.deep.equal(["fill"]);
      expect(history.children).to.deep.equal([]);
      const to = chains().find((chain) => chain !== from) ?? from;
      const promised = BigInt(quote.details.currencyOut.amount);
      expect(await to.balanceOf(zeroAddress, recipient)).to.equal(promised);
    }
  });
});
