// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Policies of a receiver
/// @notice Inheriting a policy is having it: every deposit of every receiver passes the hooks that a policy overrides.
/// The order in which receiver and policies are listed does not matter.
///
/// Each override ends with `return super._authorize(…)`. Only the declaring base can return the answer that the
/// receiver requires. So an override that forgets `super`, or is empty, makes every deposit revert with
/// `PolicySkipped`.
///
/// Two things no check can catch. An override that calls a base by name, `PausePolicy._authorize(…)`, skips the
/// policies between: write `super`. A hook must not call other contracts: it runs before a native payment leaves, and a
/// sweep in between could take that money.
interface IDepositPolicies {
    /// @notice A deposit that has not been made.
    /// @param requestId The requestId or orderId.
    /// @param depositor Account that would pay.
    /// @param currency The currency; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill.
    /// @param digest The digest that the solver signed.
    /// @param signature The solver's signature, followed by the data of policies.
    struct Attempt {
        bytes32 requestId;
        address depositor;
        address currency;
        uint256 amount;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes32 digest;
        bytes signature;
    }

    /// @notice Thrown by every deposit when an override of a hook does not return what `super` returned.
    /// @param answer The answer of the hook.
    /// @param expected The answer of the declaring base.
    error PolicySkipped(bytes32 answer, bytes32 expected);

    /// @notice Thrown when a signature is too short to end with the data of policies.
    /// @param length Its length in bytes.
    /// @param needed Length of the data of all policies.
    error PolicyDataMissing(uint256 length, uint256 needed);
}
