import { expect } from "chai";
import { parseParameters, readParameters } from "../../../ignition/parameters.ts";

const ACCOUNT = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";
const ZERO = "0x0000000000000000000000000000000000000000";

const pinned = { solver: ACCOUNT, nativePayee: ACCOUNT, binding: 0, refundPayee: ACCOUNT };
const solver = { solver: ACCOUNT, nativePayee: ACCOUNT, usesErc1271: false };
const limit = { currency: ZERO, minimum: "0", maximum: "1000000000000" };
const managed = {
  owner: ACCOUNT,
  binding: 1,
  activationDelay: 86_400,
  coSigner: ZERO,
  isRecipientListOpen: true,
  solvers: [solver],
  limits: [limit],
};
const order = {
  chainId: 8453,
  solver: ACCOUNT,
  depository: ACCOUNT,
  chainName: "base",
  refundPayee: ACCOUNT,
};

/** Wrong parameters, by the expected message. */
const wrong: Readonly<Record<string, unknown>> = {
  "PinnedReceiver.solver: is the zero address": { PinnedReceiver: { ...pinned, solver: ZERO } },
  "PinnedReceiver.solver: is not an address, or its upper and lower case are wrong": {
    PinnedReceiver: { ...pinned, solver: ACCOUNT.replace("71bE", "71Be") },
  },
  "PinnedReceiver.binding: is neither 0": { PinnedReceiver: { ...pinned, binding: 2 } },
  "PinnedReceiver.refundPayee: is the zero address, which only records that name the caller allow": {
    PinnedReceiver: { ...pinned, refundPayee: ZERO },
  },
  "OrderReceiver.refundPayee: is the zero address": { OrderReceiver: { ...order, refundPayee: ZERO } },
  'PinnedReceiver: Unrecognized key: "payee"': { PinnedReceiver: { ...pinned, payee: ACCOUNT } },
  "PinnedReceiver.nativePayee: is the zero address": { PinnedReceiver: { ...pinned, nativePayee: ZERO } },
  'the whole: Unrecognized key: "PinnedReciever"': { PinnedReciever: pinned },
  "ManagedReceiver.owner: is the zero address": { ManagedReceiver: { ...managed, owner: ZERO } },
  "ManagedReceiver.activationDelay: is less than no seconds": {
    ManagedReceiver: { ...managed, activationDelay: -1 },
  },
  "ManagedReceiver.activationDelay: is over 31536000 seconds": {
    ManagedReceiver: { ...managed, activationDelay: 31_536_001 },
  },
  "ManagedReceiver.solvers: names no solver": { ManagedReceiver: { ...managed, solvers: [] } },
  "ManagedReceiver.solvers: names a solver twice": {
    ManagedReceiver: { ...managed, solvers: [solver, { ...solver, solver: ACCOUNT.toLowerCase() }] },
  },
  "ManagedReceiver.solvers.0.nativePayee: is the zero address": {
    ManagedReceiver: { ...managed, solvers: [{ ...solver, nativePayee: ZERO }] },
  },
  "ManagedReceiver.limits: names no currency": { ManagedReceiver: { ...managed, limits: [] } },
  "ManagedReceiver.limits: names a currency twice": {
    ManagedReceiver: { ...managed, limits: [limit, limit] },
  },
  "ManagedReceiver.limits.0.minimum: is over the maximum, 1000000000000": {
    ManagedReceiver: { ...managed, limits: [{ ...limit, minimum: "2000000000000" }] },
  },
  "ManagedReceiver.limits.0.minimum: is not a multiple of 1000000000000 wei": {
    ManagedReceiver: { ...managed, limits: [{ ...limit, minimum: "1" }] },
  },
  "ManagedReceiver.limits.0.maximum: is over 1099511627774000000000000 wei": {
    ManagedReceiver: { ...managed, limits: [{ ...limit, maximum: "1099511627775000000000000" }] },
  },
  "ManagedReceiver.limits.0.maximum: is zero, which refuses the currency": {
    ManagedReceiver: { ...managed, limits: [{ ...limit, maximum: "0" }] },
  },
  "ManagedReceiver.limits.0.maximum: is over 2^128 - 1": {
    ManagedReceiver: {
      ...managed,
      limits: [{ ...limit, currency: ACCOUNT, maximum: String(2n ** 128n) }],
    },
  },
  "ManagedReceiver.limits.0.maximum: is not a whole number in quotes": {
    ManagedReceiver: { ...managed, limits: [{ ...limit, maximum: "1.5" }] },
  },
  "OrderReceiver.chainId: is not a chain id": { OrderReceiver: { ...order, chainId: 0 } },
  "OrderReceiver.depository: is the zero address": { OrderReceiver: { ...order, depository: ZERO } },
  "OrderReceiver.chainName: is empty, or has other than printable characters": {
    OrderReceiver: { ...order, chainName: "" },
  },
};

describe("parameters of a deployment", () => {
  for (const [message, parameters] of Object.entries(wrong)) {
    it(`are refused with “${message}”`, () => {
      expect(() => parseParameters(parameters)).to.throw(message);
    });
  }

  it("are refused with everything that is wrong at once, under the name of the file", () => {
    const parameters = { PinnedReceiver: { ...pinned, solver: ZERO, binding: 7 } };
    expect(() => parseParameters(parameters, "mine.json")).to.throw(
      /^mine\.json cannot be deployed with:\n {2}PinnedReceiver\.solver: .*\n {2}PinnedReceiver\.binding: .*$/,
    );
  });

  it("are taken as they are when they are right, unlimited amounts and policies that are off included", () => {
    const unlimited = { ...limit, maximum: String(2n ** 128n - 1n) };
    const parameters = {
      ManagedReceiver: { ...managed, limits: [unlimited, { ...limit, currency: ACCOUNT, minimum: "1" }] },
      OrderReceiver: order,
      PinnedReceiver: pinned,
    };
    expect(parseParameters(parameters)).to.deep.equal(parameters);
    expect(parseParameters({})).to.deep.equal({});
  });

  for (const name of [
    "local",
    "production",
    "production-arbitrum",
    "production-base",
    "production-optimism",
  ]) {
    it(`in ${name}.json are right`, () => {
      const file = new URL(`../../../ignition/parameters/${name}.json`, import.meta.url);
      expect(Object.keys(readParameters(file))).to.not.deep.equal([]);
    });
  }

  it("in a file that is not there are missed by its name", () => {
    expect(() => readParameters("absent.json")).to.throw("absent.json cannot be read as JSON.");
  });
});
