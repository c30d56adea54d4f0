// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";

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

    /// @dev Seven words.
    uint256 private constant ENCODED_BYTES = 0xe0;

    /// @notice The inner hash: `keccak256(abi.encode(record))`.
    /// @param record The record to hash.
    /// @return recordHash The hash before the Ethereum-message prefix.
    function hash(Record memory record) internal pure returns (bytes32 recordHash) {
        // In memory the struct lies exactly as `abi.encode` would write it: seven full words, no offsets.
        assembly ("memory-safe") {
            recordHash := keccak256(record, ENCODED_BYTES)
        }
    }

    /// @notice What the solver's key signed: the Ethereum-message hash of the inner hash.
    /// @param record The record to hash.
    /// @return The digest to recover from.
    function digest(Record memory record) internal pure returns (bytes32) {
        return ECDSA.toEthSignedMessageHash(hash(record));
    }

    /// @notice The same for a record in calldata, without building it in memory.
    /// @param record The record to hash.
    /// @return The digest to recover from.
    function digestOfCalldata(Record calldata record) internal pure returns (bytes32) {
        bytes32 recordHash;
        // Calldata holds the struct as memory does. What is written lies behind the free memory pointer and may be overwritten.
        assembly ("memory-safe") {
            let words := mload(0x40)
            calldatacopy(words, record, ENCODED_BYTES)
            recordHash := keccak256(words, ENCODED_BYTES)
        }
        return ECDSA.toEthSignedMessageHash(recordHash);
    }
}
