// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {MerkleProofLib} from "solady/src/utils/MerkleProofLib.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IOrderDepository} from "../interfaces/external/IOrderDepository.sol";
import {IOrderReceiver} from "../interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../interfaces/receiver/policies/ISolverSet.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {ConsumedIds} from "../libraries/ConsumedIds.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {ContractSignature} from "../records/ContractSignature.sol";
import {Order} from "../records/Order.sol";
import {RefundForwarder} from "./RefundForwarder.sol";

/// @title OrderReceiver
/// @notice The validating receiver of protocol orders: immutable, ownerless, one solver, one depository.
contract OrderReceiver is IOrderReceiver, RefundForwarder {
    using ConsumedIds for mapping(bytes32 => uint256);
    using Order for Order.Data;

    /// @inheritdoc IOrderReceiver
    address public immutable override solver;

    /// @inheritdoc IOrderReceiver
    address public immutable override depository;

    /// @inheritdoc IOrderReceiver
    bytes32 public immutable override chainNameHash;

    /// @inheritdoc IOrderReceiver
    bytes32 public immutable override recipientRoot;

    /// @inheritdoc IOrderReceiver
    bool public immutable override usesErc1271;

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
    ) RefundForwarder(refundPayee_, false) {
        if (solver_ == address(0)) revert IRecordReceiver.AddressIsZero();
        if (depository_.code.length == 0) revert DepositoryHasNoCode(depository_);
        if (bytes(chainName_).length == 0) revert ChainNameIsEmpty();
        solver = solver_;
        depository = depository_;
        chainNameHash = keccak256(bytes(chainName_));
        recipientRoot = recipientRoot_;
        usesErc1271 = usesErc1271_;
    }

    /// @inheritdoc IOrderReceiver
    function deposit(
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only external call that can change state, no balance is
        // measured, and that call moves all of this money, so `sweep` cannot take any.
        bytes32 orderId = _accept(
            msg.sender,
            address(0),
            msg.value,
            order,
            inputIndex,
            recipientProofs,
            orderSignature
        );
        _payNative(msg.value, orderId);
    }

    /// @inheritdoc IOrderReceiver
    function depositErc20(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) external override nonReentrant {
        // Guarded: a token that calls back could let one arrival be measured for two deposits of this receiver.
        bytes32 orderId = _accept(
            msg.sender,
            token,
            amount,
            order,
            inputIndex,
            recipientProofs,
            orderSignature
        );
        _payErc20(token, amount, orderId);
    }

    /// @dev First half of every deposit: inputs, deadlines, recipients, replay, effect, authority. Its only external
    /// call is a contract solver's verification, which cannot change state. `depositor` is the payer, receives refunds
    /// and is not zero.
    function _accept(
        address depositor,
        address currency,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) internal returns (bytes32 orderId) {
        _checkTerms(currency, amount, order, inputIndex);
        _checkRecipients(order.output, recipientProofs);
        orderId = order.hash();
        if (_depositors.consume(orderId, uint160(depositor)) != 0) revert OrderAlreadyConsumed(orderId);
        _checkSignature(orderId, orderSignature);
    }

    /// @dev Second half of a native deposit.
    function _payNative(uint256 amount, bytes32 orderId) internal {
        emit OrderDeposited(orderId, msg.sender);
        _callDepository(amount, abi.encodeCall(IOrderDepository.depositNative, (msg.sender, orderId)));
    }

    /// @dev Second half of a token deposit. The depository pulls tokens from its caller only, so they pass through this
    /// contract.
    function _payErc20(address token, uint256 amount, bytes32 orderId) internal {
        emit OrderDeposited(orderId, msg.sender);
        uint256 held = TokenReads.balanceOf(token, address(this));
        TransferWithId.transferFromWithId(token, address(this), amount, orderId);
        _passOn(msg.sender, token, amount, orderId, held);
    }

    /// @dev Deposits tokens that have just arrived at the depository.
    /// @param held Balance of this contract before they arrived.
    function _passOn(
        address depositor,
        address token,
        uint256 amount,
        bytes32 orderId,
        uint256 held
    ) internal {
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

    /// @dev A key's signature if `usesErc1271` is false, else the forms of `ISolverSet`.
    function _checkSignature(bytes32 orderId, bytes calldata orderSignature) private view {
        if (!usesErc1271) {
            address recovered = Order.recover(orderId, orderSignature);
            if (recovered != solver) revert OrderNotSignedBySolver(recovered, solver);
            return;
        }
        bytes32 digest = Order.digest(orderId);
        (address signer, bool isOfKey) = ContractSignature.signerOf(digest, orderSignature);
        if (signer != solver) revert OrderNotSignedBySolver(signer, solver);
        if (isOfKey) revert ISolverSet.SolverUsesErc1271(signer);
        ContractSignature.check(signer, digest, orderSignature);
    }

    /// @dev Compares one input with the payment and the chain.
    function _checkTerms(
        address currency,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex
    ) private view {
        if (amount == 0) revert IRecordReceiver.AmountIsZero();
        if (order.solver != solver) revert OrderSolverMismatch(order.solver, solver);
        if (inputIndex >= order.inputs.length) revert InputIndexOutOfRange(inputIndex, order.inputs.length);

        Order.Input calldata input = order.inputs[inputIndex];
        Order.InputPayment calldata payment = input.payment;
        if (EfficientHashLib.hashCalldata(bytes(payment.chainId)) != chainNameHash) {
            revert InputChainMismatch(payment.chainId, chainNameHash);
        }
        if (payment.currency.length != 20 || address(bytes20(payment.currency)) != currency) {
            revert InputCurrencyMismatch(payment.currency, currency);
        }
        if (payment.amount != amount) revert InputAmountMismatch(amount, payment.amount);

        Order.InputRefund[] calldata refunds = input.refunds;
        for (uint256 i; i < refunds.length; ++i) {
            uint256 deadline = refunds[i].deadline;
            if (block.timestamp > deadline) revert RefundDeadlinePassed(i, deadline, block.timestamp);
        }
        if (block.timestamp > order.output.deadline) {
            revert OutputDeadlinePassed(order.output.deadline, block.timestamp);
        }
    }

    /// @dev Rejects proofs without an allow-list: the caller would rely on a list that does not exist.
    function _checkRecipients(
        Order.Output calldata output,
        bytes32[][] calldata recipientProofs
    ) private view {
        bool hasList = recipientRoot != 0;
        Order.OutputPayment[] calldata payments = output.payments;
        uint256 needed = hasList ? payments.length : 0;
        if (recipientProofs.length != needed) {
            revert RecipientProofCountMismatch(recipientProofs.length, needed);
        }
        if (!hasList) return;
        if (needed == 0) revert OutputPaysNobody();

        for (uint256 i; i < needed; ++i) {
            bytes32 leaf = keccak256(abi.encode(output.chainId, payments[i].recipient));
            // Hashed twice, so that no inner node of the tree can pass for a leaf.
            leaf = EfficientHashLib.hash(leaf);
            if (!MerkleProofLib.verifyCalldata(recipientProofs[i], recipientRoot, leaf)) {
                revert OutputRecipientNotAllowed(i, payments[i].recipient, recipientRoot);
            }
        }
    }
}
