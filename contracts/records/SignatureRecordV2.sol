// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {RecordWords} from "./RecordWords.sol";
import {SolverSignature} from "./SolverSignature.sol";

/// @title The solver's signed record of a payment, version 2
/// @notice What `GET /requests/{requestId}/signature/v2` returns: seven words, encoded and signed as version 1 is. Against
/// version 1 it drops `originAmount` and adds `destinationCurrency`.
///
/// WARNING: the amount is not signed. Whoever holds the record can pay any amount for it, and by paying one unit spend a
/// request id that somebody else was about to pay in full. A receiver of these records must bound the amount itself.
/// @dev Source: the service's API types, and the order of a public verifier of these records. Addresses are LEFT-padded to a
/// word; an SVM address is its 32 bytes.
library SignatureRecordV2 {
    /// @notice The seven signed fields, in the order they are encoded in.
    /// @param requestId The service's id of the request that is paid for.
    /// @param originChainId The chain the payment is made on.
    /// @param originUser Who pays: the `user` of the quote, left-padded.
    /// @param originCurrency The currency paid in, left-padded; zero is the chain's native currency.
    /// @param destinationChainId The chain the fill happens on.
    /// @param destinationUser Who receives the fill: the `recipient` of the quote.
    /// @param destinationCurrency The currency the fill is made in.
    struct Record {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes32 destinationCurrency;
    }

    /// @notice The inner hash: `keccak256(abi.encode(record))`.
    /// @param record The record to hash.
    /// @return recordHash The hash before the Ethereum-message prefix.
    function hash(Record memory record) internal pure returns (bytes32 recordHash) {
        return RecordWords.hashAt(_positionOf(record));
    }

    /// @notice What the solver's key signed: the Ethereum-message hash of the inner hash.
    /// @param record The record to hash.
    /// @return The digest to recover from.
    function digest(Record memory record) internal pure returns (bytes32) {
        return RecordWords.digestAt(_positionOf(record));
    }

    /// @notice A record in calldata, as its seven words.
    /// @param record The record.
    /// @return record_ The same place in calldata.
    function words(Record calldata record) internal pure returns (RecordWords.Words calldata record_) {
        assembly ("memory-safe") {
            record_ := record
        }
    }

    /// @notice Recovers who signed `record`.
    /// @param record The record as the verifier knows it to be true.
    /// @param signature 65 or 64 bytes, low `s`; see `SolverSignature` for what is refused.
    /// @return signer Never the zero address. Any change to any field yields another address, so the caller compares.
    function recover(Record memory record, bytes calldata signature) internal view returns (address signer) {
        return SolverSignature.recover(digest(record), signature);
    }

    function _positionOf(Record memory record) private pure returns (uint256 position) {
        assembly ("memory-safe") {
            position := record
        }
    }
}
