// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {SignedPayments} from "../libraries/SignedPayments.sol";
import {SignedPulls} from "../libraries/SignedPulls.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {DepositPolicies} from "./DepositPolicies.sol";
import {RefundReceiver} from "./RefundReceiver.sol";

/// @title RecordReceiver
/// @notice Every way to pay for a request, with the solver's record rebuilt from the payment and the chain.
/// @dev Each function consumes every id before its first external call that can change state, and measures what
/// each token call moved. A contract completes it with a choice of solvers, a form of refunds, and policies.
abstract contract RecordReceiver is IRecordReceiver, DepositPolicies, RefundReceiver {
    using SignatureRecord for address;

    address private constant NATIVE = address(0);

    /// @dev All ones with `Binding.Caller`, else zero. Selects the bound account without a branch.
    uint256 private immutable _callerMask;

    /// @dev This contract as a word with `Binding.Receiver`, else zero.
    uint256 private immutable _receiverWord;

    /// @notice Fixes whose records are accepted.
    /// @param binding_ Account that records must name as `originUser`.
    constructor(Binding binding_) {
        bool isBoundToCaller = binding_ == Binding.Caller;
        _callerMask = isBoundToCaller ? type(uint256).max : 0;
        _receiverWord = isBoundToCaller ? 0 : uint160(address(this));
    }

    /// @inheritdoc IRecordReceiver
    function deposit(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only external call that can change state, no balance is
        // measured, and that call moves all of this money, so it cannot be taken as money without a request.
        address payee = _accept(
            requestId,
            msg.sender,
            NATIVE,
            msg.value,
            destinationChainId,
            destinationUser,
            signature
        );
        TransferWithId.payNativeWithId(payee, msg.value, requestId);
    }

    /// @inheritdoc IRecordReceiver
    function depositErc20(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external override nonReentrant {
        // Guarded: a token that calls back could let one arrival be measured for two deposits of this receiver.
        address solver = _accept(
            requestId,
            msg.sender,
            token,
            amount,
            destinationChainId,
            destinationUser,
            signature
        );
        _payErc20(token, solver, amount, requestId);
    }

    /// @inheritdoc IRecordReceiver
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit calldata permit
    ) external override nonReentrant {
        address solver = _accept(
            requestId,
            msg.sender,
            token,
            amount,
            destinationChainId,
            destinationUser,
            signature
        );
        SignedPulls.usePermit(token, amount, permit);
        _payErc20(token, solver, amount, requestId);
    }

    /// @inheritdoc IRecordReceiver
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external override nonReentrant {
        address solver = _accept(
            requestId,
            permit.owner,
            token,
            amount,
            destinationChainId,
            destinationUser,
            signature
        );
        bytes32 witness = SignedPulls.witnessOf(requestId, destinationChainId, destinationUser);
        SignedPayments.payWithPermit2(token, solver, amount, requestId, witness, permit);
    }

    /// @inheritdoc IRecordReceiver
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Authorization calldata authorization
    ) external override nonReentrant {
        address solver = _accept(
            requestId,
            authorization.owner,
            token,
            amount,
            destinationChainId,
            destinationUser,
            signature
        );
        bytes32 witness = SignedPulls.witnessOf(requestId, destinationChainId, destinationUser);
        SignedPayments.payWithAuthorization(token, solver, amount, requestId, witness, authorization);
    }

    /// @inheritdoc IRecordReceiver
    function depositAll(Payment[] calldata payments) external payable override nonReentrant {
        if (payments.length == 0) revert BatchIsEmpty();
        uint256 nativeSum;
        // Every id is consumed before the first external call that can change state.
        address[] memory payees = new address[](payments.length);
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == NATIVE) nativeSum += payments[i].amount;
            payees[i] = _accept(
                payments[i].requestId,
                msg.sender,
                payments[i].currency,
                payments[i].amount,
                payments[i].destinationChainId,
                payments[i].destinationUser,
                payments[i].signature
            );
        }
        if (nativeSum != msg.value) revert NativeSumMismatch(nativeSum, msg.value);

        for (uint256 i; i < payments.length; ++i) {
            (address currency, uint256 amount) = (payments[i].currency, payments[i].amount);
            if (currency == NATIVE) TransferWithId.payNativeWithId(payees[i], amount, payments[i].requestId);
            else _payErc20(currency, payees[i], amount, payments[i].requestId);
        }
    }

    /// @inheritdoc IRecordReceiver
    function binding() external view override returns (Binding) {
        return _callerMask == 0 ? Binding.Receiver : Binding.Caller;
    }

    /// @dev First half of every deposit: inputs, replay, effect, authority, policies. Its only external call is a
    /// contract solver's verification, by staticcall. Once it returns, the request counts as paid, so the caller must
    /// pay exactly `amount` or revert. `depositor` is the payer; the account that calls supplies the record.
    function _accept(
        bytes32 requestId,
        address depositor,
        address currency,
        uint256 amount,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) private returns (address payee) {
        if (amount == 0) revert AmountIsZero();
        _consume(requestId, depositor);
        (bytes calldata ofSolver, bytes calldata policyData) = _cut(signature);
        address solver;
        (solver, payee) = _checkSolver(
            _digest(requestId, currency, amount, destinationChainId, destinationUser),
            ofSolver
        );
        _requireAuthorized(_authorize(requestId, depositor, currency, amount, policyData));
        _requireAuthorized(_authorizeRecipient(destinationChainId, destinationUser));

        if (currency == NATIVE) {
            emit NativeDeposited(requestId, depositor, amount);
        } else {
            payee = solver;
            emit Erc20Deposited(requestId, depositor, currency, amount);
        }
    }

    /// @dev Digest of the record that this payment needs.
    function _digest(
        bytes32 requestId,
        address currency,
        uint256 amount,
        uint256 destinationChainId,
        bytes32 destinationUser
    ) private view returns (bytes32) {
        if (destinationChainId > SignatureRecord.MAX_CHAIN_ID) {
            revert RecordOfOtherVersion(destinationChainId, SignatureRecord.MAX_CHAIN_ID);
        }
        return
            SignatureRecord.digestOfFields({
                requestId: requestId,
                originChainId: block.chainid,
                originUser: bytes32((uint160(msg.sender) & _callerMask) | _receiverWord),
                originCurrency: currency.word(),
                originAmount: amount,
                destinationChainId: destinationChainId,
                destinationUser: destinationUser
            });
    }
}
