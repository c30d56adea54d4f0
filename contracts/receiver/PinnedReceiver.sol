// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPinnedReceiver} from "../interfaces/receiver/IPinnedReceiver.sol";
import {ConsumedIds} from "../libraries/ConsumedIds.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SolverSignature} from "../records/SolverSignature.sol";
import {RefundForwarder} from "./RefundForwarder.sol";

/// @title PinnedReceiver
/// @notice The gas-minimal validating receiver: immutable, ownerless, one solver.
contract PinnedReceiver is IPinnedReceiver, RefundForwarder {
    using ConsumedIds for mapping(bytes32 => uint256);
    using SignatureRecord for address;

    /// @inheritdoc IPinnedReceiver
    address public immutable override solver;

    /// @inheritdoc IPinnedReceiver
    address public immutable override nativePayee;

    /// @dev All ones with `Binding.Caller`, else zero. Selects the bound account without a branch.
    uint256 private immutable _callerMask;

    /// @dev This contract as a word with `Binding.Receiver`, else zero.
    uint256 private immutable _receiverWord;

    /// @param solver_ The required signer, which also receives token payments.
    /// @param nativePayee_ Recipient of native money: `solver_`, or the service's receiver for that solver.
    /// @param binding_ Account that records must name as `originUser`.
    /// @param refundPayee_ Recipient of money that names no request; zero only with `Binding.Caller`.
    constructor(
        address solver_,
        address nativePayee_,
        Binding binding_,
        address refundPayee_
    ) RefundForwarder(refundPayee_, binding_ == Binding.Caller) {
        if (solver_ == address(0) || nativePayee_ == address(0)) revert AddressIsZero();
        // A deposit to this contract would reach `fallback` as a refund: consumed, and returned to the depositor.
        if (nativePayee_ == address(this)) revert RecipientCannotHold(nativePayee_);
        solver = solver_;
        nativePayee = nativePayee_;
        bool isBoundToCaller = binding_ == Binding.Caller;
        _callerMask = isBoundToCaller ? type(uint256).max : 0;
        _receiverWord = isBoundToCaller ? 0 : uint160(address(this));
    }

    /// @inheritdoc IPinnedReceiver
    function deposit(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only external call, no balance is measured, and that call
        // moves all of this money, so `sweep` cannot take any.
        _consume(
            requestId,
            msg.sender,
            address(0),
            msg.value,
            destinationChainId,
            destinationUser,
            signature
        );
        emit NativeDeposited(requestId, msg.sender, msg.value);

        TransferWithId.payNativeWithId(nativePayee, msg.value, requestId);
    }

    /// @inheritdoc IPinnedReceiver
    function depositErc20(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external override nonReentrant {
        // Guarded: a token that calls back could let one arrival be measured for two deposits of this receiver.
        _consume(requestId, msg.sender, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, msg.sender);

        MeasuredTransfer.transferFromWithId(token, solver, amount, requestId);
    }

    /// @inheritdoc IPinnedReceiver
    function binding() external view override returns (Binding) {
        return _callerMask == 0 ? Binding.Receiver : Binding.Caller;
    }

    /// @dev First half of every deposit: inputs, replay, effect, authority. Makes no external call. Contracts that add
    /// ways to pay start with it. Once it returns, the request counts as paid, so the caller must pay exactly `amount`
    /// or revert. `depositor` is the payer, receives refunds and is not zero; the caller supplies the record.
    function _consume(
        bytes32 requestId,
        address depositor,
        address currency,
        uint256 amount,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) internal {
        if (destinationChainId > SignatureRecord.MAX_CHAIN_ID) {
            revert RecordOfOtherVersion(destinationChainId, SignatureRecord.MAX_CHAIN_ID);
        }
        if (amount == 0) revert AmountIsZero();
        // The effect precedes the signature check, so that one function computes the slot for both.
        if (_depositors.consume(requestId, uint160(depositor)) != 0) revert RequestAlreadyConsumed(requestId);

        bytes32 digest = SignatureRecord.digestOfFields({
            requestId: requestId,
            originChainId: block.chainid,
            originUser: bytes32((uint160(msg.sender) & _callerMask) | _receiverWord),
            originCurrency: currency.word(),
            originAmount: amount,
            destinationChainId: destinationChainId,
            destinationUser: destinationUser
        });
        address recovered = SolverSignature.recover(digest, signature);
        if (recovered != solver) revert RecordNotSignedBySolver(recovered, solver);
    }
}
