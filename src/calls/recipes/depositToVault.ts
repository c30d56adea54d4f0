import { type Address, parseAbi } from "viem";
import type { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";

const vaultAbi = parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]);

/** What {@link depositToVault} takes. */
export type DepositToVaultParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** An ERC-4626 vault. */
  vault: Address;
  /** The vault's asset: the token that arrives on the router and is deposited whole. */
  asset: Address;
  /** Who gets the shares. */
  recipient: Address;
  /** The least that must have arrived, in the asset's smallest unit; defaults to anything but nothing. */
  minimumReceived?: bigint | undefined;
  /** The least by which the recipient's shares must grow; zero asks for nothing. */
  minimumShares?: bigint | undefined;
};

/** What {@link depositToVault} returns. */
export type DepositToVaultReturnType = ProxyStepReturnType;

/** What {@link depositToVault} throws. */
export type DepositToVaultErrorType = InvalidParameterError;

/**
 * The calls that deposit whatever amount arrives into an ERC-4626 vault.
 *
 * @param parameters Proxy, vault, its asset, and who gets the shares.
 * @returns Calls to be kept together and in order.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
 *
 * @example
 * import { depositToVault } from "waybill";
 *
 * const calls = depositToVault({
 *   asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   vault: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 * });
 */
export function depositToVault(parameters: DepositToVaultParameters): DepositToVaultReturnType {
  const { proxy, minimumReceived, minimumShares = 0n } = parameters;
  const asset = readAccount(parameters.asset, "asset");
  const recipient = readAccount(parameters.recipient, "recipient");
  const vault = readAccount(parameters.vault, "vault");
  return proxyStep({
    abi: vaultAbi,
    address: vault,
    args: [balanceOf(asset), recipient],
    functionName: "deposit",
    minimumReceived,
    outputs: minimumShares === 0n ? [] : [{ minimum: minimumShares, recipient, token: vault }],
    proxy,
    recipient,
    token: asset,
  });
}
