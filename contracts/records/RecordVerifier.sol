// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordVerifier} from "../interfaces/records/IRecordVerifier.sol";
import {Order} from "./Order.sol";
import {SignatureRecord} from "./SignatureRecord.sol";
import {SignatureRecordV2} from "./SignatureRecordV2.sol";

/// @title RecordVerifier
/// @notice The record and order libraries, deployed: stateless, ownerless, view only.
contract RecordVerifier is IRecordVerifier {
    using Order for Order.Data;
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecordV2 for SignatureRecordV2.Record;

    /// @inheritdoc IRecordVerifier
    function hashRecord(
        SignatureRecord.Record calldata record
    ) external pure override returns (bytes32 recordHash, bytes32 digest) {
        return (record.hash(), record.digest());
    }

    /// @inheritdoc IRecordVerifier
    function recoverSigner(
        SignatureRecord.Record calldata record,
        bytes calldata signature
    ) external view override returns (address signer) {
        return record.recover(signature);
    }

    /// @inheritdoc IRecordVerifier
    function hashRecordV2(
        SignatureRecordV2.Record calldata record
    ) external pure override returns (bytes32 recordHash, bytes32 digest) {
        return (record.hash(), record.digest());
    }

    /// @inheritdoc IRecordVerifier
    function recoverSignerV2(
        SignatureRecordV2.Record calldata record,
        bytes calldata signature
    ) external view override returns (address signer) {
        return record.recover(signature);
    }

    /// @inheritdoc IRecordVerifier
    function hashOrder(
        Order.Data calldata order
    ) external pure override returns (bytes32 orderId, bytes32 digest) {
        orderId = order.hash();
        digest = Order.digest(orderId);
    }

    /// @inheritdoc IRecordVerifier
    function recoverOrderSigner(
        Order.Data calldata order,
        bytes calldata orderSignature
    ) external view override returns (address signer) {
        return Order.recover(order.hash(), orderSignature);
    }
}
