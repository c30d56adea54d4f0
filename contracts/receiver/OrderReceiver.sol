// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IOrderDepository} from "../interfaces/external/IOrderDepository.sol";
import {IOrderReceiver} from "../interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {SignedPulls} from "../libraries/SignedPulls.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {Order} from "../records/Order.sol";
import {SolverSignature} from "../records/SolverSignature.sol";
import {DepositPolicies} from "./DepositPolicies.sol";
import {RefundForwarder} from "./RefundForwarder.sol";

/// @title OrderReceiver
/// @notice The validating receiver of protocol orders: immutable, ownerless, one solver, one depository.
/// @dev Each function consumes every id before its first external call, and measures what each token call moved. Inherit
/// it with policies to restrict its deposits.
contract OrderReceiver is IOrderReceiver, DepositPolicies, RefundForwarder {
    using Order for Order.Data;

    address private constant NATIVE = address(0);

    /// @inheritdoc IOrderReceiver
    address public immutable override solver;

    /// @inheritdoc IOrderReceiver
    address public immutable override depository;

    /// @inheritdoc IOrderReceiver
    bytes32 public immutable override chainNameHash;

    /// @inheritdoc IOrderReceiver
    uint256 public immutable override thisChainId;

    /// @notice Fixes every setting: nothing can be changed later.
    /// @param solver_ Solver that orders must name and that must sign them.
    /// @param depository_ The service's depository on this chain.
    /// @param chainName_ The protocol's name of this chain, as orders spell it.
    /// @param chainId_ Chain id of this chain: the same code cannot be deployed on another chain under this address.
    /// @param refundPayee_ Recipient of money that names no order; not zero, because an order binds no caller.
    constructor(
        address solver_,
        address depository_,
        string memory chainName_,
        uint256 chainId_,
        address refundPayee_
    ) RefundForwarder(refundPayee_, false) {
        if (solver_ == address(0)) revert IRecordReceiver.AddressIsZero();
        if (depository_.code.length == 0) revert DepositoryHasNoCode(depository_);
        if (bytes(chainName_).length == 0) revert ChainNameIsEmpty();
        if (block.chainid != chainId_) revert ChainIdMismatch(block.chainid, chainId_);
        solver = solver_;
        depository = depository_;
        chainNameHash = keccak256(bytes(chainName_));
        thisChainId = chainId_;
    }

    /// @inheritdoc IOrderReceiver
    function deposit(
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only external call, no balance is measured, and that call
        // moves all of this money, so `sweep` cannot take any.
        _payNative(msg.value, _accept(msg.sender, NATIVE, msg.value, order, inputIndex, orderSignature));
    }

    /// @inheritdoc IOrderReceiver
    function depositErc20(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature
    ) external override nonReentrant {
        // Guarded: a token that calls back could let one arrival be measured for two deposits of this receiver.
        _payFromCaller(token, amount, _accept(msg.sender, token, amount, order, inputIndex, orderSignature));
    }

    /// @inheritdoc IOrderReceiver
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature,
        ISignedPulls.Permit calldata permit
    ) external override nonReentrant {
        bytes32 orderId = _accept(msg.sender, token, amount, order, inputIndex, orderSignature);
        SignedPulls.usePermit(token, amount, permit);
        _payFromCaller(token, amount, orderId);
    }

    /// @inheritdoc IOrderReceiver
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external override nonReentrant {
        bytes32 orderId = _accept(permit.owner, token, amount, order, inputIndex, orderSignature);
        uint256 held = TokenReads.balanceOf(token, address(this));
        bytes32 witness = SignedPulls.witnessOfOrder(orderId);
        SignedPulls.pullWithPermit2(token, amount, witness, SignedPulls.ORDER_WITNESS_TYPE_STRING, permit);
        _passOn(permit.owner, token, amount, orderId, held);
    }

    /// @inheritdoc IOrderReceiver
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature,
        ISignedPulls.Authorization calldata authorization
    ) external override nonReentrant {
        bytes32 orderId = _accept(authorization.owner, token, amount, order, inputIndex, orderSignature);
        uint256 held = TokenReads.balanceOf(token, address(this));
        bytes32 witness = SignedPulls.witnessOfOrder(orderId);
        SignedPulls.pullWithAuthorization(token, amount, witness, authorization);
        _passOn(authorization.owner, token, amount, orderId, held);
    }

    /// @inheritdoc IOrderReceiver
    function depositAll(OrderPayment[] calldata payments) external payable override nonReentrant {
        if (payments.length == 0) revert BatchIsEmpty();
        // Every id is consumed before the first external call.
        bytes32[] memory orderIds = new bytes32[](payments.length);
        uint256 nativeSum;
        for (uint256 i; i < payments.length; ++i) {
            OrderPayment calldata payment = payments[i];
            (address currency, uint256 amount) = _inputOf(payment);
            if (currency == NATIVE) nativeSum += amount;
            orderIds[i] = _accept(
                msg.sender,
                currency,
                amount,
                payment.order,
                payment.inputIndex,
                payment.orderSignature
            );
        }
        if (nativeSum != msg.value) revert NativeSumMismatch(nativeSum, msg.value);

        for (uint256 i; i < payments.length; ++i) {
            (address currency, uint256 amount) = _inputOf(payments[i]);
            if (currency == NATIVE) _payNative(amount, orderIds[i]);
            else _payFromCaller(currency, amount, orderIds[i]);
        }
    }

    function _checkSolver(
        bytes32 digest,
        bytes calldata signature
    ) internal view override returns (address, address) {
        address recovered = SolverSignature.recover(digest, signature);
        if (recovered != solver) revert OrderNotSignedBySolver(recovered, solver);
        return (solver, depository);
    }

    /// @dev First half of every deposit: inputs, deadlines, replay, effect, authority, policies. Makes no external
    /// call. Emits the event of the deposit.
    function _accept(
        address depositor,
        address currency,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature
    ) private returns (bytes32 orderId) {
        _checkTerms(currency, amount, order, inputIndex);
        orderId = order.hash();
        _consume(orderId, depositor);
        (bytes calldata ofSolver, bytes calldata policyData) = _cut(orderSignature);
        _checkSolver(Order.digest(orderId), ofSolver);
        _requireAuthorized(_authorize(orderId, depositor, currency, amount, policyData));
        _authorizeOutput(order.output, order.fees);
        emit OrderDeposited(orderId, depositor, inputIndex, currency, amount);
    }

    /// @dev Compares one input with the payment and the chain.
    function _checkTerms(
        address currency,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex
    ) private view {
        if (block.chainid != thisChainId) revert ChainIdMismatch(block.chainid, thisChainId);
        if (amount == 0) revert IRecordReceiver.AmountIsZero();
        if (order.solver != solver) revert OrderSolverMismatch(order.solver, solver);
        if (inputIndex >= order.inputs.length) revert InputIndexOutOfRange(inputIndex, order.inputs.length);

        Order.Input calldata input = order.inputs[inputIndex];
        Order.InputPayment calldata payment = input.payment;
        if (_hash(bytes(payment.chainId)) != chainNameHash) {
            revert InputChainMismatch(payment.chainId, chainNameHash);
        }
        if (payment.currency.length != 20 || address(bytes20(payment.currency)) != currency) {
            revert InputCurrencyMismatch(payment.currency, currency);
        }
        if (payment.amount != amount) revert InputAmountMismatch(amount, payment.amount);
        _checkDeadlines(input.refunds, order.output.deadline);
    }

    function _checkDeadlines(Order.InputRefund[] calldata refunds, uint256 outputDeadline) private view {
        for (uint256 i; i < refunds.length; ++i) {
            uint256 deadline = refunds[i].deadline;
            if (block.timestamp > deadline) revert RefundDeadlinePassed(i, deadline, block.timestamp);
        }
        if (block.timestamp > outputDeadline) revert OutputDeadlinePassed(outputDeadline, block.timestamp);
    }

    /// @dev Passes everything that the order pays or calls to the policies.
    function _authorizeOutput(Order.Output calldata output, Order.Fee[] calldata fees) private {
        Order.OutputPayment[] calldata payments = output.payments;
        if (payments.length == 0) revert OutputPaysNobody();
        for (uint256 i; i < payments.length; ++i) {
            Order.OutputPayment calldata payment = payments[i];
            if (payment.minimumAmount == 0) revert OutputPaymentIsZero(i);
            _authorizeAccount(output.chainId, payment.recipient);
        }
        bytes[] calldata calls = output.calls;
        for (uint256 i; i < calls.length; ++i) _authorizeAccount(output.chainId, calls[i]);
        for (uint256 i; i < fees.length; ++i) _authorizeAccount(fees[i].recipientChainId, fees[i].recipient);
    }

    function _authorizeAccount(string calldata chain, bytes calldata account) private {
        _requireAuthorized(_authorizeRecipient(uint256(_hash(bytes(chain))), _hash(account)));
    }

    /// @dev Second half of a native deposit.
    function _payNative(uint256 amount, bytes32 orderId) private {
        _callDepository(amount, abi.encodeCall(IOrderDepository.depositNative, (msg.sender, orderId)));
    }

    /// @dev Second half of a token deposit. The depository pulls tokens from its caller only, so they pass through this
    /// contract.
    function _payFromCaller(address token, uint256 amount, bytes32 orderId) private {
        uint256 held = TokenReads.balanceOf(token, address(this));
        TransferWithId.transferFromWithId(token, address(this), amount, orderId);
        _passOn(msg.sender, token, amount, orderId, held);
    }

    /// @notice Deposits tokens that have just arrived at the depository.
    /// @param depositor Account that the depository records.
    /// @param token The token.
    /// @param amount Amount that arrived.
    /// @param orderId The order's id.
    /// @param held Balance of this contract before they arrived.
    function _passOn(
        address depositor,
        address token,
        uint256 amount,
        bytes32 orderId,
        uint256 held
    ) private {
        MeasuredTransfer.requireArrival(token, address(this), held, amount);

        uint256 kept = TokenReads.balanceOf(token, depository);
        SafeTransferLib.safeApprove(token, depository, amount);
        _callDepository(
            0,
            abi.encodeCall(IOrderDepository.depositErc20, (depositor, token, amount, orderId))
        );
        MeasuredTransfer.requireArrival(token, depository, kept, amount);

        // Only if some of the approval is left: some tokens reject an approval of zero, and most approvals are spent.
        if (TokenReads.allowance(token, address(this), depository) != 0) {
            SafeTransferLib.safeApprove(token, depository, 0);
        }
        MeasuredTransfer.requireUnchanged(token, held);
    }

    function _callDepository(uint256 value, bytes memory data) private {
        if (!BoundedCall.tryCall(depository, value, data)) {
            revert DepositoryRejected(depository, BoundedCall.revertReason());
        }
    }

    /// @dev Currency of the named input. Bytes of another length yield an arbitrary address; `_accept` rejects them.
    function _inputOf(OrderPayment calldata payment) private pure returns (address currency, uint256 amount) {
        (Order.Input[] calldata inputs, uint256 inputIndex) = (payment.order.inputs, payment.inputIndex);
        if (inputIndex >= inputs.length) revert InputIndexOutOfRange(inputIndex, inputs.length);
        Order.InputPayment calldata input = inputs[inputIndex].payment;
        return (address(bytes20(input.currency)), input.amount);
    }

    function _hash(bytes calldata content) private pure returns (bytes32) {
        return EfficientHashLib.hashCalldata(content);
    }
}
