// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {Order} from "../../records/Order.sol";
import {SignatureRecord} from "../../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../../records/SignatureRecordV2.sol";

/// @title On-chain verification of signed records and orders
/// @notice Recovers the signer of a record or an order, for front ends, auditors and contracts. Takes no money.
///
/// WARNING: both versions of the record are seven words, hashed alike. A signature over a version 1 record is valid for
/// the version 2 record with the same words, and the reverse. Receivers take version 1 only, and tell it apart
/// by the sixth word: see `RecordOfOtherVersion`.
interface IRecordVerifier {
    /// @notice The inner hash and the signed digest of a version 1 record.
    /// @param record The record.
    /// @return recordHash `keccak256(abi.encode(record))`.
    /// @return digest The Ethereum-message hash of `recordHash`.
    function hashRecord(
        SignatureRecord.Record calldata record
    ) external pure returns (bytes32 recordHash, bytes32 digest);

    /// @notice Recovers the signer of a version 1 record. Compare it with the trusted solver: any change to any field
    /// yields another.
    /// @dev Reverts with `SignatureLengthInvalid`, `SignatureSTooHigh` or `SignatureRecoversNobody` of `SolverSignature`.
    /// @param record The record.
    /// @param signature 65 bytes, or the 64 bytes of ERC-2098.
    /// @return signer Never the zero address.
    function recoverSigner(
        SignatureRecord.Record calldata record,
        bytes calldata signature
    ) external view returns (address signer);

    /// @notice The inner hash and the signed digest of a version 2 record.
    /// @param record The record.
    /// @return recordHash `keccak256(abi.encode(record))`.
    /// @return digest The Ethereum-message hash of `recordHash`.
    function hashRecordV2(
        SignatureRecordV2.Record calldata record
    ) external pure returns (bytes32 recordHash, bytes32 digest);

    /// @notice Recovers the signer of a version 2 record, which does NOT sign the amount. Compare it with the trusted
    /// solver: any change to any field yields another.
    /// @dev Reverts with `SignatureLengthInvalid`, `SignatureSTooHigh` or `SignatureRecoversNobody` of `SolverSignature`.
    /// @param record The record.
    /// @param signature 65 bytes, or the 64 bytes of ERC-2098.
    /// @return signer Never the zero address.
    function recoverSignerV2(
        SignatureRecordV2.Record calldata record,
        bytes calldata signature
    ) external view returns (address signer);

    /// @notice The id and the signed digest of an order.
    /// @param order The order.
    /// @return orderId Its EIP-712 `hashStruct`, without a domain.
    /// @return digest The Ethereum-message hash of `orderId`.
    function hashOrder(Order.Data calldata order) external pure returns (bytes32 orderId, bytes32 digest);

    /// @notice Recovers the signer of an order. Compare it with the trusted solver: any change to any member yields
    /// another.
    /// @dev Reverts with `SignatureLengthInvalid`, `SignatureSTooHigh` or `SignatureRecoversNobody` of
    /// `SolverSignature`. Does not check the solver that the order names.
    /// @param order The order.
    /// @param orderSignature 65 bytes, or the 64 bytes of ERC-2098.
    /// @return signer Never the zero address.
    function recoverOrderSigner(
        Order.Data calldata order,
        bytes calldata orderSignature
    ) external view returns (address signer);
}
