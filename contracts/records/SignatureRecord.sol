// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {SolverSignature} from "./SolverSignature.sol";

/// @title The solver's signed record of a payment, version 1
/// @notice The response of `GET /requests/{requestId}/signature`: seven words that the solver signed as an Ethereum
/// message over `keccak256(abi.encode(…))`. It fixes the payment of a request and nothing else: no deadline, nonce,
/// verifying contract, destination currency, minimum output or calls. The receiver must enforce these itself.
/// @dev Source: specification, "GET /requests/{requestId}/signature". Addresses are LEFT-padded to a word; an SVM address
/// is its 32 bytes.
library SignatureRecord {
    /// @notice The seven signed fields, in the order they are encoded in.
    /// @param requestId The service's id of the paid request.
    /// @param originChainId The chain the payment is made on.
    /// @param originUser The payer: the `user` of the quote, left-padded.
    /// @param originCurrency The currency paid in, left-padded; zero is the chain's native currency.
    /// @param originAmount Amount of the payment, in the currency's smallest unit.
    /// @param destinationChainId The chain the fill happens on.
    /// @param destinationUser Recipient of the fill: the `recipient` of the quote.
    struct Record {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 originAmount;
        uint256 destinationChainId;
        bytes32 destinationUser;
    }

    /// @notice The highest chain id. The service's chain ids are EVM ones and small ones of its own. Version 2 has an
    /// account where version 1 has a chain id. No key has an account with so many leading zeros, so the value tells the
    /// versions apart, except for recipients that are no keys: the zero address and precompiles.
    uint256 internal constant MAX_CHAIN_ID = type(uint64).max;

    /// @notice The inner hash: `keccak256(abi.encode(record))`.
    /// @param record The record to hash.
    /// @return The hash before the Ethereum-message prefix.
    function hash(Record memory record) internal pure returns (bytes32) {
        return keccak256(abi.encode(record));
    }

    /// @notice Digest that the solver signs: the Ethereum-message hash of the inner hash.
    /// @param record The record to hash.
    /// @return The digest to recover from.
    function digest(Record memory record) internal pure returns (bytes32) {
        return ECDSA.toEthSignedMessageHash(hash(record));
    }

    /// @notice Digest of a record given as separate fields. Allocates no memory, which saves a deposit 80 gas.
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

    /// @notice Recovers the signer of `record`.
    /// @param record The record, rebuilt from values the verifier has checked.
    /// @param signature 65 or 64 bytes, low `s`; see `SolverSignature` for rejected forms.
    /// @return signer Never the zero address. Any change to any field yields another address, so the caller compares.
    function recover(Record memory record, bytes calldata signature) internal view returns (address signer) {
        return SolverSignature.recover(digest(record), signature);
    }

    /// @notice An EVM address, encoded as in records.
    /// @param account A 20-byte address.
    /// @return The address, left-padded with zeros.
    function word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
