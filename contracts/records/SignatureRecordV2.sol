// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {SolverSignature} from "./SolverSignature.sol";

/// @title The solver's signed record of a payment, version 2
/// @notice The response of `GET /requests/{requestId}/signature/v2`: seven words, encoded and signed as in version 1.
/// It drops `originAmount` and adds `destinationCurrency`.
///
/// WARNING: the amount is not signed. Any holder of the record can pay any amount for it. An attacker could pay one
/// unit and consume a request id before its user pays in full. The receivers take version 1 only.
/// @dev Source: the service's API types, and the order of a public verifier of these records. Addresses are LEFT-padded to a
/// word; an SVM address is its 32 bytes.
library SignatureRecordV2 {
    /// @notice The seven signed fields, in the order they are encoded in.
    /// @param requestId The service's id of the paid request.
    /// @param originChainId The chain the payment is made on.
    /// @param originUser The payer: the `user` of the quote, left-padded.
    /// @param originCurrency The currency paid in, left-padded; zero is the chain's native currency.
    /// @param destinationChainId The chain the fill happens on.
    /// @param destinationUser Recipient of the fill: the `recipient` of the quote.
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

    /// @notice Recovers the signer of `record`.
    /// @param record The record, rebuilt from values the verifier has checked.
    /// @param signature 65 or 64 bytes, low `s`; see `SolverSignature` for rejected forms.
    /// @return signer Never the zero address. Any change to any field yields another address, so the caller compares.
    function recover(Record memory record, bytes calldata signature) internal view returns (address signer) {
        return SolverSignature.recover(digest(record), signature);
    }
}
