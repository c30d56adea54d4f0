import { type Address, parseAbi } from "viem";
import { readAccount } from "../../internal/readAddress.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";

const vaultAbi = parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]);

export type DepositToVaultParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** An ERC-4626 vault. */
  vault: Address;
  /** The vault's asset, which arrives on the router; all of it is deposited. */
  asset: Address;
  /** Receives the shares. */
  recipient: Address;
  /** Minimum that must arrive, in the asset's smallest unit. Default: any non-zero amount. */
  minimumReceived?: bigint | undefined;
  /** Minimum gain of the recipient in shares; zero for no minimum. */
  minimumShares?: bigint | undefined;
};

export type DepositToVaultReturnType = ProxyStepReturnType;

/**
 * Composes calls that deposit the whole arrived amount into an ERC-4626 vault.
 *
 * @returns Calls. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
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
