import { expect } from "chai";
import { endpointCalls } from "./support/endpointCalls.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";

describe("every endpoint of the client", () => {
  for (const { answer, body, call, name, parameters, path, query = {}, safe } of endpointCalls) {
    // @spec endpoints/client signature/endpoint
    it(`${name} calls ${path} and returns the answer as it came`, async () => {
      const { calls, client } = fakeService([json(answer)]);
      expect(await call(client, parameters as never)).to.deep.equal(answer);
      expect(calls[0]).to.deep.include({ body, pathname: path, query });
      const type = body === undefined ? null : "application/json";
      expect(calls[0]?.headers.get("content-type")).to.equal(type);
      expect(calls[0]?.method).to.equal(body === undefined ? "GET" : "POST");
    });

    it(`${name} is ${safe ? "" : "never "}repeated after a 503`, async () => {
      const { calls, client } = fakeService([json({}, 503), json(answer)]);
      const work = call(client, parameters as never);
      if (safe) expect(await work).to.deep.equal(answer);
      else expect(await rejectionOf(work)).to.include({ retryable: false, status: 503 });
      expect(calls.map((each) => each.body)).to.deep.equal(safe ? [body, body] : [body]);
    });

    it(`${name} refuses an answer of another shape`, async () => {
      const { client } = fakeService([json("nonsense")]);
      const error = await rejectionOf(call(client, parameters as never));
      expect(error).to.have.property("code", "RESPONSE_INVALID");
    });
  }
});
