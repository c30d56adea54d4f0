// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {MerkleProofLib} from "solady/src/utils/MerkleProofLib.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IOrderDepository} from "../interfaces/IOrderDepository.sol";
import {IOrderReceiver} from "../interfaces/IOrderReceiver.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {TaggedTransfer} from "../libraries/TaggedTransfer.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {Order} from "../records/Order.sol";
import {TransientGuard} from "./TransientGuard.sol";

/// @title OrderReceiver
/// @notice The validating receiver of protocol orders: immutable, ownerless, one solver, one depository.
contract OrderReceiver is IOrderReceiver, TransientGuard {
    using Order for Order.Data;

    /// @inheritdoc IOrderReceiver
    address public immutable override solver;

    /// @inheritdoc IOrderReceiver
    address public immutable override depository;

    /// @inheritdoc IOrderReceiver
    bytes32 public immutable override chainNameHash;

    /// @inheritdoc IOrderReceiver
    bytes32 public immutable override recipientRoot;

    /// @dev One once the order is paid. A whole word, because a `bool` would be read again before it is written.
    struct Consumption {
        uint256 isPaid;
    }

    mapping(bytes32 orderId => Consumption) private _consumptions;

    /// @param solver_ Whom orders must name, and whose signature is needed.
    /// @param depository_ The service's depository on this chain.
    /// @param chainName_ The protocol's name of this chain, as orders spell it.
    /// @param recipientRoot_ The Merkle root of the recipients that may be paid; zero for any.
    constructor(address solver_, address depository_, string memory chainName_, bytes32 recipientRoot_) {
        if (solver_ == address(0)) revert SolverIsZero();
        if (depository_.code.length == 0) revert DepositoryHasNoCode(depository_);
        if (bytes(chainName_).length == 0) revert ChainNameIsEmpty();
        solver = solver_;
        depository = depository_;
        chainNameHash = keccak256(bytes(chainName_));
        recipientRoot = recipientRoot_;
    }

    /// @inheritdoc IOrderReceiver
    function deposit(
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only outside call and no balance is measured.
        _checkTerms(address(0), msg.value, order, inputIndex);
        _checkRecipients(order.output, recipientProofs);
        bytes32 orderId = _consume(order, orderSignature);
        emit NativeOrderDeposited(orderId, msg.sender, msg.value);

        _callDepository(msg.value, abi.encodeCall(IOrderDepository.depositNative, (msg.sender, orderId)));
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
        // Guarded, because a token that calls back could let one arrival be measured for two deposits of this receiver.
        _checkTerms(token, amount, order, inputIndex);
        _checkRecipients(order.output, recipientProofs);
        bytes32 orderId = _consume(order, orderSignature);
        emit Erc20OrderDeposited(orderId, msg.sender, token, amount);

        _forwardErc20(token, amount, orderId);
    }

    /// @inheritdoc IOrderReceiver
    function isConsumed(bytes32 orderId) external view override returns (bool) {
        return _consumptions[orderId].isPaid != 0;
    }

    /// @dev The last check and the effect: replay and authority over the whole order. Nothing outside is called.
    function _consume(
        Order.Data calldata order,
        bytes calldata orderSignature
    ) private returns (bytes32 orderId) {
        orderId = order.hash();
        Consumption storage consumption = _consumptions[orderId];
        if (consumption.isPaid != 0) revert OrderAlreadyConsumed(orderId);

        address recovered = Order.recover(orderId, orderSignature);
        if (recovered != solver) revert OrderNotSignedBySolver(recovered, solver);

        consumption.isPaid = 1;
    }

    /// @dev The depository only takes tokens from its caller, so they come here first.
    function _forwardErc20(address token, uint256 amount, bytes32 orderId) private {
        uint256 held = TokenReads.balanceOf(token, address(this));
        TaggedTransfer.transferFromWithId(token, msg.sender, address(this), amount, orderId);
        _requireArrival(token, address(this), held, amount);

        uint256 kept = TokenReads.balanceOf(token, depository);
        SafeTransferLib.safeApprove(token, depository, amount);
        _callDepository(
            0,
            abi.encodeCall(IOrderDepository.depositErc20, (msg.sender, token, amount, orderId))
        );
        _requireArrival(token, depository, kept, amount);

        // Only where something is left, because some tokens refuse an approval of zero and most have spent theirs.
        if (TokenReads.allowance(token, address(this), depository) != 0) {
            SafeTransferLib.safeApprove(token, depository, 0);
        }
        uint256 left = TokenReads.balanceOf(token, address(this));
        if (left != held) revert TokenBalanceChanged(token, left, held);
    }

    function _callDepository(uint256 value, bytes memory data) private {
        if (!BoundedCall.tryCall(depository, value, data)) {
            revert DepositoryRejected(depository, BoundedCall.revertReason());
        }
    }

    /// @dev What one input asks for, against what is true on chain.
    function _checkTerms(
        address currency,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex
    ) private view {
        if (amount == 0) revert OrderPaymentIsZero();
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

    /// @dev Proofs that nothing would look at are refused, lest a caller believes in a list that is not there.
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
            // Hashed twice, so that no inner node of the tree can be passed off as a leaf.
            leaf = EfficientHashLib.hash(leaf);
            if (!MerkleProofLib.verifyCalldata(recipientProofs[i], recipientRoot, leaf)) {
                revert OutputRecipientNotAllowed(i, payments[i].recipient, recipientRoot);
            }
        }
    }

    function _requireArrival(
        address token,
        address account,
        uint256 balanceBefore,
        uint256 amount
    ) private view {
        uint256 arrived = MeasuredTransfer.arrivedSince(token, account, balanceBefore);
        if (arrived != amount) revert TransferredAmountMismatch(token, account, amount, arrived);
    }
}
