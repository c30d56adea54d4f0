// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBalanceActions} from "./IBalanceActions.sol";

/// @title The entry point that pulls
/// @notice Approve this contract, call it: for each token that is named and approved, the lesser of the caller's balance
/// and allowance is pulled. `depositErc4626` deposits it itself; the functions of `IBalanceActions` hand it to the executor.
///
/// Why an ERC-20 approval of this contract serves its owner alone, whatever tokens and vaults strangers name:
/// - `transferFrom` is only ever called with the caller as the owner, never with an owner from the arguments.
/// - The other calls are `approve` and `transfer` of the named token, and `deposit(uint256,address)` of the named vault.
///   Each acts on this contract's own account, which is empty between calls. By ERC-4626 `deposit` takes the assets of its
///   caller: a vault whose shares users approved here is asked for new shares, and cannot be asked for theirs.
/// - No deposit begins before another has ended. In between this contract holds only what that deposit pulled and has
///   approved only the vault that its caller named, for exactly that.
/// - The approval is zero and the balance swept before the call ends. What left is what was approved, or all is undone.
///
/// Assumptions:
/// - The router approves and calls in one transaction. An allowance that stays on a shared router lets anybody who gets
///   the router to call this contract spend what is later left on the router; compose an approval of zero behind the call.
/// - ERC-20 allowances are all this contract needs. Never make it an operator (`setApprovalForAll`, `authorizeOperator`): a
///   token that is ERC-20 and ERC-721 at once lets an operator approve its owner's tokens to others.
/// - No token that is approved here has a `deposit(uint256,address)` of its own that spends the allowance of its second argument.
///   `depositErc4626` calls that function on any address, with any account; ERC-4626 deposits spend their caller's assets.
/// - The caller trusts the vault with the money of this one call, and its word for how many shares it gave.
interface IBalanceProxy is IBalanceActions {
    /// @notice Thrown when a vault took a deposit and reported no shares for it: the amount was rounded away, or `vault` is
    /// no vault of ERC-4626.
    /// @param vault The vault.
    /// @param amount What was deposited, in the token's smallest unit.
    error SharesMissing(address vault, uint256 amount);

    /// @notice Deposits the caller's whole approved balance of a token into an ERC-4626 vault: the cheapest form of the
    /// commonest call. The vault mints the shares to `receiver`, who also gets what the vault leaves of the token.
    /// @dev The vault sees this contract as its caller. To bound the shares or send the rest elsewhere, use `execute`; to use
    /// what was sent ahead, use `spend` on the executor. Reverts with `ReceivedTooLittle` (always when nothing is there),
    /// `RecipientInvalid`, `TargetHasNoCode` or `StepFailed` (all with index 0), `SharesMissing`, `UnapprovedOutflow`,
    /// `Reentrancy`, or an error of the token.
    /// @param vault An ERC-4626 vault whose asset is `token`.
    /// @param token The token to deposit.
    /// @param minimumReceived The least that must be there, in the token's smallest unit.
    /// @param receiver Who gets the shares, and the rest of the token; neither zero, this contract nor the executor.
    function depositErc4626(address vault, address token, uint256 minimumReceived, address receiver) external;

    /// @notice The contract that makes the arbitrary calls. Send money there, and call it directly, to do without an approval.
    /// @return The executor's address, made by this contract's constructor and fixed.
    function executor() external view returns (address);
}
