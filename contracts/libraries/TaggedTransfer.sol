// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/IRecordReceiver.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Payments that carry a request id
/// @notice The service matches a plain token transfer to its request by the 32 bytes that follow the standard
/// `transfer` or `transferFrom` calldata. Tokens ignore them; whoever reads the call finds the id. Of a native payment, the id
/// is the whole calldata.
library TaggedTransfer {
    /// @notice Thrown when the token reverts or answers anything but nothing or `true`.
    /// @param token The token that refused.
    /// @param reason What it returned or reverted with, cut to `BoundedCall.MAX_REASON_BYTES`.
    error TokenTransferFailed(address token, bytes reason);

    /// @notice Sends native money, with `requestId` for calldata and all remaining gas.
    /// @dev Reverts with `PayeeRejectedNative`.
    /// @param payee Who is paid.
    /// @param amount Wei.
    /// @param requestId The request the payment is for.
    function payNativeWithId(address payee, uint256 amount, bytes32 requestId) internal {
        if (!BoundedCall.tryCall(payee, amount, requestId)) {
            revert IRecordReceiver.PayeeRejectedNative(payee, amount, BoundedCall.revertReason());
        }
    }

    /// @notice Moves `amount` from `from` to `to` under the caller's allowance, with `requestId` behind the arguments.
    /// @dev Tokens that return nothing pass, as do tokens that return more than one word whose first is `true`.
    /// @param token The token to move.
    /// @param from Who pays; must have approved this contract.
    /// @param to Who is paid.
    /// @param amount In the token's smallest unit.
    /// @param requestId The request the payment is for.
    function transferFromWithId(
        address token,
        address from,
        address to,
        uint256 amount,
        bytes32 requestId
    ) internal {
        bool accepted;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x23b872dd)) // transferFrom(address,address,uint256)
            mstore(add(data, 0x04), from)
            mstore(add(data, 0x24), to)
            mstore(add(data, 0x44), amount)
            mstore(add(data, 0x64), requestId)
            // 132 bytes: selector, three arguments, the id. The answer goes to scratch space.
            let success := call(gas(), token, 0, data, 0x84, 0x00, 0x20)
            switch returndatasize()
            case 0 {
                accepted := and(success, iszero(iszero(extcodesize(token))))
            }
            default {
                accepted := and(success, and(gt(returndatasize(), 0x1f), eq(mload(0x00), 1)))
            }
        }
        if (!accepted) {
            if (token.code.length == 0) revert TokenReads.TokenHasNoCode(token);
            revert TokenTransferFailed(token, BoundedCall.revertReason());
        }
    }

    /// @notice Moves `amount` of this contract's to `to`, with `requestId` behind the arguments.
    /// @dev The same answers pass as above.
    /// @param token The token to move.
    /// @param to Who is paid.
    /// @param amount In the token's smallest unit.
    /// @param requestId The request the payment is for.
    function transferWithId(address token, address to, uint256 amount, bytes32 requestId) internal {
        bool accepted;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0xa9059cbb)) // transfer(address,uint256)
            mstore(add(data, 0x04), to)
            mstore(add(data, 0x24), amount)
            mstore(add(data, 0x44), requestId)
            // 100 bytes: selector, two arguments, the id. The answer goes to scratch space.
            let success := call(gas(), token, 0, data, 0x64, 0x00, 0x20)
            switch returndatasize()
            case 0 {
                accepted := and(success, iszero(iszero(extcodesize(token))))
            }
            default {
                accepted := and(success, and(gt(returndatasize(), 0x1f), eq(mload(0x00), 1)))
            }
        }
        if (!accepted) {
            if (token.code.length == 0) revert TokenReads.TokenHasNoCode(token);
            revert TokenTransferFailed(token, BoundedCall.revertReason());
        }
    }
}
