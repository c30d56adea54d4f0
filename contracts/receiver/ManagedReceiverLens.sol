// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IManagedReceiver} from "../interfaces/receiver/IManagedReceiver.sol";
import {IManagedReceiverLens} from "../interfaces/receiver/IManagedReceiverLens.sol";
import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../interfaces/receiver/IRefundReceiver.sol";
import {IDepositPolicies} from "../interfaces/receiver/policies/IDepositPolicies.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";

/// @title ManagedReceiverLens
/// @notice Lists every reason why a managed receiver would reject a payment.
contract ManagedReceiverLens is IManagedReceiverLens {
    using SignatureRecord for address;
    using SignatureRecord for SignatureRecord.Record;

    uint256 private constant MAX_CHAIN_ID = SignatureRecord.MAX_CHAIN_ID;

    /// @dev Six differences of the record, and a consumed request.
    uint256 private constant OWN_REASONS = 7;

    /// @dev Bounds the walk through the policies of an account that is no managed receiver.
    uint256 private constant MAX_POLICIES = 32;

    /// @dev Reasons found so far, the first `count` of `list`.
    struct Reasons {
        bytes[] list;
        uint256 count;
    }

    /// @inheritdoc IManagedReceiverLens
    function validate(
        address receiver,
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes calldata signature
    ) external view override returns (bytes[] memory list) {
        Reasons memory reasons = Reasons(new bytes[](OWN_REASONS + MAX_POLICIES), 0);
        address expectedUser = _isBoundToCaller(receiver) ? payment.depositor : receiver;
        _compare(reasons, payment, record, expectedUser.word());
        if (IRefundReceiver(receiver).depositorOf(record.requestId) != address(0)) {
            _add(
                reasons,
                abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, record.requestId)
            );
        }
        _askPolicies(reasons, receiver, _attempt(payment, record, signature));
        list = reasons.list;
        uint256 count = reasons.count;
        assembly ("memory-safe") {
            mstore(list, count)
        }
    }

    /// @dev Compares the record with the payment and the chain. A receiver rebuilds the record instead, so that a
    /// deposit reverts with an error about the signature.
    function _compare(
        Reasons memory reasons,
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes32 user
    ) private view {
        if (payment.amount == 0) _add(reasons, abi.encodeWithSelector(IRecordReceiver.AmountIsZero.selector));
        if (record.destinationChainId > MAX_CHAIN_ID) {
            bytes4 version = IRecordReceiver.RecordOfOtherVersion.selector;
            _add(reasons, abi.encodeWithSelector(version, record.destinationChainId, MAX_CHAIN_ID));
        }
        bytes32 thisChain = bytes32(block.chainid);
        _equal(reasons, RecordForOtherChain.selector, bytes32(record.originChainId), thisChain);
        _equal(reasons, OriginUserMismatch.selector, record.originUser, user);
        _equal(reasons, CurrencyMismatch.selector, record.originCurrency, payment.currency.word());
        _equal(reasons, AmountMismatch.selector, bytes32(record.originAmount), bytes32(payment.amount));
    }

    /// @dev Each policy is asked in a call of its own, so that a failed check does not hide the next.
    function _askPolicies(
        Reasons memory reasons,
        address receiver,
        IDepositPolicies.Attempt memory attempt
    ) private view {
        for (uint256 i; i < MAX_POLICIES; ++i) {
            (bool isPassed, bytes memory answer) = receiver.staticcall(
                abi.encodeCall(IManagedReceiver.validatePolicy, (i, attempt))
            );
            if (!isPassed) _add(reasons, answer);
            else if (!abi.decode(answer, (bool))) return;
        }
    }

    /// @dev Reads the binding, which also rejects an account without code, or whose fallback accepts any call.
    function _isBoundToCaller(address receiver) private view returns (bool) {
        (bool success, bytes memory answer) = receiver.staticcall(
            abi.encodeCall(IRecordReceiver.binding, ())
        );
        uint256 binding = success && answer.length == 32 ? uint256(bytes32(answer)) : type(uint256).max;
        if (binding > uint256(type(IRecordReceiver.Binding).max)) revert NotManagedReceiver(receiver);
        return binding == uint256(IRecordReceiver.Binding.Caller);
    }

    function _attempt(
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes calldata signature
    ) private pure returns (IDepositPolicies.Attempt memory) {
        return
            IDepositPolicies.Attempt({
                requestId: record.requestId,
                depositor: payment.depositor,
                currency: payment.currency,
                amount: payment.amount,
                destinationChainId: record.destinationChainId,
                destinationUser: record.destinationUser,
                digest: record.digest(),
                signature: signature
            });
    }

    function _equal(Reasons memory reasons, bytes4 reason, bytes32 actual, bytes32 expected) private pure {
        if (actual != expected) _add(reasons, abi.encodeWithSelector(reason, actual, expected));
    }

    function _add(Reasons memory reasons, bytes memory reason) private pure {
        reasons.list[reasons.count++] = reason;
    }
}
