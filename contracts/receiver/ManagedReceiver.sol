// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IManagedReceiver} from "../interfaces/receiver/IManagedReceiver.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {RecordWords} from "../records/RecordWords.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../records/SignatureRecordV2.sol";
import {CurrencyLimits} from "./policies/CurrencyLimits.sol";
import {ExpiryCoSignature} from "./policies/ExpiryCoSignature.sol";
import {PausePolicy} from "./policies/PausePolicy.sol";
import {RecipientAllowListMapping} from "./policies/RecipientAllowListMapping.sol";
import {RefundLedger} from "./policies/RefundLedger.sol";
import {SolverSet} from "./policies/SolverSet.sol";
import {TwoStepOwner} from "./policies/TwoStepOwner.sol";
import {RecordChecks} from "./RecordChecks.sol";

/// @title ManagedReceiver
/// @notice The receiver with every policy: its errors name the wrong field, and refunds are credited.
/// @dev The order of the bases is the storage layout: the native limits, pause, co-signer and the list's switch share one slot,
/// so that a deposit reads it cold once.
contract ManagedReceiver is
    IManagedReceiver,
    CurrencyLimits,
    PausePolicy,
    ExpiryCoSignature,
    RecipientAllowListMapping,
    SolverSet,
    RefundLedger
{
    using RecordChecks for RecordWords.Words;
    using RecordWords for RecordWords.Words;
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecordV2 for SignatureRecordV2.Record;

    address private constant NATIVE = address(0);

    /// @dev A `bool`, because reading an enumeration checks its range each time.
    bool private immutable _isBoundToCaller;

    /// @param configuration Initial configuration.
    constructor(
        Configuration memory configuration
    ) TwoStepOwner(configuration.owner) SolverSet(configuration.activationDelay, configuration.solvers) {
        _isBoundToCaller = configuration.binding == Binding.Caller;
        _setCoSigner(configuration.coSigner);
        _setRecipientListOpen(configuration.isRecipientListOpen);
        for (uint256 i; i < configuration.limits.length; ++i) {
            _setCurrencyLimits(configuration.limits[i]);
        }
    }

    /// @inheritdoc IManagedReceiver
    function depositNative(
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only external call and no balance is measured.
        (, address payee) = _acceptV1(msg.sender, NATIVE, msg.value, record, signature, coSignature);
        _forwardNative(payee, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function depositErc20(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external override nonReentrant {
        // Guarded: a token that calls back could let one arrival be measured for two deposits.
        (address solver, ) = _acceptV1(msg.sender, token, amount, record, signature, coSignature);
        _forwardErc20(token, solver, amount, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function depositNativeV2(
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external payable override {
        (, address payee) = _accept(
            msg.sender,
            NATIVE,
            msg.value,
            true,
            record.words(),
            signature,
            coSignature
        );
        _forwardNative(payee, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function depositErc20V2(
        address token,
        uint256 amount,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external override nonReentrant {
        (address solver, ) = _accept(msg.sender, token, amount, true, record.words(), signature, coSignature);
        _forwardErc20(token, solver, amount, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function binding() external view override returns (Binding) {
        return _isBoundToCaller ? Binding.Caller : Binding.Receiver;
    }

    /// @dev Accepts a payment under a version 1 record.
    function _acceptV1(
        address depositor,
        address currency,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) internal returns (address solver, address payee) {
        return _accept(depositor, currency, amount, false, record.words(), signature, coSignature);
    }

    /// @dev All checks of both versions, in order: inputs, policies, authority, replay, effect. Its only external call
    /// is a contract solver's verification, by staticcall. `ManagedReceiverLens` runs the same checks separately, in
    /// this order.
    /// @param depositor The payer, which receives refunds. The caller may differ and supplies the record.
    function _accept(
        address depositor,
        address currency,
        uint256 amount,
        bool isV2,
        RecordWords.Words calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) private returns (address solver, address payee) {
        checkNotPaused();
        record.checkVersion(isV2);
        RecordChecks.checkOriginChain(record.originChainId);
        RecordChecks.checkOriginUser(record.originUser, _isBoundToCaller ? msg.sender : address(this));
        RecordChecks.checkCurrency(record.originCurrency, currency);
        RecordChecks.checkAmount(record.expectedAmount(isV2, amount), amount);
        checkLimits(currency, amount);
        _checkDestination(record, isV2);
        checkDeadline(coSignature.deadline);
        if (isV2) checkAmountExpiry(record.requestId, amount, coSignature);
        else checkExpiry(record.requestId, coSignature);
        (solver, payee) = checkSignature(record.digestOfCalldata(), signature);
        _consume(record.requestId, depositor);
    }

    function _checkDestination(RecordWords.Words calldata record, bool isV2) private view {
        (uint256 chainId, bytes32 recipient) = record.destination(isV2);
        checkRecipient(chainId, recipient);
    }

    function _forwardNative(address payee, bytes32 requestId) private {
        emit NativeDeposited(requestId, msg.sender, msg.value);
        TransferWithId.payNativeWithId(payee, msg.value, requestId);
    }

    /// @dev Second half of a token deposit under the caller's allowance.
    function _forwardErc20(address token, address solver, uint256 amount, bytes32 requestId) internal {
        emit Erc20Deposited(requestId, msg.sender);
        _payErc20(token, solver, amount, requestId);
    }
}
