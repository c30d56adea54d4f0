import { expect } from "chai";
import * as entry from "../../../src/guard/index.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";
import { policy } from "./support/quotes.ts";

type Given<Names extends string> = Readonly<Record<Names, never>>;

const guard = entry.createQuoteGuard({ policy });
const axios = { interceptors: { request: { eject: () => {}, use: () => 0 } } };

describeInvalidArguments({
  createQuoteGuard: [
    {
      allow: () => true,
      now: () => 0,
      onRefused: () => {},
      policy,
      policyFor: () => ({}),
      signInDomain: "app.example",
    },
    entry.createQuoteGuard,
  ],
  guardAnnouncements: [
    { guard, target: new EventTarget() },
    ({ guard: given, target }: Given<"guard" | "target">) =>
      entry.guardAnnouncements(given, target ?? new EventTarget())(),
  ],
  guardProvider: [
    {
      guard,
      provider: { isWallet: true, on: () => {}, removeListener: () => {}, request: async () => null },
    },
    ({ guard: given, provider }: Given<"guard" | "provider">) => entry.guardProvider(provider, given),
  ],
  watchAxios: [
    { axios, guard },
    ({ axios: given, guard: other }: Given<"axios" | "guard">) => entry.watchAxios(given, other)(),
  ],
  watchRequests: [
    { guard, scope: { fetch: async () => null } },
    ({ guard: given, scope }: Given<"guard" | "scope">) => entry.watchRequests(given, scope ?? {})(),
  ],
});

describe("a guarded provider, asked for anything", () => {
  it("answers or fails with code 4100, and forwards nothing but what is listed", async () => {
    const { default: fc } = await import("fast-check");
    const reached = new Set<string>();
    const wallet = { request: async ({ method }: { method: string }) => reached.add(method) && null };
    const provider = entry.guardProvider(wallet, guard);
    const methods = fc.oneof(
      fc.constantFrom(
        "eth_sendTransaction",
        "wallet_sendCalls",
        "eth_signTypedData_v4",
        "personal_sign",
        "eth_sign",
      ),
      fc.constantFrom(
        "wallet_switchEthereumChain",
        "wallet_requestPermissions",
        "ETH_SENDTRANSACTION",
        "constructor",
      ),
      fc.anything(),
    );
    const params = fc.oneof(
      fc.anything(),
      fc.array(fc.anything()),
      fc.array(fc.dictionary(fc.string(), fc.anything())),
    );
    await fc.assert(
      fc.asyncProperty(methods, params, async (method, given) => {
        const error = await provider.request({ method: method as string, params: given }).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) expect(error).to.be.instanceOf(entry.RefusedRequestError);
      }),
      { numRuns: 500, seed: 1 },
    );
    // Reading the chain is the guard's own question.
    expect([...reached].filter((method) => method !== "eth_chainId")).to.deep.equal([]);
    expect(await provider.request(undefined as never).catch((error: unknown) => error)).to.include({
      code: 4100,
    });
  }).timeout(20_000);
});
