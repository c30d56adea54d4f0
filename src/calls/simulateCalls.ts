import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  type Client,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  type StateOverride,
  type Transport,
  zeroAddress,
} from "viem";
import { call, readContract } from "viem/actions";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount, readAddress } from "../internal/readAddress.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { decodeRevert, type Revert } from "./decodeRevert.ts";
import { type RouterVersion, readRouterVersion } from "./RouterVersion.ts";
import { serviceFunctions } from "./serviceFunctions.ts";
import { type ToCallParameters, toCall } from "./toCall.ts";

/** Slots that tokens keep their balances in: the first ones, and the place of upgradeable OpenZeppelin tokens. */
const mappingSlots = [
  ...Array.from({ length: 16 }, (_, index) => BigInt(index)),
  51n,
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
];
/** Sends the calls in the simulation; nobody has its key. */
const simulator = "0x00000000000000000000000000000000005157Ab";
const results = /* @__PURE__ */ parseAbiParameters(["(bool success, bytes returnData)[]"]);

/** Parameters of {@link simulateCalls}. */
export type SimulateCallsParameters = {
  txs: readonly ToCallParameters[];
  /** The router on the destination chain, which makes the calls. */
  router: Address;
  /** @default "v3" */
  routerVersion?: RouterVersion | undefined;
  /** What arrives on the router, in smallest units; the zero address is the native currency. */
  balances?: readonly { readonly token: Address; readonly amount: bigint }[] | undefined;
  /** Who gets what is left of native currency, and NFTs. */
  recipient: Address;
  /** Whose errors are decoded, beside the service's and those of common tokens. */
  abis?: readonly Abi[] | undefined;
  blockNumber?: bigint | undefined;
};

/** What became of one call. */
export type SimulatedCall =
  | { readonly success: true; readonly returnData: Hex }
  | { readonly success: false; readonly returnData: Hex; readonly revert: Revert };

/** What {@link simulateCalls} returns. */
export type SimulateCallsReturnType = {
  /** In the order of `txs`. Those behind one that failed were made as if it had not been there. */
  readonly calls: readonly SimulatedCall[];
  /** The first call that failed; undefined when all would succeed. */
  readonly failedIndex: number | undefined;
};

/** What {@link simulateCalls} throws. */
export type SimulateCallsErrorType = InvalidParameterError;

/**
 * Makes calls on a chain as the router would, without sending anything: one `eth_call` of the router's own `multicall`, with
 * what arrives put on it by state overrides. Any node that takes overrides will do.
 *
 * @param client Reads the destination chain.
 * @param parameters The calls, the router, what arrives there.
 * @returns What became of each call, and the first that fails.
 * @throws {InvalidParameterError} Naming the argument that does not fit; a token whose balances are not found, too.
 *
 * @example
 * import { createPublicClient, http } from "viem";
 * import { simulateCalls } from "waybill";
 * import { createClient, getChains } from "waybill/client";
 *
 * const { chains } = await getChains(createClient({ baseUrl: "http://127.0.0.1:4000" }));
 * const router = chains.find(({ id }) => id === 31338)?.contracts?.v3?.erc20Router;
 * if (router === undefined) throw new Error("the chain has no router");
 * const client = createPublicClient({ transport: http("http://127.0.0.1:8546") });
 * const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * const { failedIndex } = await simulateCalls(client, {
 *   balances: [{ amount: 1n, token: "0x0000000000000000000000000000000000000000" }],
 *   recipient,
 *   router,
 *   txs: [{ data: "0x", to: recipient, value: 1n }],
 * });
 */
export async function simulateCalls(
  client: Client<Transport, Chain | undefined, Account | undefined>,
  parameters: SimulateCallsParameters,
): Promise<SimulateCallsReturnType> {
  const { abis } = parameters;
  const routerVersion = readRouterVersion(parameters.routerVersion);
  const blockNumber =
    parameters.blockNumber === undefined ? undefined : readUint256(parameters.blockNumber, "blockNumber");
  const router = readAccount(parameters.router, "router");
  const recipient = readAccount(parameters.recipient, "recipient");
  const calls = readList(parameters.txs, "txs", (input, parameter) => {
    const { data, to, value } = toCall(input as ToCallParameters, parameter);
    return { allowFailure: true, callData: data, target: to, value };
  });
  const amounts = readList(parameters.balances ?? [], "balances", (item, at) => {
    const { amount, token } = readObject(item, at);
    const parameter = `${at}.token`;
    return { amount: readUint256(amount, `${at}.amount`), parameter, token: readAddress(token, parameter) };
  });
  const value = amounts.reduce((sum, { amount, token }) => (token === zeroAddress ? sum + amount : sum), 0n);
  const tokens = amounts.filter(({ token }) => token !== zeroAddress);
  const overrides = await Promise.all(tokens.map((each) => placeBalance(client, router, each)));
  const args = [calls, recipient, recipient, ...(routerVersion === "v3" ? ["0x"] : [])];
  const { data = "0x" } = await call(client, {
    account: simulator,
    data: encodeFunctionData({
      // Picked here: an overload is else picked by the order in which the members of the calls stand.
      abi: serviceFunctions.filter(
        ({ inputs, name }) => name === "multicall" && inputs.length === args.length,
      ),
      args: args as never,
      functionName: "multicall",
    }),
    stateOverride: [{ address: simulator, balance: value + 10n ** 24n }, ...overrides],
    to: router,
    value,
    ...(blockNumber === undefined ? {} : { blockNumber }),
  });
  const made = readResults(data).map(
    ({ returnData, success }): SimulatedCall =>
      success ? { returnData, success } : { returnData, revert: decodeRevert(returnData, abis), success },
  );
  const failedIndex = made.findIndex(({ success }) => !success);
  return { calls: made, failedIndex: failedIndex < 0 ? undefined : failedIndex };
}

/** What each call returned, which only a router tells. */
function readResults(data: Hex) {
  try {
    return decodeAbiParameters(results, data)[0];
  } catch (cause) {
    throw new InvalidParameterError({ cause, parameter: "router", reason: "it is no router" });
  }
}

/** Finds where a token keeps an account's balance by trying: the right place is the one that shows. */
async function placeBalance(
  client: Client<Transport, Chain | undefined, Account | undefined>,
  owner: Address,
  { amount, parameter, token }: { amount: bigint; parameter: string; token: Address },
): Promise<StateOverride[number]> {
  const types = parseAbiParameters(["address", "uint256"]);
  for (const slot of mappingSlots) {
    const override = {
      address: token,
      stateDiff: [
        {
          slot: keccak256(encodeAbiParameters(types, [owner, slot])),
          value: numberToHex(amount, { size: 32 }),
        },
      ],
    };
    const read = { abi: erc20Abi, address: token, args: [owner], functionName: "balanceOf" } as const;
    // Another amount than the one that is there, so that the place shows.
    const probe = {
      ...override,
      stateDiff: [{ ...override.stateDiff[0], value: numberToHex(amount + 1n, { size: 32 }) }],
    };
    const seen = await readContract(client, {
      ...read,
      stateOverride: [probe as StateOverride[number]],
    }).catch(() => undefined);
    if (
      seen === amount + 1n &&
      (await readContract(client, { ...read, stateOverride: [override] })) === amount
    ) {
      return override;
    }
  }
  throw new InvalidParameterError({ parameter, reason: "where the token keeps its balances is not found" });
}
