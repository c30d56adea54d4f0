// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {RecordWords} from "./RecordWords.sol";
import {SolverSignature} from "./SolverSignature.sol";

/// @title The solver's signed record of a payment, version 1
/// @notice What `GET /requests/{requestId}/signature` returns: seven words that the solver signed as an Ethereum message
/// over `keccak256(abi.encode(…))`. It says which payment a request expects, and nothing else: no deadline, no nonce, no
/// verifying contract, no destination currency, no minimum output and no calls are signed. What is not signed is the
/// receiver's to enforce.
/// @dev Source: specification, "GET /requests/{requestId}/signature". Addresses are LEFT-padded to a word; an SVM address
/// is its 32 bytes.
library SignatureRecord {
    /// @notice The seven signed fields, in the order they are encoded in.
    /// @param requestId The service's id of the request that is paid for.
    /// @param originChainId The chain the payment is made on.
    /// @param originUser Who pays: the `user` of the quote, left-padded.
    /// @param originCurrency The currency paid in, left-padded; zero is the chain's native currency.
    /// @param originAmount How much is paid, in the currency's smallest unit.
    /// @param destinationChainId The chain the fill happens on.
    /// @param destinationUser Who receives the fill: the `recipient` of the quote.
    struct Record {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 originAmount;
        uint256 destinationChainId;
        bytes32 destinationUser;
    }

    /// @notice The highest chain id there is. The service's chain ids are EVM ones and small ones of its own. Where version 1 has
    /// one, version 2 has an account, and none with so many leading zeros has a key: so the versions are told apart.
    uint256 internal constant MAX_CHAIN_ID = type(uint64).max;

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

    /// @notice The same for fields that are at hand one by one, without keeping memory for them.
    /// @param requestId As in `Record`.
    /// @param originChainId As in `Record`.
    /// @param originUser As in `Record`.
    /// @param originCurrency As in `Record`.
    /// @param originAmount As in `Record`.
    /// @param destinationChainId As in `Record`.
    /// @param destinationUser As in `Record`.
    /// @return The digest to recover from.
    function digestOfFields(
        bytes32 requestId,
        uint256 originChainId,
        bytes32 originUser,
        bytes32 originCurrency,
        uint256 originAmount,
        uint256 destinationChainId,
        bytes32 destinationUser
    ) internal pure returns (bytes32) {
        bytes32 recordHash = EfficientHashLib.hash(
            requestId,
            bytes32(originChainId),
            originUser,
            originCurrency,
            bytes32(originAmount),
            bytes32(destinationChainId),
            destinationUser
        );
        return ECDSA.toEthSignedMessageHash(recordHash);
    }

    /// @notice Recovers who signed `record`.
    /// @param record The record as the verifier knows it to be true.
    /// @param signature 65 or 64 bytes, low `s`; see `SolverSignature` for what is refused.
    /// @return signer Never the zero address. Any change to any field yields another address, so the caller compares.
    function recover(Record memory record, bytes calldata signature) internal view returns (address signer) {
        return SolverSignature.recover(digest(record), signature);
    }

    /// @notice An EVM address as records carry it.
    /// @param account A 20-byte address.
    /// @return The address, left-padded with zeros.
    function word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function _positionOf(Record memory record) private pure returns (uint256 position) {
        assembly ("memory-safe") {
            position := record
        }
    }
}
