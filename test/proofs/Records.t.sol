// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureRecord} from "../../contracts/records/SignatureRecord.sol";
import {SignatureRecordV2} from "../../contracts/records/SignatureRecordV2.sol";
import {Payments} from "./Payments.sol";

/// @title RecordProofs
/// @notice Both versions of the record hash like the ABI encoding of their fields, and records with one digest are equal.
contract RecordProofs is Payments {
    /// @custom:mutant contracts/records/SignatureRecord.sol: bytes32(originAmount), -> bytes32(destinationChainId),
    function check_DigestIsThatOfTheAbiEncoding(SignatureRecord.Record memory record) external pure {
        bytes32 plain = _plainHash(record);
        assert(SignatureRecord.hash(record) == plain);
        assert(SignatureRecord.digest(record) == _ethereumMessage(plain));
        assert(_digestOfFields(record) == _ethereumMessage(plain));
    }

    /// @custom:mutant contracts/records/SignatureRecord.sol: originCurrency,\n            bytes32( -> originUser,\n            bytes32(
    function check_RecordsWithOneDigestAreEqual(
        SignatureRecord.Record memory one,
        SignatureRecord.Record memory other
    ) external pure {
        if (_digestOfFields(one) != _digestOfFields(other)) return;
        assert(
            one.requestId == other.requestId &&
                one.originChainId == other.originChainId &&
                one.originUser == other.originUser &&
                one.originCurrency == other.originCurrency &&
                one.originAmount == other.originAmount &&
                one.destinationChainId == other.destinationChainId &&
                one.destinationUser == other.destinationUser
        );
    }

    /// @custom:mutant contracts/records/SignatureRecordV2.sol: ECDSA.toEthSignedMessageHash(hash(record)) -> hash(record)
    function check_Version2DigestIsThatOfTheAbiEncoding(
        SignatureRecordV2.Record memory record
    ) external pure {
        bytes32 plain = keccak256(
            abi.encode(
                record.requestId,
                record.originChainId,
                record.originUser,
                record.originCurrency,
                record.destinationChainId,
                record.destinationUser,
                record.destinationCurrency
            )
        );
        assert(SignatureRecordV2.hash(record) == plain);
        assert(SignatureRecordV2.digest(record) == _ethereumMessage(plain));
    }

    /// @custom:mutant contracts/records/SignatureRecordV2.sol: return keccak256(abi.encode(record)) -> return keccak256(abi.encode(record.requestId))
    function check_Version2RecordsWithOneDigestAreEqual(
        SignatureRecordV2.Record memory one,
        SignatureRecordV2.Record memory other
    ) external pure {
        if (SignatureRecordV2.digest(one) != SignatureRecordV2.digest(other)) return;
        assert(
            one.requestId == other.requestId &&
                one.originChainId == other.originChainId &&
                one.originUser == other.originUser &&
                one.originCurrency == other.originCurrency &&
                one.destinationChainId == other.destinationChainId &&
                one.destinationUser == other.destinationUser &&
                one.destinationCurrency == other.destinationCurrency
        );
    }

    function _digestOfFields(SignatureRecord.Record memory record) private pure returns (bytes32) {
        return
            SignatureRecord.digestOfFields(
                record.requestId,
                record.originChainId,
                record.originUser,
                record.originCurrency,
                record.originAmount,
                record.destinationChainId,
                record.destinationUser
            );
    }
}
