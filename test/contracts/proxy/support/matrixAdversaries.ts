import { expect } from "chai";
import { type Addressable, type BaseContract, hexlify, type Overrides } from "ethers";
import { reentrancyReason } from "../../../helpers/contracts/libraryErrors.ts";
import { asset } from "../../../helpers/contracts/proxyStage.ts";
import type { TestToken } from "../../../helpers/contracts/tokens.ts";
import { AMOUNT, CHANGE, type MatrixStage, peacefulScene, type Scene, type Supply } from "./matrixScene.ts";

/** Adversaries by kind; every path must meet each kind. */
export const KINDS = [
  "missing return",
  "returns false",
  "fee on transfer",
  "rebasing",
  "USDT-style approve",
  "blocklist",
  "reverts on zero",
  "returns too much data",
  "reentrant token",
  "reentrant target",
  "reentrant recipient",
  "gas-burning recipient",
  "gas-burning target",
  "returndata bomb",
  "recipient that rejects ether",
  "contract without code",
  "self-destructing target",
] as const;

/** One adversary, made for one cell. */
export interface Met {
  readonly scene: Scene;
  /** Makes the adversary hostile once the money is in place. */
  readonly arm?: () => Promise<unknown>;
  /** Reason of the failing spending step, if it fails. */
  readonly stepReason?: string;
  /** Further conditions of a successful call. */
  readonly verify?: () => Promise<void>;
  /** Whether proxy and executor must not copy return data. */
  readonly isBomb?: boolean;
  readonly overrides?: Overrides;
}

export interface Adversary {
  readonly kind: (typeof KINDS)[number];
  meet(stage: MatrixStage): Promise<Met>;
}

const MAX_REASON_BYTES = 1024;
const BOMB_BYTES = 400_000n;
const ANY_CALL = `0xdeadbeef${"00".repeat(32)}`;
/** Gas limits of a call with a bomb's memory, and of a call without. */
const BOMB_GAS_LIMIT = 16_000_000n;
const GAS_LIMIT = 1_000_000n;

type Change = (stage: MatrixStage, scene: Scene) => Promise<Omit<Met, "scene"> & { scene?: Partial<Scene> }>;

/** An adversary in a scene with a token of the given name. */
function withToken(
  kind: Adversary["kind"],
  name: string,
  args: readonly unknown[],
  change?: Change,
): Adversary {
  return {
    kind,
    meet: async (stage) => {
      const token: BaseContract = await stage.ethers.deployContract(name, [...args]);
      const scene = await peacefulScene(stage, token);
      const { scene: changes, ...met } = (await change?.(stage, scene)) ?? {};
      return { ...met, scene: { ...scene, ...changes } };
    },
  };
}

/** An adversary in a scene with a plain token. */
const withPlainToken = (kind: Adversary["kind"], change: Change) => withToken(kind, "PlainToken", [], change);

/** A target that accepts any call and pulls nothing. */
function takingNothing(target: Addressable): Partial<Scene> {
  return { target: { address: target, data: ANY_CALL, offset: 4n }, taken: 0n, change: 0n };
}

/** Calldata that would send the whole balance to an attacker. */
async function theft(stage: MatrixStage, { token }: Scene): Promise<string> {
  const address = typeof token === "string" ? token : await token.getAddress();
  const loot = [asset(stage, { recipient: stage.stranger.address })];
  if (typeof token !== "string")
    loot.push(asset(stage, { token: address, recipient: stage.stranger.address }));
  return stage.executor.interface.encodeFunctionData("execute", [loot, []]);
}

interface Reentrant extends BaseContract {
  arm(target: Addressable, data: string): Promise<unknown>;
  fired(): Promise<bigint>;
  lastSuccess(): Promise<boolean>;
  lastReturnData(): Promise<string>;
}

/** Arms a contract to call the executor or the proxy back, which must revert by name. */
async function callingBack(stage: MatrixStage, scene: Scene, who: BaseContract, whom: "executor" | "proxy") {
  const reentrant = who as Reentrant;
  let armed = 0n;
  return {
    arm: async () => {
      armed += 1n;
      await reentrant.arm(stage[whom], await theft(stage, scene));
    },
    verify: async () => {
      expect(await reentrant.fired()).to.equal(armed);
      expect([await reentrant.lastSuccess(), await reentrant.lastReturnData()]).to.deep.equal([
        false,
        reentrancyReason(),
      ]);
    },
  };
}

