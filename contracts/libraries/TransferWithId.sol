// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Payments that carry a request id
/// @notice The service matches a plain token transfer to its request by the 32 bytes after the standard `transfer` or
/// `transferFrom` calldata. Tokens ignore them; readers of the calldata find the id. For a native payment, the id is
/// the whole calldata.
library TransferWithId {
    /// @notice Thrown when the token reverts, or returns anything but `true` or no data.
    /// @param token The token.
    /// @param reason Its return or revert data, cut to `BoundedCall.MAX_REASON_BYTES`.
    error TokenTransferFailed(address token, bytes reason);

    /// @notice Sends native money without calldata and with all remaining gas.
    /// @dev Reverts with `PayeeRejectedNative`.
    /// @param payee Recipient.
    /// @param amount Wei.
    function payNative(address payee, uint256 amount) internal {
        if (!BoundedCall.tryCall(payee, amount, bytes(""))) {
            revert IRecordReceiver.PayeeRejectedNative(payee, amount, BoundedCall.revertReason());
        }
    }

    /// @notice Sends native money with all remaining gas; the calldata is exactly `requestId`.
    /// @dev Reverts with `PayeeRejectedNative`.
    /// @param payee Recipient.
    /// @param amount Wei.
    /// @param requestId The request the payment is for.
    function payNativeWithId(address payee, uint256 amount, bytes32 requestId) internal {
        if (!BoundedCall.tryCall(payee, amount, requestId)) {
            revert IRecordReceiver.PayeeRejectedNative(payee, amount, BoundedCall.revertReason());
        }
    }

    /// @notice Moves `amount` from the caller to `to` under the caller's allowance. Appends `requestId` to the
    /// arguments.
    /// @dev Accepts tokens that return no data, and tokens that return more than one word if the first is `true`.
    /// @param token The token to move.
    /// @param to Recipient.
    /// @param amount Amount in the token's smallest unit.
    /// @param requestId The request the payment is for.
    function transferFromWithId(address token, address to, uint256 amount, bytes32 requestId) internal {
        bool success;
        bool isTrue;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x23b872dd)) // transferFrom(address,address,uint256)
            mstore(add(data, 0x04), caller())
            mstore(add(data, 0x24), to)
            mstore(add(data, 0x44), amount)
            mstore(add(data, 0x64), requestId)
            // 132 bytes: selector, three arguments, the id. Return data goes to cleared scratch space, which holds
            // one only if the token returned a whole word.
            mstore(0x00, 0)
            success := call(gas(), token, 0, data, 0x84, 0x00, 0x20)
            isTrue := and(success, eq(mload(0x00), 1))
        }
        if (!isTrue) _requireSilence(token, success);
    }

    /// @notice Moves `amount` of this contract's tokens to `to`. Appends `requestId` to the arguments.
    /// @dev Accepts the same return data as `transferFromWithId`.
    /// @param token The token to move.
    /// @param to Recipient.
    /// @param amount Amount in the token's smallest unit.
    /// @param requestId The request the payment is for.
    function transferWithId(address token, address to, uint256 amount, bytes32 requestId) internal {
        // Selector, two arguments, the id.
        _call(token, _transferData(to, amount, requestId), 0x64);
    }

    /// @notice Moves `amount` of this contract's tokens to `to`, without appended data.
    /// @dev Accepts the same return data as `transferFromWithId`.
    /// @param token The token to move.
    /// @param to Recipient.
    /// @param amount Amount in the token's smallest unit.
    function transfer(address token, address to, uint256 amount) internal {
        _call(token, _transferData(to, amount, 0), 0x44);
    }

    function _transferData(
        address to,
        uint256 amount,
        bytes32 requestId
    ) private pure returns (uint256 data) {
        assembly ("memory-safe") {
            data := mload(0x40)
            mstore(data, shl(224, 0xa9059cbb)) // transfer(address,uint256)
            mstore(add(data, 0x04), to)
            mstore(add(data, 0x24), amount)
            mstore(add(data, 0x44), requestId)
            mstore(0x40, add(data, 0x80))
        }
    }

    /// @dev Calls `token` with the `length` bytes at `data`.
    function _call(address token, uint256 data, uint256 length) private {
        bool success;
        bool isTrue;
        assembly ("memory-safe") {
            // Return data goes to cleared scratch space, which holds one only if the token returned a whole word.
            mstore(0x00, 0)
            success := call(gas(), token, 0, data, length, 0x00, 0x20)
            isTrue := and(success, eq(mload(0x00), 1))
        }
        if (!isTrue) _requireSilence(token, success);
    }

    /// @dev Besides `true`, only empty return data of an account with code passes.
    function _requireSilence(address token, bool success) private view {
        uint256 size;
        assembly ("memory-safe") {
            size := returndatasize()
        }
        if (success && size == 0 && token.code.length != 0) return;
        if (token.code.length == 0) revert TokenReads.TokenHasNoCode(token);
        revert TokenTransferFailed(token, BoundedCall.revertReason());
    }
}
