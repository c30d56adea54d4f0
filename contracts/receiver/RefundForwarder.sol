// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {IRefundForwarder} from "../interfaces/receiver/IRefundForwarder.sol";
import {IRefundReceiver} from "../interfaces/receiver/IRefundReceiver.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {RefundReceiver} from "./RefundReceiver.sol";

/// @title RefundForwarder
/// @notice Forwards refunds to the depositor of the request.
abstract contract RefundForwarder is IRefundForwarder, RefundReceiver {
    address private constant NATIVE = address(0);

    /// @inheritdoc IRefundForwarder
    address public immutable override refundPayee;

    /// @notice Fixes the recipient of money without an id.
    /// @param refundPayee_ Recipient of money that names no request.
    /// @param isOptional Whether `refundPayee_` may be zero.
    constructor(address refundPayee_, bool isOptional) {
        if (refundPayee_ == address(0) && !isOptional) revert IRecordReceiver.AddressIsZero();
        if (refundPayee_ == address(this)) revert RecipientCannotHold(refundPayee_);
        refundPayee = refundPayee_;
    }

    /// @notice Accepts native money without calldata for `sweep`.
    receive() external payable {
        if (refundPayee == address(0)) revert NoRefundPayee();
        emit UnattributedNativeReceived(msg.sender, msg.value);
    }

    /// @notice Forwards a native refund, whose whole calldata is the requestId, to the depositor.
    fallback() external payable {
        // No reentrancy guard: this call moves only its own money, and no balance is measured.
        address depositor = _startRefund(_refundedId(), NATIVE, msg.value);
        TransferWithId.payNative(depositor, msg.value);
    }

    /// @inheritdoc IRefundReceiver
    function refundErc20(bytes32 requestId, address token, uint256 amount) external override nonReentrant {
        address depositor = _startRefund(requestId, token, amount);
        MeasuredTransfer.transferFromWithId(token, depositor, amount, requestId);
    }

    /// @inheritdoc IRefundForwarder
    function sweep(uint256 amount, address currency) external override nonReentrant {
        if (refundPayee == address(0)) revert NoRefundPayee();
        if (amount == 0) revert IRecordReceiver.AmountIsZero();
        bool isNative = currency == NATIVE;
        uint256 balance = isNative ? address(this).balance : TokenReads.balanceOf(currency, address(this));
        if (amount > balance) revert ExceedsUncredited(currency, amount, balance);

        emit Swept(currency, amount);
        if (isNative) TransferWithId.payNative(refundPayee, amount);
        else TransferWithId.transfer(currency, refundPayee, amount);
    }

    function _payErc20(address token, address payee, uint256 amount, bytes32 requestId) internal override {
        MeasuredTransfer.transferFromWithId(token, payee, amount, requestId);
    }

    /// @dev Checks a refund and emits its event.
    function _startRefund(
        bytes32 requestId,
        address currency,
        uint256 amount
    ) private returns (address depositor) {
        depositor = _refundedDepositor(requestId, amount);
        emit RefundForwarded(requestId, depositor, currency, amount);
    }
}
