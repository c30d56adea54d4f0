import { expect } from "chai";
import { endpointCalls } from "./support/endpointCalls.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";

describe("every endpoint of the client", () => {
  for (const { answer, body, call, name, parameters, path, query = {}, safe } of endpointCalls) {
    it(`${name} calls ${path} and returns the answer as it came`, async () => {
      const { calls, client } = fakeService([json(answer)]);
      expect(await call(client, parameters as never)).to.deep.equal(answer);
      expect(calls[0]).to.deep.include({ body, pathname: path, query });
    });

    it(`${name} is ${safe ? "" : "never "}repeated after a 503`, async () => {
      const { calls, client } = fakeService([json({}, 503), json(answer)]);
      const work = call(client, parameters as never);
      if (safe) expect(await work).to.deep.equal(answer);
      else expect(await rejectionOf(work)).to.include({ retryable: false, status: 503 });
      expect(calls).to.have.length(safe ? 2 : 1);
    });

    it(`${name} refuses an answer of another shape`, async () => {
      const { client } = fakeService([json("nonsense")]);
      expect(await rejectionOf(call(client, parameters as never))).to.have.property(
        "code",
        "RESPONSE_INVALID",
      );
    });
  }
});
