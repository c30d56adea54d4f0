// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IManagedReceiver} from "../interfaces/receiver/IManagedReceiver.sol";
import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {RecordWords} from "../records/RecordWords.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";

/// @title Checks of a record that precede any policy
/// @notice Compares a record with the payment and the chain. `ManagedReceiver` runs these in a deposit;
/// `ManagedReceiverLens` runs each separately.
library RecordChecks {
    using RecordWords for RecordWords.Words;
    using SignatureRecord for address;

    uint256 private constant MAX_CHAIN_ID = SignatureRecord.MAX_CHAIN_ID;

    /// @notice Reverts with `RecordOfOtherVersion` if the record can only be of the other version.
    /// @param record The record.
    /// @param isV2 Whether version 2 is expected.
    function checkVersion(RecordWords.Words calldata record, bool isV2) internal pure {
        // The same word in both versions: a chain id in version 1, an account in version 2.
        uint256 word = uint256(record.sixth);
        if ((word > MAX_CHAIN_ID) != isV2) revert IRecordReceiver.RecordOfOtherVersion(word, MAX_CHAIN_ID);
    }

    /// @notice Reverts with `RecordForOtherChain` unless the record is for this chain.
    /// @param originChainId The chain of the record.
    function checkOriginChain(uint256 originChainId) internal view {
        if (originChainId != block.chainid) {
            revert IManagedReceiver.RecordForOtherChain(originChainId, block.chainid);
        }
    }

    /// @notice Reverts with `OriginUserMismatch` unless the record names the expected user.
    /// @param originUser The user of the record.
    /// @param expectedUser The receiver or the caller, by the receiver's `binding`.
    function checkOriginUser(bytes32 originUser, address expectedUser) internal pure {
        bytes32 expected = expectedUser.word();
        if (originUser != expected) revert IManagedReceiver.OriginUserMismatch(originUser, expected);
    }

    /// @notice Reverts with `CurrencyMismatch` unless the payment is in the record's currency.
    /// @param originCurrency The currency of the record.
    /// @param sentCurrency The currency of the payment; zero is the chain's native currency.
    function checkCurrency(bytes32 originCurrency, address sentCurrency) internal pure {
        bytes32 sent = sentCurrency.word();
        if (originCurrency != sent) revert IManagedReceiver.CurrencyMismatch(originCurrency, sent);
    }

    /// @notice Reverts with `AmountMismatch` unless the amounts are equal, and with `AmountIsZero` if both are zero.
    /// @param expected The amount of the record.
    /// @param sent The amount of the payment.
    function checkAmount(uint256 expected, uint256 sent) internal pure {
        if (sent != expected) revert IManagedReceiver.AmountMismatch(expected, sent);
        if (sent == 0) revert IRecordReceiver.AmountIsZero();
    }
}
