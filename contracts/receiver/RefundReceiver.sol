// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../interfaces/receiver/IRefundReceiver.sol";
import {TransientGuard} from "./TransientGuard.sol";

/// @title RefundReceiver
/// @notice Stores the depositor of each consumed request.
abstract contract RefundReceiver is IRefundReceiver, TransientGuard {
    uint256 private constant REQUEST_ID_BYTES = 32;

    /// @dev A struct, so that one reference serves the read and the write. A whole word, because an `address` would be
    /// read again before it is written.
    struct Entry {
        uint256 depositor;
    }

    /// @dev Zero until the request is paid; one word then holds both the fact and the depositor.
    mapping(bytes32 requestId => Entry) private _entries;

    /// @inheritdoc IRefundReceiver
    function depositorOf(bytes32 requestId) public view override returns (address) {
        return address(uint160(_entries[requestId].depositor));
    }

    /// @dev Marks a request or order as paid. `depositor` is the payer, receives refunds and is not zero.
    function _consume(bytes32 requestId, address depositor) internal {
        Entry storage entry = _entries[requestId];
        if (entry.depositor != 0) revert IRecordReceiver.RequestAlreadyConsumed(requestId);
        entry.depositor = uint160(depositor);
    }

    /// @dev Depositor of a request that is refunded `amount`.
    function _refundedDepositor(bytes32 requestId, uint256 amount) internal view returns (address depositor) {
        depositor = depositorOf(requestId);
        if (depositor == address(0)) revert RequestNotConsumed(requestId);
        if (amount == 0) revert IRecordReceiver.AmountIsZero();
    }

    /// @dev Pays `payee` with the caller's tokens, which must arrive exactly.
    function _payErc20(address token, address payee, uint256 amount, bytes32 requestId) internal virtual;

    /// @dev The requestId of a native refund: the whole calldata.
    function _refundedId() internal pure returns (bytes32) {
        if (msg.data.length != REQUEST_ID_BYTES) revert CalldataNotUnderstood(msg.data.length);
        return bytes32(msg.data);
    }
}
