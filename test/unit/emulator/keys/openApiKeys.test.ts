import { expect } from "chai";
import { openApiKeys } from "../../../../emulator/keys/openApiKeys.ts";
import { loadAdminKey } from "../../../../emulator/keys/secrets.ts";
import { insertRequest } from "../../../../emulator/requests/insertRequest.ts";
import type { OpenedStore } from "../../../../emulator/store/openStore.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { idOf, readRequest, requestRow } from "../support/requests.ts";
import { until } from "../support/waiting.ts";

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
  async function fresh() {
    const opened = await kind.open();
    return { keys: await open(opened), opened };
  }

  it("a new database: has one key, which is found by its secret and by nothing else", async () => {
    const { keys } = await fresh();
    const [first, ...more] = keys.list();
    if (first === undefined) throw new Error("no key");
    expect(more).to.deep.equal([]);
    expect(first).to.include({ isElevated: false, name: "default" });
    expect(first.key).to.match(/^[0-9a-f]{64}$/);
    expect(first.id).to.match(/^[0-9a-f]{16}$/);
    expect(first.key).to.not.include(first.id);
    expect(keys.find(first.key)).to.equal(first);
    const { id, key } = first;
    for (const wrong of ["", id, `${key} `, key.slice(1), key.toUpperCase(), `0x${key}`, `${key}\0`]) {
      if (wrong !== key) expect(keys.find(wrong), wrong).to.equal(undefined);
    }
  });

  it("created keys: are listed oldest first; a revoked one is no longer found, and its requests keep its id", async () => {
    const { keys, opened } = await fresh();
    const mine = await keys.create({ isElevated: true, name: "mine" });
    const yours = await keys.create({ name: "yours" });
    expect(keys.list().map(({ name }) => name)).to.deep.equal(["default", "mine", "yours"]);
    expect(keys.find(mine.key)).to.deep.equal(mine).and.include({ isElevated: true, name: "mine" });
    await insertRequest(opened.store, requestRow({ api_key_id: mine.id }));
    expect(await keys.revoke(mine.id)).to.equal(true);
    expect(keys.find(mine.key)).to.equal(undefined);
    expect(keys.find(yours.key)).to.deep.equal(yours);
    for (const gone of [mine.id, "nothing"]) expect(await keys.revoke(gone)).to.equal(false);
    expect((await readRequest(opened.store)).api_key_id).to.equal(mine.id);
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

  it("keys created and revoked by one process: are so in another", async () => {
    const url = await kind.newUrl();
    const [here, there] = await Promise.all([open(await kind.open(url)), open(await kind.open(url))]);
    expect(there.list()).to.deep.equal(here.list());
    const mine = await here.create({ name: "mine" });
    await until(() => there.find(mine.key) !== undefined);
    await there.revoke(mine.id);
    await until(() => here.find(mine.key) === undefined);
  });
});
