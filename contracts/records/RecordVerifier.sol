// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordVerifier} from "../interfaces/IRecordVerifier.sol";
import {SignatureRecord} from "./SignatureRecord.sol";

/// @title RecordVerifier
/// @notice The record library, deployed: stateless, ownerless, view only.
contract RecordVerifier is IRecordVerifier {
    using SignatureRecord for SignatureRecord.Record;

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
}
