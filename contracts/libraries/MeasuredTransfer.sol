// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {TransferWithId} from "./TransferWithId.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Token transfers measured at the recipient
/// @notice A token may take a fee, move another amount, or do nothing and return success. The recipient's balance must
/// grow by exactly the amount: less would underfund a request, and more came from another source for another purpose.
/// @dev A token that calls back could have one arrival measured for two payments: callers must guard against
/// reentrancy.
library MeasuredTransfer {
    /// @notice Moves exactly `amount` from the caller to `to` under the caller's allowance. Appends `requestId` to the
    /// arguments.
    /// @dev Reverts with `ArrivedAmountMismatch`, or an error of `TransferWithId` or `TokenReads`.
    /// @param token The token to move.
    /// @param to Recipient.
    /// @param amount Amount in the token's smallest unit.
    /// @param requestId The request the payment is for.
    function transferFromWithId(address token, address to, uint256 amount, bytes32 requestId) internal {
        uint256 balanceBefore = TokenReads.balanceOf(token, to);
        TransferWithId.transferFromWithId(token, to, amount, requestId);
        requireArrival(token, to, balanceBefore, amount);
    }

    /// @notice Reverts with `ArrivedAmountMismatch` unless exactly `amount` has arrived.
    /// @param token The token that was moved.
    /// @param account The recipient.
    /// @param balanceBefore Balance before the payment.
    /// @param amount Amount in the token's smallest unit.
    function requireArrival(
        address token,
        address account,
        uint256 balanceBefore,
        uint256 amount
    ) internal view {
        uint256 arrived = arrivedSince(token, account, balanceBefore);
        if (arrived != amount) revert IRecordReceiver.ArrivedAmountMismatch(token, amount, arrived);
    }

    /// @notice Reverts with `TokenBalanceChanged` unless this contract's balance is unchanged.
    /// @dev Rejects tokens that charge the payer on top of the amount: the fee would come out of other users' money.
    /// @param token The token that was moved.
    /// @param balanceBefore Balance of this contract before the payment.
    function requireUnchanged(address token, uint256 balanceBefore) internal view {
        uint256 balance = TokenReads.balanceOf(token, address(this));
        if (balance != balanceBefore) {
            revert IRecordReceiver.TokenBalanceChanged(token, balance, balanceBefore);
        }
    }

    /// @notice Growth of a balance.
    /// @param token The token that was moved.
    /// @param account The recipient.
    /// @param balanceBefore Balance before the payment.
    /// @return In the token's smallest unit; zero when the balance has shrunk.
    function arrivedSince(
        address token,
        address account,
        uint256 balanceBefore
    ) internal view returns (uint256) {
        uint256 balance = TokenReads.balanceOf(token, account);
        unchecked {
            return balance > balanceBefore ? balance - balanceBefore : 0;
        }
    }
}