const tokenOf = ({ token }: Scene) => token as BaseContract;

/** A token that works until the money is in place, then returns false from some functions. */
const refusing = (onTransfer: boolean, onTransferFrom: boolean, onApprove: boolean) =>
  withToken("returns false", "ReturnsFalseToken", [], async ({ ethers }, scene) => {
    const token = tokenOf(scene);
    const set = token.getFunction("setRefusals");
    await set(false, false, false);
    const openZeppelin = new ethers.Interface(["error SafeERC20FailedOperation(address token)"]);
    return {
      arm: () => set(onTransfer, onTransferFrom, onApprove),
      stepReason: openZeppelin.encodeErrorResult("SafeERC20FailedOperation", [await token.getAddress()]),
    };
  });

/** A token whose balances are multiplied and divided in the middle of the call. */
const rebasingInTheCall = (multiplier: bigint, divisor: bigint) =>
  withToken("rebasing", "RebasingToken", [], async (stage, scene) => {
    const target = await stage.ethers.deployContract("ReentrantTarget");
    const token = tokenOf(scene) as TestToken;
    const rebase = token.interface.encodeFunctionData("rebase", [multiplier, divisor]);
    return {
      scene: { ...takingNothing(target), revalued: (amount) => (amount * multiplier) / divisor },
      arm: async () => {
        // The recipient's earlier balance is multiplied too, and would count as output.
        const before = await token.balanceOf(stage.recipient);
        await token.connect(stage.recipient).getFunction("transfer")(stage.post, before);
        await target.arm(token, rebase);
      },
      verify: async () => {
        expect(await target.lastSuccess()).to.equal(true);
      },
    };
  });

