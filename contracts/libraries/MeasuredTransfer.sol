// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/IRecordReceiver.sol";
import {SaturatingMath} from "./SaturatingMath.sol";
import {TaggedTransfer} from "./TaggedTransfer.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Token transfers that are measured where they arrive
/// @notice A token may take a fee, move something else or do nothing and say that it went well. What counts is by how much the
/// payee's balance grew: exactly the amount, because less would underfund a request, and more came from elsewhere and was
/// meant for something else.
/// @dev A token that calls back could have one arrival measured for two payments: callers are guarded against reentrancy.
library MeasuredTransfer {
    /// @notice Moves exactly `amount` from the caller to `to` under the caller's allowance, with `requestId` behind the arguments.
    /// @dev Reverts with `ArrivedAmountMismatch`, or an error of `TaggedTransfer` or `TokenReads`.
    /// @param token The token to move.
    /// @param to Who is paid.
    /// @param amount In the token's smallest unit.
    /// @param requestId The request the payment is for.
    function transferFromWithId(address token, address to, uint256 amount, bytes32 requestId) internal {
        uint256 balanceBefore = TokenReads.balanceOf(token, to);
        TaggedTransfer.transferFromWithId(token, to, amount, requestId);
        requireArrival(token, to, balanceBefore, amount);
    }

    /// @notice Reverts with `ArrivedAmountMismatch` unless exactly `amount` has arrived.
    /// @param token The token that was moved.
    /// @param account Who was paid.
    /// @param balanceBefore What the account held before.
    /// @param amount In the token's smallest unit.
    function requireArrival(
        address token,
        address account,
        uint256 balanceBefore,
        uint256 amount
    ) internal view {
        uint256 arrived = arrivedSince(token, account, balanceBefore);
        if (arrived != amount) revert IRecordReceiver.ArrivedAmountMismatch(token, amount, arrived);
    }

    /// @notice Reverts with `TokenBalanceChanged` unless this contract holds what it held before.
    /// @dev A token that takes its fee from the payer on top of the amount would otherwise take it from other users' money.
    /// @param token The token that was moved.
    /// @param balanceBefore Balance of this contract before the payment.
    function requireUnchanged(address token, uint256 balanceBefore) internal view {
        uint256 balance = TokenReads.balanceOf(token, address(this));
        if (balance != balanceBefore) {
            revert IRecordReceiver.TokenBalanceChanged(token, balance, balanceBefore);
        }
    }

    /// @notice By how much a balance has grown.
    /// @param token The token that was moved.
    /// @param account Who was paid.
    /// @param balanceBefore What the account held before.
    /// @return In the token's smallest unit; zero when the balance has shrunk.
    function arrivedSince(
        address token,
        address account,
        uint256 balanceBefore
    ) internal view returns (uint256) {
        return SaturatingMath.subtract(TokenReads.balanceOf(token, account), balanceBefore);
    }
}
