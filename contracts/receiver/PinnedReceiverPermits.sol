// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {IPinnedReceiverPermits} from "../interfaces/IPinnedReceiverPermits.sol";
import {ISignedPulls} from "../interfaces/ISignedPulls.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {SignedPayments} from "../libraries/SignedPayments.sol";
import {SignedPulls} from "../libraries/SignedPulls.sol";
import {TaggedTransfer} from "../libraries/TaggedTransfer.sol";
import {PinnedReceiver} from "./PinnedReceiver.sol";

/// @title PinnedReceiverPermits
/// @notice The pinned receiver with every way to pay: by permit, by signed transfer, and for several requests at once.
/// @dev Each function consumes every id before anything outside is called, and measures what came of each call.
contract PinnedReceiverPermits is IPinnedReceiverPermits, PinnedReceiver {
    using FixedPointMathLib for uint256;

    /// @param solver_ Whose signature is needed, and who is paid in tokens.
    /// @param nativePayee_ Where native money goes: `solver_`, or the service's receiver for that solver.
    /// @param binding_ Whose address records must name as `originUser`.
    constructor(
        address solver_,
        address nativePayee_,
        Binding binding_
    ) PinnedReceiver(solver_, nativePayee_, binding_) {}

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
        _consume(requestId, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, msg.sender, token, amount);

        SignedPulls.usePermit(token, amount, permit);
        MeasuredTransfer.transferFromWithId(token, msg.sender, solver, amount, requestId);
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
        _consume(requestId, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, permit.owner, token, amount);

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
        _consume(requestId, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, authorization.owner, token, amount);

        bytes32 witness = SignedPulls.witnessOf(requestId, destinationChainId, destinationUser);
        SignedPayments.payWithAuthorization(token, solver, amount, requestId, witness, authorization);
    }

    /// @inheritdoc IPinnedReceiverPermits
    function depositAll(Payment[] calldata payments) external payable override nonReentrant {
        if (payments.length == 0) revert AmountIsZero();
        uint256 nativeSum;
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == address(0)) nativeSum = nativeSum.saturatingAdd(payments[i].amount);
        }
        if (nativeSum != msg.value) revert NativeSumMismatch(nativeSum, msg.value);

        // Every id is consumed before the first outside call.
        for (uint256 i; i < payments.length; ++i) {
            _accept(payments[i]);
        }

        for (uint256 i; i < payments.length; ++i) {
            Payment calldata payment = payments[i];
            (bytes32 requestId, address currency, uint256 amount) = (
                payment.requestId,
                payment.currency,
                payment.amount
            );
            if (currency == address(0)) TaggedTransfer.payNativeWithId(nativePayee, amount, requestId);
            else MeasuredTransfer.transferFromWithId(currency, msg.sender, solver, amount, requestId);
        }
    }

    /// @dev One of several payments, up to its event.
    function _accept(Payment calldata payment) private {
        (bytes32 requestId, address currency, uint256 amount) = (
            payment.requestId,
            payment.currency,
            payment.amount
        );
        _consume(
            requestId,
            currency,
            amount,
            payment.destinationChainId,
            payment.destinationUser,
            payment.signature
        );
        if (currency == address(0)) emit NativeDeposited(requestId, msg.sender, amount);
        else emit Erc20Deposited(requestId, msg.sender, currency, amount);
    }
}
