import { expect } from "chai";
import { network } from "hardhat";
import type { Order } from "../../../src/records/Order.ts";
import {
  composedOrder,
  deployComposed,
  depositOrder,
  plainWays,
  states,
  waysIn,
} from "../../helpers/contracts/policies/composedStage.ts";
import {
  type Composition,
  composeReceivers,
  compositionName,
  type PolicyName,
  type ReceiverName,
} from "../../helpers/contracts/policies/composeReceivers.ts";

const { ethers, networkHelpers } = await network.create({ override: { allowUnlimitedContractSize: true } });

const names = ["CurrencyLimits", "ExpiryCoSignature", "PausePolicy", "RecipientAllowListMapping"] as const;

function pairsOf(all: readonly PolicyName[]): PolicyName[][] {
  return all.flatMap((one, index) => [[one], ...all.slice(index + 1).map((other) => [one, other])]);
}

/** Each policy alone and each pair, before and after the receiver. */
function compositionsOf(receiver: ReceiverName, sets: readonly PolicyName[][]): Composition[] {
  return sets.flatMap((policies) =>
    [false, true].map((policiesFirst) => ({ receiver, policies, policiesFirst })),
  );
}

const compositions = [
  ...compositionsOf("PinnedReceiver", pairsOf(names)),
  ...compositionsOf("OrderReceiver", pairsOf(names)),
  ...compositionsOf("RotatingReceiver", [
    ["SolverSet"],
    ...names.map((name): PolicyName[] => ["SolverSet", name]),
  ]),
];

const bodies = {
  "forgets super": { _authorize: "id; depositor; currency; amount; policyData; return keccak256('ours');" },
  "has an empty override": { _authorize: "" },
  "has an empty override for recipients": { _authorizeRecipient: "" },
} as const;

describe("policies of receivers, by inheritance", function () {
  this.timeout(300_000);

  const compiled = composeReceivers(compositions);

  for (const composition of compositions) {
    it(`${compositionName(composition)} passes no deposit without its policies`, async () => {
      const stage = await deployComposed(ethers, composition, compiled);
      let run = 0;
      for (const { pay } of plainWays) await (await pay(stage, ++run)).wait();

      for (const policy of composition.policies) {
        const snapshot = await networkHelpers.takeSnapshot();
        await states[policy].reject(stage);
        for (const { pay } of waysIn) {
          await expect(pay(stage, ++run)).to.be.revertedWithCustomError(stage.receiver, states[policy].error);
        }
        await snapshot.restore();
      }
    });
  }

  for (const receiver of ["PinnedReceiver", "OrderReceiver"] as const) {
    for (const [title, body] of Object.entries(bodies)) {
      it(`${receiver} rejects every deposit when an inheritor ${title}`, async () => {
        const composition = { receiver, policies: ["PausePolicy"], bodies: body } as const;
        const stage = await deployComposed(ethers, composition, composeReceivers([composition]));
        for (const [run, { pay }] of waysIn.entries()) {
          await expect(pay(stage, run)).to.be.revertedWithCustomError(stage.receiver, "PolicySkipped");
        }
      });
    }

    it(`${receiver} does not compile with a set of solvers beside its one solver`, () => {
      expect(() => composeReceivers([{ receiver, policies: ["SolverSet"] }])).to.throw("_checkSolver");
    });
  }
});

describe("recipient allow-list of an order receiver", () => {
  const composition = { receiver: "OrderReceiver", policies: ["RecipientAllowListMapping"] } as const;
  const stranger = "0x00000000000000000000000000000000000bad01";

  const withOutput = (output: Partial<Order["output"]>) => (order: Order) => ({
    ...order,
    output: { ...order.output, ...output },
  });
  const [listed] = composedOrder(ethers.ZeroAddress, 0).output.payments;
  if (!listed) throw new Error("The order pays no account.");
  const fee = {
    recipientChainId: "arbitrum",
    recipient: stranger,
    currencyChainId: "base",
    currency: ethers.ZeroAddress as `0x${string}`,
    amount: 1n,
  } as const;

  const attacks: readonly (readonly [string, (order: Order) => Order, string])[] = [
    ["no payments", withOutput({ payments: [] }), "OutputPaysNobody"],
    ["no payments but a call", withOutput({ payments: [], calls: ["0x1234"] }), "OutputPaysNobody"],
    [
      "a payment of zero to the listed account",
      withOutput({ payments: [{ ...listed, minimumAmount: 0n }] }),
      "OutputPaymentIsZero",
    ],
    ["a call beside a listed payment", withOutput({ calls: ["0x1234"] }), "RecipientNotAllowed"],
    ["a fee beside a listed payment", (order) => ({ ...order, fees: [fee] }), "RecipientNotAllowed"],
    [
      "a second payment to an unlisted account",
      withOutput({ payments: [listed, { ...listed, recipient: stranger }] }),
      "RecipientNotAllowed",
    ],
    ["the listed account on another chain", withOutput({ chainId: "optimism" }), "RecipientNotAllowed"],
    [
      "the listed account padded to a word",
      withOutput({
        payments: [{ ...listed, recipient: `0x${"00".repeat(12)}${listed.recipient.slice(2)}` }],
      }),
      "RecipientNotAllowed",
    ],
  ];

  const compiled = composeReceivers([composition]);

  for (const [title, change, error] of attacks) {
    it(`audit A6: rejects an order with ${title}`, async () => {
      const stage = await deployComposed(ethers, composition, compiled);
      const order = composedOrder(ethers.ZeroAddress, 1, change);
      await expect(depositOrder(stage, order)).to.be.revertedWithCustomError(stage.receiver, error);
    });
  }

  it("accepts a listed call and a listed fee recipient", async () => {
    const stage = await deployComposed(ethers, composition, compiled);
    const chainId = BigInt(ethers.id("arbitrum"));
    const entries = ["0x1234", fee.recipient].map((bytes) => ({ chainId, account: ethers.keccak256(bytes) }));
    await stage.receiver["setRecipients"]?.(entries, true);
    const order = composedOrder(ethers.ZeroAddress, 1, (given) => ({
      ...withOutput({ calls: ["0x1234"] })(given),
      fees: [fee],
    }));
    await (await depositOrder(stage, order)).wait();
  });
});
