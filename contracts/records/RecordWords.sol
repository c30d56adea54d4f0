// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";

/// @title The seven words of a signed record of either version
/// @notice Both versions are seven words, hashed and signed in the same way. The first four words mean the same in both.
library RecordWords {
    /// @notice A record of either version, as it lies in calldata.
    /// @param requestId The service's id of the paid request.
    /// @param originChainId The chain the payment is made on.
    /// @param originUser The payer: the `user` of the quote, left-padded.
    /// @param originCurrency The currency paid in, left-padded; zero is the chain's native currency.
    /// @param fifth Version 1: `originAmount`. Version 2: `destinationChainId`.
    /// @param sixth Version 1: `destinationChainId`. Version 2: `destinationUser`.
    /// @param seventh Version 1: `destinationUser`. Version 2: `destinationCurrency`.
    struct Words {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        bytes32 fifth;
        bytes32 sixth;
        bytes32 seventh;
    }

    /// @dev Seven words.
    uint256 private constant ENCODED_BYTES = 0xe0;

    /// @notice The inner hash of seven words in memory: `keccak256(abi.encode(record))`.
    /// @param position Memory position of the first word. A struct of seven words lies in memory exactly as
    /// `abi.encode` writes it.
    /// @return recordHash The hash before the Ethereum-message prefix.
    function hashAt(uint256 position) internal pure returns (bytes32 recordHash) {
        assembly ("memory-safe") {
            recordHash := keccak256(position, ENCODED_BYTES)
        }
    }

    /// @notice Digest that the solver signs: the Ethereum-message hash of the inner hash.
    /// @param position Memory position of the first of the seven words.
    /// @return The digest to recover from.
    function digestAt(uint256 position) internal pure returns (bytes32) {
        return ECDSA.toEthSignedMessageHash(hashAt(position));
    }

    /// @notice Digest of a record in calldata. Allocates no memory.
    /// @param words The record.
    /// @return The digest to recover from.
    function digestOfCalldata(Words calldata words) internal pure returns (bytes32) {
        bytes32 recordHash;
        // Memory past the free memory pointer may be overwritten.
        assembly ("memory-safe") {
            let position := mload(0x40)
            calldatacopy(position, words, ENCODED_BYTES)
            recordHash := keccak256(position, ENCODED_BYTES)
        }
        return ECDSA.toEthSignedMessageHash(recordHash);
    }

    /// @notice Amount that a record requires.
    /// @param words The record.
    /// @param isV2 Whether it is of version 2, which signs no amount.
    /// @param sent Amount of the payment.
    /// @return The signed amount. For version 2, `sent`: any amount matches.
    function expectedAmount(Words calldata words, bool isV2, uint256 sent) internal pure returns (uint256) {
        return isV2 ? sent : uint256(words.fifth);
    }

    /// @notice Destination of the fill.
    /// @param words The record.
    /// @param isV2 Whether it is of version 2.
    /// @return chainId The chain the fill happens on.
    /// @return user Recipient of the fill.
    function destination(
        Words calldata words,
        bool isV2
    ) internal pure returns (uint256 chainId, bytes32 user) {
        return isV2 ? (uint256(words.fifth), words.sixth) : (uint256(words.sixth), words.seventh);
    }
}
