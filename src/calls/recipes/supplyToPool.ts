import { type Address, parseAbi } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import { show } from "../../internal/show.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";

const maxReferralCode = 65_535;
const poolAbi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
]);

export type SupplyToPoolParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** A lending pool with Aave v3's `supply`. */
  pool: Address;
  /** Token that arrives on the router; all of it is supplied. */
  asset: Address;
  /** Receives the receipt tokens and the rest of the asset. */
  recipient: Address;
  /** Minimum that must arrive, in the asset's smallest unit. Default: any non-zero amount. */
  minimumReceived?: bigint | undefined;
  /**
   * The pool's receipt token, and the recipient's minimum gain. Pools that scale by an index round: set it one unit
   * below the supply. Default: no minimum.
   */
  receipt?: { token: Address; minimum: bigint } | undefined;
  /** Aave's referral code, below 65,536. @default 0 */
  referralCode?: number | undefined;
};

export type SupplyToPoolReturnType = ProxyStepReturnType;

/**
 * Composes calls that supply the whole arrived amount to a lending pool, on behalf of a recipient.
 *
 * @returns Four calls. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { supplyToPool } from "waybill";
 *
 * const calls = supplyToPool({
 *   asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 *   pool: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 * });
 */
export function supplyToPool(parameters: SupplyToPoolParameters): SupplyToPoolReturnType {
  const { minimumReceived, proxy, receipt, referralCode = 0 } = parameters;
  const asset = readAccount(parameters.asset, "asset");
  const pool = readAccount(parameters.pool, "pool");
  const recipient = readAccount(parameters.recipient, "recipient");
  if (!Number.isInteger(referralCode) || referralCode < 0 || referralCode > maxReferralCode) {
    throw new InvalidParameterError({
      parameter: "referralCode",
      reason: `${show(referralCode)} is not a uint16`,
    });
  }
  const outputs = receipt && [
    {
      minimum: readUint256(receipt.minimum, "receipt.minimum"),
      recipient,
      token: readAccount(receipt.token, "receipt.token"),
    },
  ];
  return proxyStep({
    abi: poolAbi,
    address: pool,
    args: [asset, balanceOf(asset), recipient, referralCode],
    functionName: "supply",
    minimumReceived,
    outputs,
    proxy,
    recipient,
    token: asset,
  });
}
