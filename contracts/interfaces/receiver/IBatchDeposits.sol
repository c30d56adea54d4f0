// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Payments of several requests at once
/// @notice Members shared by receivers that take several payments in one call.
///
/// The first payment that fails reverts the batch with its own error. Adding the payment's index would take a self-call
/// for each payment, which costs gas and adds an entry point to guard. `RequestAlreadyConsumed` names the request;
/// errors of tokens name the token. To find the payment of any other error, simulate each payment as a batch of one: it
/// fails with the same error.
interface IBatchDeposits {
    /// @notice Thrown when a batch has no payments.
    error BatchIsEmpty();

    /// @notice Thrown when the native amounts of a batch do not add up to `msg.value`.
    /// @param needed Their sum in wei; a sum above `type(uint256).max` panics.
    /// @param sent `msg.value`.
    error NativeSumMismatch(uint256 needed, uint256 sent);
}
