// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBalanceActions} from "./IBalanceActions.sol";

/// @title The entry point that pulls approved tokens
/// @notice Approve this contract, then call it: it pulls the lesser of the caller's balance and allowance, for each
/// named token. After the last pull, what each pull brought must still be there: all of it, or the
/// `minimumReceived` that the caller names. `depositErc4626` makes the deposit itself; the functions of
/// `IBalanceActions` forward the call to the executor.
///
/// Why other callers cannot use an ERC-20 approval of this contract, whatever tokens and vaults they name:
/// - It calls `transferFrom` only with the caller as the owner, never with an owner from the arguments.
/// - Its other calls are `approve` and `transfer` of the named token, and `deposit(uint256,address)` of the named
///   vault. Each acts on this contract's own account, which is empty between calls. ERC-4626 `deposit` takes the assets
///   of its caller. A vault whose shares users approved to this contract can be called to mint shares, not to move
///   theirs.
/// - A deposit cannot begin before another has ended. Meanwhile this contract has only what that deposit pulled, and
///   approves exactly that amount to the caller's vault.
/// - Before the call ends, the approval is zero and the balance swept. An outflow beyond the approval reverts the call.
///
/// Assumptions:
/// - The router approves and calls in one transaction. A lasting allowance on a shared router lets any caller of that
///   router spend what is later left on it. Append an approval of zero after the call.
/// - This contract needs ERC-20 allowances only. Never make it an operator (`setApprovalForAll`, `authorizeOperator`):
///   in a token that is both ERC-20 and ERC-721, an operator can approve its owner's tokens to others.
/// - No token approved to this contract has a `deposit(uint256,address)` that spends the allowance of its second
///   argument. `depositErc4626` calls that function on any address, with any account; ERC-4626 deposits spend their
///   caller's assets.
/// - The caller trusts the vault with the funds of this one call, and with the number of shares it reports.
interface IBalanceProxy is IBalanceActions {
    /// @notice Thrown when a vault accepts a deposit and reports no shares: the amount rounds to zero shares, or
    /// `vault` is not an ERC-4626 vault.
    /// @param vault The vault.
    /// @param amount Deposited amount, in the token's smallest unit.
    error SharesMissing(address vault, uint256 amount);

    /// @notice Deposits the caller's whole approved balance of a token into an ERC-4626 vault, at less gas than `spend`
    /// or `execute`. The vault mints the shares to `receiver`, which also receives the tokens the vault leaves.
    /// @dev The vault sees this contract as its caller. Use `execute` to bound the shares or send the rest elsewhere;
    /// use `spend` on the executor for funds sent ahead. Reverts with `ReceivedTooLittle` (always at a balance of
    /// zero), `RecipientInvalid`, `TargetHasNoCode` or `StepFailed` (all with index 0), `SharesMissing`,
    /// `UnapprovedOutflow`, `Reentrancy`, or an error of the token.
    /// @param vault An ERC-4626 vault whose asset is `token`.
    /// @param token The token to deposit.
    /// @param minimumReceived Minimum to deposit, in the token's smallest unit; zero for all that was pulled.
    /// @param receiver Receives the shares and the rest of the token; not zero, this contract or the executor.
    function depositErc4626(address vault, address token, uint256 minimumReceived, address receiver) external;

    /// @notice The contract that makes the arbitrary calls. To use no approval, fund it and call it directly.
    /// @return The executor's address, deployed by this contract's constructor; never changes.
    function executor() external view returns (address);
}
