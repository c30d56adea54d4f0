// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Payments of several requests at once
/// @notice What receivers that take several payments in one call have in common.
///
/// The first payment that fails fails all of them, and its error is passed on as it is: an error can be wrapped with a
/// payment's index only where a call ends, and a call of this contract to itself for each payment would cost gas and be one
/// more door to guard. `RequestAlreadyConsumed` names the request; errors of tokens name the token. To find the payment of
/// any other error, simulate each payment as a batch of one: alone it fails with the very same error.
interface IBatchDeposits {
    /// @notice Thrown when a batch has no payments.
    error BatchIsEmpty();

    /// @notice Thrown when the native amounts of a batch do not add up to what was sent.
    /// @param needed Their sum in wei; no more than fits a word.
    /// @param sent `msg.value`.
    error NativeSumMismatch(uint256 needed, uint256 sent);
}
