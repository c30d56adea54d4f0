// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ICurrencyLimits} from "../interfaces/receiver/policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "../interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IManagedReceiver} from "../interfaces/receiver/IManagedReceiver.sol";
import {IManagedReceiverLens} from "../interfaces/receiver/IManagedReceiverLens.sol";
import {IPausePolicy} from "../interfaces/receiver/policies/IPausePolicy.sol";
import {IRecipientAllowListMapping} from "../interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {IRefundLedger} from "../interfaces/receiver/policies/IRefundLedger.sol";
import {ISolverSet} from "../interfaces/receiver/policies/ISolverSet.sol";
import {RecordWords} from "../records/RecordWords.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../records/SignatureRecordV2.sol";
import {RecordChecks} from "./RecordChecks.sol";

/// @title ManagedReceiverLens
/// @notice Lists every reason why a managed receiver would reject a payment.
contract ManagedReceiverLens is IManagedReceiverLens {
    using RecordWords for RecordWords.Words;
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecordV2 for SignatureRecordV2.Record;

    /// @dev One check: a view function that reverts with its reason.
    struct Check {
        address target;
        bytes data;
    }

    /// @inheritdoc IManagedReceiverLens
    function validate(
        address receiver,
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external view override returns (bytes[] memory reasons) {
        return _reasonsOf(_checks(receiver, payment, false, record.words(), signature, coSignature));
    }

    /// @inheritdoc IManagedReceiverLens
    function validateV2(
        address receiver,
        Payment calldata payment,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external view override returns (bytes[] memory reasons) {
        return _reasonsOf(_checks(receiver, payment, true, record.words(), signature, coSignature));
    }

    /// @inheritdoc IManagedReceiverLens
    function checkOriginChain(uint256 originChainId) external view override {
        RecordChecks.checkOriginChain(originChainId);
    }

    /// @inheritdoc IManagedReceiverLens
    function checkVersion(RecordWords.Words calldata record, bool isV2) external pure override {
        RecordChecks.checkVersion(record, isV2);
    }

    /// @inheritdoc IManagedReceiverLens
    function checkOriginUser(bytes32 originUser, address expectedUser) external pure override {
        RecordChecks.checkOriginUser(originUser, expectedUser);
    }

    /// @inheritdoc IManagedReceiverLens
    function checkCurrency(bytes32 originCurrency, address sentCurrency) external pure override {
        RecordChecks.checkCurrency(originCurrency, sentCurrency);
    }

    /// @inheritdoc IManagedReceiverLens
    function checkAmount(uint256 expected, uint256 sent) external pure override {
        RecordChecks.checkAmount(expected, sent);
    }

    /// @dev The checks of `ManagedReceiver._accept`, in its order.
    /// `test/solidity/receiver/managed/ManagedReceiverLens.t.sol` compares the two lists.
    function _checks(
        address receiver,
        Payment calldata payment,
        bool isV2,
        RecordWords.Words calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) private view returns (Check[] memory checks) {
        checks = new Check[](12);
        checks[0] = Check(receiver, abi.encodeCall(IPausePolicy.checkNotPaused, ()));
        checks[1] = _own(abi.encodeCall(this.checkVersion, (record, isV2)));
        checks[2] = _own(abi.encodeCall(this.checkOriginChain, (record.originChainId)));
        checks[3] = _own(_originUserCheck(receiver, payment.depositor, record.originUser));
        checks[4] = _own(abi.encodeCall(this.checkCurrency, (record.originCurrency, payment.currency)));
        checks[5] = _own(_amountCheck(record, isV2, payment.amount));
        checks[6] = Check(
            receiver,
            abi.encodeCall(ICurrencyLimits.checkLimits, (payment.currency, payment.amount))
        );
        checks[7] = Check(receiver, _recipientCheck(record, isV2));
        checks[8] = Check(receiver, abi.encodeCall(IExpiryCoSignature.checkDeadline, (coSignature.deadline)));
        checks[9] = Check(receiver, _expiryCheck(record.requestId, isV2, payment.amount, coSignature));
        checks[10] = Check(
            receiver,
            abi.encodeCall(ISolverSet.checkSignature, (record.digestOfCalldata(), signature))
        );
        checks[11] = Check(receiver, abi.encodeCall(IRefundLedger.checkNotConsumed, (record.requestId)));
    }

    /// @dev Each check is a separate call, so that a failed one does not hide the next.
    function _reasonsOf(Check[] memory checks) private view returns (bytes[] memory reasons) {
        reasons = new bytes[](checks.length);
        uint256 count;
        for (uint256 i; i < checks.length; ++i) {
            (bool isPassed, bytes memory reason) = checks[i].target.staticcall(checks[i].data);
            if (!isPassed) reasons[count++] = reason;
        }
        assembly ("memory-safe") {
            mstore(reasons, count)
        }
    }

    function _own(bytes memory data) private view returns (Check memory) {
        return Check(address(this), data);
    }

    /// @dev Reads the binding first: an account without code, or whose fallback accepts any call, would pass every
    /// check.
    function _originUserCheck(
        address receiver,
        address depositor,
        bytes32 originUser
    ) private view returns (bytes memory) {
        (bool success, bytes memory answer) = receiver.staticcall(
            abi.encodeCall(IManagedReceiver.binding, ())
        );
        uint256 binding = success && answer.length == 32 ? uint256(bytes32(answer)) : type(uint256).max;
        if (binding > uint256(type(IRecordReceiver.Binding).max)) revert NotManagedReceiver(receiver);

        bool isBoundToCaller = binding == uint256(IRecordReceiver.Binding.Caller);
        return abi.encodeCall(this.checkOriginUser, (originUser, isBoundToCaller ? depositor : receiver));
    }

    function _amountCheck(
        RecordWords.Words calldata record,
        bool isV2,
        uint256 sent
    ) private view returns (bytes memory) {
        return abi.encodeCall(this.checkAmount, (record.expectedAmount(isV2, sent), sent));
    }

    function _recipientCheck(
        RecordWords.Words calldata record,
        bool isV2
    ) private pure returns (bytes memory) {
        (uint256 chainId, bytes32 recipient) = record.destination(isV2);
        return abi.encodeCall(IRecipientAllowListMapping.checkRecipient, (chainId, recipient));
    }

    function _expiryCheck(
        bytes32 requestId,
        bool isV2,
        uint256 amount,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) private pure returns (bytes memory) {
        return
            isV2
                ? abi.encodeCall(IExpiryCoSignature.checkAmountExpiry, (requestId, amount, coSignature))
                : abi.encodeCall(IExpiryCoSignature.checkExpiry, (requestId, coSignature));
    }
}
