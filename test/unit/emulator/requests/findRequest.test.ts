import { expect } from "chai";
import { findRequest } from "../../../../emulator/requests/findRequest.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { addRequest, requestId } from "../support/requests.ts";

forEachStore("findRequest", (kind) => {
  it("an id in any letter case: finds the request; an unknown id: finds none", async () => {
    const { store } = await kind.open();
    await addRequest(store);
    const upper = `0x${requestId.slice(2).toUpperCase()}`;
    expect((await findRequest(store, upper))?.id).to.equal(requestId);
    expect(await findRequest(store, "0x99")).to.equal(undefined);
  });
});