export const ADVERSARIES: Readonly<Record<string, Adversary>> = {
  "missing return": withToken("missing return", "NoReturnToken", []),
  "false from approve": refusing(false, false, true),
  "false from transferFrom": refusing(false, true, false),
  "false from transfer": refusing(true, false, false),
  "fee on transfer": withToken("fee on transfer", "FeeOnTransferToken", [1_000], async () => {
    const net = (amount: bigint) => amount - amount / 10n;
    return {
      scene: { net, arrived: (supply: Supply) => (supply === "bought in the call" ? AMOUNT : net(AMOUNT)) },
    };
  }),
  "doubled before the call": withToken("rebasing", "RebasingToken", [], async (_stage, scene) => ({
    scene: { arrived: (supply: Supply) => (supply === "sent ahead" ? 2n * AMOUNT : AMOUNT) },
    arm: () => tokenOf(scene).getFunction("rebase")(2n, 1n),
  })),
  "doubled in the call": rebasingInTheCall(2n, 1n),
  "halved in the call": rebasingInTheCall(1n, 2n),
  "USDT-style approve": {
    kind: "USDT-style approve",
    meet: async (stage) => {
      const token = await stage.ethers.deployContract("LocalTether", [stage.post]);
      return { scene: await peacefulScene(stage, token) };
    },
  },
  "recipient blocked": withToken("blocklist", "BlocklistToken", [], async ({ recipient }, scene) => ({
    arm: () => tokenOf(scene).getFunction("setBlocked")(recipient, true),
  })),
  "target blocked": withToken("blocklist", "BlocklistToken", [], async ({ post }, scene) => ({
    arm: () => tokenOf(scene).getFunction("setBlocked")(post, true),
    stepReason: tokenOf(scene).interface.encodeErrorResult("AccountBlocked", [await post.getAddress()]),
  })),
  "caller blocked": withToken("blocklist", "BlocklistToken", [], async ({ caller }, scene) => ({
    arm: () => tokenOf(scene).getFunction("setBlocked")(caller, true),
    verify: async () => {
      await tokenOf(scene).getFunction("setBlocked")(caller, false);
    },
  })),
  "reverts on zero, taken whole": withToken(
    "reverts on zero",
    "RevertsOnZeroToken",
    [],
    async ({ post }, scene) => {
      const data = post.interface.encodeFunctionData("take", [
        0n,
        await tokenOf(scene).getAddress(),
        AMOUNT,
        CHANGE,
      ]);
      return { scene: { taken: AMOUNT, target: { ...scene.target, data } } };
    },
  ),
  "reverts on zero, taken in part": withToken("reverts on zero", "RevertsOnZeroToken", []),
  "returns too much data": withToken("returns too much data", "LongReturnToken", [64]),
  "token calls executor": withToken("reentrant token", "ReentrantToken", [], (stage, scene) =>
    callingBack(stage, scene, tokenOf(scene), "executor"),
  ),
  "token calls proxy": withToken("reentrant token", "ReentrantToken", [], (stage, scene) =>
    callingBack(stage, scene, tokenOf(scene), "proxy"),
  ),
  "target calls executor": withPlainToken("reentrant target", async (stage, scene) => {
    const target = await stage.ethers.deployContract("ReentrantTarget");
    return { scene: takingNothing(target), ...(await callingBack(stage, scene, target, "executor")) };
  }),
  "target calls proxy": withPlainToken("reentrant target", async (stage, scene) => {
    const target = await stage.ethers.deployContract("ReentrantTarget");
    return { scene: takingNothing(target), ...(await callingBack(stage, scene, target, "proxy")) };
  }),
  "recipient calls executor": withPlainToken("reentrant recipient", async (stage, scene) => {
    const recipient = await stage.ethers.deployContract("ReentrantTarget");
    return { scene: { recipient }, ...(await callingBack(stage, scene, recipient, "executor")) };
  }),
  "recipient burns gas": withPlainToken("gas-burning recipient", async ({ ethers }) => ({
    scene: { recipient: await ethers.deployContract("GasBurningRecipient", [GAS_LIMIT / 4n]) },
    overrides: { gasLimit: GAS_LIMIT },
  })),
  "recipient burns all gas": withPlainToken("gas-burning recipient", async ({ ethers }) => ({
    scene: { recipient: await ethers.deployContract("GasBurningRecipient", [2n * GAS_LIMIT]) },
    overrides: { gasLimit: GAS_LIMIT },
  })),
  "target burns gas": withPlainToken("gas-burning target", async ({ ethers }) => ({
    scene: takingNothing(await ethers.deployContract("GasBurningRecipient", [GAS_LIMIT / 4n])),
    overrides: { gasLimit: GAS_LIMIT },
  })),
  "target burns all gas": withPlainToken("gas-burning target", async ({ ethers }) => ({
    scene: takingNothing(await ethers.deployContract("GasBurningRecipient", [2n * GAS_LIMIT])),
    stepReason: "0x",
    overrides: { gasLimit: GAS_LIMIT },
  })),
  "bomb, target returns": withPlainToken("returndata bomb", async ({ ethers }) => ({
    scene: takingNothing(await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, false])),
    isBomb: true,
  })),
  "bomb, target reverts": withPlainToken("returndata bomb", async ({ ethers }) => ({
    scene: takingNothing(await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, true])),
    stepReason: hexlify(new Uint8Array(MAX_REASON_BYTES)),
    isBomb: true,
    overrides: { gasLimit: BOMB_GAS_LIMIT },
  })),
  "bomb, recipient returns": withPlainToken("returndata bomb", async ({ ethers }) => ({
    scene: { recipient: await ethers.deployContract("ReturndataBomb", [BOMB_BYTES, false]) },
    isBomb: true,
  })),
  "bomb, token returns": withToken("returndata bomb", "LongReturnToken", [BOMB_BYTES], async () => ({
    isBomb: true,
  })),
  "bomb, token reverts": withToken(
    "returndata bomb",
    "LongReturnToken",
    [BOMB_BYTES],
    async (_stage, scene) => ({
      arm: () => tokenOf(scene).getFunction("setRefusesTransfer")(true),
      isBomb: true,
      overrides: { gasLimit: BOMB_GAS_LIMIT },
    }),
  ),
  "recipient rejects ether": withPlainToken("recipient that rejects ether", async ({ ethers }) => ({
    scene: { recipient: await ethers.deployContract("RejectingRecipient") },
  })),
  "token without code": {
    kind: "contract without code",
    meet: async (stage) => ({ scene: await peacefulScene(stage, stage.stranger.address) }),
  },
  "target without code": withPlainToken("contract without code", async ({ stranger }) => ({
    scene: takingNothing(stranger),
  })),
  "target self-destructs": withPlainToken("self-destructing target", async ({ ethers }) => {
    const target = await ethers.deployContract("SelfDestructingTarget");
    const fund = () =>
      ethers.provider.send("hardhat_setBalance", [target.target, `0x${CHANGE.toString(16)}`]);
    return { scene: { ...takingNothing(target), change: CHANGE }, arm: fund };
  }),
};
