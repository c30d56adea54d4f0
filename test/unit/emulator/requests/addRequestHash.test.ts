import { expect } from "chai";
import { addRequestHash } from "../../../../emulator/requests/insertRequest.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { addRequest, readAll, requestId } from "../support/requests.ts";

forEachStore("addRequestHash", (kind) => {
  it("a hash added twice for one kind: is stored once per kind, in lower case", async () => {
    const { store } = await kind.open();
    await addRequest(store);
    const row = { hash: "0xAB", kind: "deposit", request_id: requestId } as const;
    for (const added of ["deposit", "deposit", "fill"] as const) {
      await addRequestHash(store, { ...row, kind: added });
    }
    expect(await readAll(store, "request_hashes", "kind")).to.deep.equal([
      { ...row, hash: "0xab" },
      { ...row, hash: "0xab", kind: "fill" },
    ]);
    const unknown = addRequestHash(store, { ...row, request_id: "0x99" });
    expect(String(await failureOf(unknown))).to.match(/foreign key constraint/i);
  });
});
