// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IOrderReceiverPermits} from "../interfaces/receiver/IOrderReceiverPermits.sol";
import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {SaturatingMath} from "../libraries/SaturatingMath.sol";
import {SignedPulls} from "../libraries/SignedPulls.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {Order} from "../records/Order.sol";
import {OrderReceiver} from "./OrderReceiver.sol";

/// @title OrderReceiverPermits
/// @notice The receiver of orders with payments by permit, by signed transfer, and of several orders at once.
/// @dev Each function consumes every id before its first external call, and measures the result of each call.
contract OrderReceiverPermits is IOrderReceiverPermits, OrderReceiver {
    using SaturatingMath for uint256;

    /// @param solver_ Solver that orders must name and that must sign them.
    /// @param depository_ The service's depository on this chain.
    /// @param chainName_ The protocol's name of this chain, as orders spell it.
    /// @param recipientRoot_ The Merkle root of the recipients that may be paid; zero for any.
    /// @param refundPayee_ Recipient of money that names no order; not zero, because an order binds no caller.
    /// @param usesErc1271_ Whether the solver is a contract that verifies signatures itself.
    constructor(
        address solver_,
        address depository_,
        string memory chainName_,
        bytes32 recipientRoot_,
        address refundPayee_,
        bool usesErc1271_
    ) OrderReceiver(solver_, depository_, chainName_, recipientRoot_, refundPayee_, usesErc1271_) {}

    /// @inheritdoc IOrderReceiverPermits
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature,
        ISignedPulls.Permit calldata permit
    ) external override nonReentrant {
        bytes32 orderId = _accept(
            msg.sender,
            token,
            amount,
            order,
            inputIndex,
            recipientProofs,
            orderSignature
        );
        SignedPulls.usePermit(token, amount, permit);
        _payErc20(token, amount, orderId);
    }

    /// @inheritdoc IOrderReceiverPermits
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external override nonReentrant {
        address owner = permit.owner;
        bytes32 orderId = _accept(owner, token, amount, order, inputIndex, recipientProofs, orderSignature);
        emit OrderDeposited(orderId, owner);

        uint256 held = TokenReads.balanceOf(token, address(this));
        SignedPulls.pullWithPermit2(
            token,
            amount,
            SignedPulls.witnessOfOrder(orderId),
            SignedPulls.ORDER_WITNESS_TYPE_STRING,
            permit
        );
        _passOn(owner, token, amount, orderId, held);
    }

    /// @inheritdoc IOrderReceiverPermits
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature,
        ISignedPulls.Authorization calldata authorization
    ) external override nonReentrant {
        address owner = authorization.owner;
        bytes32 orderId = _accept(owner, token, amount, order, inputIndex, recipientProofs, orderSignature);
        emit OrderDeposited(orderId, owner);

        uint256 held = TokenReads.balanceOf(token, address(this));
        bytes32 witness = SignedPulls.witnessOfOrder(orderId);
        SignedPulls.pullWithAuthorization(token, amount, witness, authorization);
        _passOn(owner, token, amount, orderId, held);
    }

    /// @inheritdoc IOrderReceiverPermits
    function depositAll(OrderPayment[] calldata payments) external payable override nonReentrant {
        if (payments.length == 0) revert BatchIsEmpty();
        // Every id is consumed before the first external call that can change state.
        bytes32[] memory orderIds = new bytes32[](payments.length);
        uint256 nativeSum;
        for (uint256 i; i < payments.length; ++i) {
            OrderPayment calldata payment = payments[i];
            (address currency, uint256 amount) = _termsOf(payment);
            if (currency == address(0)) nativeSum = nativeSum.add(amount);
            orderIds[i] = _accept(
                msg.sender,
                currency,
                amount,
                payment.order,
                payment.inputIndex,
                payment.recipientProofs,
                payment.orderSignature
            );
        }
        if (nativeSum != msg.value) revert NativeSumMismatch(nativeSum, msg.value);

        for (uint256 i; i < payments.length; ++i) {
            (address currency, uint256 amount) = _termsOf(payments[i]);
            if (currency == address(0)) _payNative(amount, orderIds[i]);
            else _payErc20(currency, amount, orderIds[i]);
        }
    }

    /// @dev Currency of the named input. Bytes of another length yield an arbitrary address; `_accept` rejects them.
    function _termsOf(OrderPayment calldata payment) private pure returns (address currency, uint256 amount) {
        (Order.Input[] calldata inputs, uint256 inputIndex) = (payment.order.inputs, payment.inputIndex);
        if (inputIndex >= inputs.length) revert InputIndexOutOfRange(inputIndex, inputs.length);
        Order.InputPayment calldata input = inputs[inputIndex].payment;
        return (address(bytes20(input.currency)), input.amount);
    }
}
