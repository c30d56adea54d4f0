// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPinnedReceiverPermits} from "../interfaces/receiver/IPinnedReceiverPermits.sol";
import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {SaturatingMath} from "../libraries/SaturatingMath.sol";
import {SignedPayments} from "../libraries/SignedPayments.sol";
import {SignedPulls} from "../libraries/SignedPulls.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {PinnedReceiver} from "./PinnedReceiver.sol";

/// @title PinnedReceiverPermits
/// @notice The pinned receiver with payments by permit, by signed transfer, and of several requests at once.
/// @dev Each function consumes every id before its first external call, and measures the result of each call.
contract PinnedReceiverPermits is IPinnedReceiverPermits, PinnedReceiver {
    using SaturatingMath for uint256;

    /// @param solver_ The required signer, which also receives token payments.
    /// @param nativePayee_ Recipient of native money: `solver_`, or the service's receiver for that solver.
    /// @param binding_ Account that records must name as `originUser`.
    /// @param refundPayee_ Recipient of money that names no request; zero only with `Binding.Caller`.
    constructor(
        address solver_,
        address nativePayee_,
        Binding binding_,
        address refundPayee_
    ) PinnedReceiver(solver_, nativePayee_, binding_, refundPayee_) {}

    /// @inheritdoc IPinnedReceiverPermits
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit calldata permit
    ) external override nonReentrant {
        _consume(requestId, msg.sender, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, msg.sender);

        SignedPulls.usePermit(token, amount, permit);
        MeasuredTransfer.transferFromWithId(token, solver, amount, requestId);
    }

    /// @inheritdoc IPinnedReceiverPermits
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external override nonReentrant {
        _consume(requestId, permit.owner, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, permit.owner);

        bytes32 witness = SignedPulls.witnessOf(requestId, destinationChainId, destinationUser);
        SignedPayments.payWithPermit2(token, solver, amount, requestId, witness, permit);
    }

    /// @inheritdoc IPinnedReceiverPermits
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Authorization calldata authorization
    ) external override nonReentrant {
        _consume(
            requestId,
            authorization.owner,
            token,
            amount,
            destinationChainId,
            destinationUser,
            signature
        );
        emit Erc20Deposited(requestId, authorization.owner);

        bytes32 witness = SignedPulls.witnessOf(requestId, destinationChainId, destinationUser);
        SignedPayments.payWithAuthorization(token, solver, amount, requestId, witness, authorization);
    }

    /// @inheritdoc IPinnedReceiverPermits
    function depositAll(Payment[] calldata payments) external payable override nonReentrant {
        if (payments.length == 0) revert BatchIsEmpty();
        uint256 nativeSum;
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == address(0)) nativeSum = nativeSum.add(payments[i].amount);
        }
        if (nativeSum != msg.value) revert NativeSumMismatch(nativeSum, msg.value);

        // Every id is consumed before the first external call.
        for (uint256 i; i < payments.length; ++i) {
            Payment calldata payment = payments[i];
            _consume(
                payment.requestId,
                msg.sender,
                payment.currency,
                payment.amount,
                payment.destinationChainId,
                payment.destinationUser,
                payment.signature
            );
        }

        for (uint256 i; i < payments.length; ++i) {
            _pay(payments[i]);
        }
    }

    /// @dev Emits the event of one payment of a batch and makes it. A token's `Transfer` follows its event.
    function _pay(Payment calldata payment) private {
        (bytes32 requestId, address currency, uint256 amount) = (
            payment.requestId,
            payment.currency,
            payment.amount
        );
        if (currency == address(0)) {
            emit NativeDeposited(requestId, msg.sender, amount);
            TransferWithId.payNativeWithId(nativePayee, amount, requestId);
        } else {
            emit Erc20Deposited(requestId, msg.sender);
            MeasuredTransfer.transferFromWithId(currency, solver, amount, requestId);
        }
    }
}
