// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RecordVerifier} from "../../../contracts/records/RecordVerifier.sol";
import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {SignatureRecordV2} from "../../../contracts/records/SignatureRecordV2.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {RecordSigning} from "../support/RecordSigning.sol";

/// @title SignatureRecordV2Test
/// @notice The library of version 2 records against `abi.encode` and the cheatcode.
contract SignatureRecordV2Test is RecordSigning {
    RecordVerifier private _verifier;

    function setUp() public {
        _verifier = new RecordVerifier();
    }

    function testFuzz_HashIsThatOfTheSevenEncodedFields(SignatureRecordV2.Record memory record) public view {
        (bytes32 recordHash, bytes32 digest) = _verifier.hashRecordV2(record);
        _assertEq(recordHash, _hashOf(record));
        _assertEq(digest, _digestOf(record));
    }

    function testFuzz_HashingLeavesTheRecordAndOtherMemoryAlone(
        SignatureRecordV2.Record memory record,
        bytes memory neighbour
    ) public pure {
        bytes memory before = abi.encode(record, neighbour);
        SignatureRecordV2.digest(record);
        _assertEq(abi.encode(record, neighbour), before);
    }

    function testFuzz_AnyKeyIsRecoveredFromBothFormsOfItsSignature(
        uint256 seed,
        SignatureRecordV2.Record memory record
    ) public view {
        uint256 key = _boundKey(seed);
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, _digestOf(record));
        _assertEq(_verifier.recoverSignerV2(record, abi.encodePacked(r, s, v)), VM.addr(key));
        bytes memory compact = abi.encodePacked(r, _yParityAndS(v, s));
        _assertEq(_verifier.recoverSignerV2(record, compact), VM.addr(key));
    }

    function testFuzz_ChangingAnyOneFieldChangesTheRecoveredSigner(
        uint256 seed,
        SignatureRecordV2.Record memory record,
        uint256 flips
    ) public view {
        uint256 key = _boundKey(seed);
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, _digestOf(record));
        bytes memory signature = abi.encodePacked(r, s, v);
        uint256 mask = _bound(flips, 1, type(uint256).max);
        for (uint256 field; field < 7; ++field) {
            bytes memory encoded = abi.encode(record);
            assembly ("memory-safe") {
                let word := add(add(encoded, 0x20), mul(field, 0x20))
                mstore(word, xor(mload(word), mask))
            }
            SignatureRecordV2.Record memory changed = abi.decode(encoded, (SignatureRecordV2.Record));
            _assertNotEq(_recoverOrNobody(changed, signature), VM.addr(key));
        }
    }

    /// @notice The hash has no type: only receivers, by the sixth word, tell the versions apart.
    function testFuzz_SameSevenWordsHashAlikeInBothVersions(bytes32[7] memory words) public view {
        bytes memory encoded = abi.encode(words);
        (bytes32 hashV1, bytes32 digestV1) = _verifier.hashRecord(
            abi.decode(encoded, (SignatureRecord.Record))
        );
        (bytes32 hashV2, bytes32 digestV2) = _verifier.hashRecordV2(
            abi.decode(encoded, (SignatureRecordV2.Record))
        );
        _assertEq(hashV1, hashV2);
        _assertEq(digestV1, digestV2);
    }

    function testFuzz_RevertWhen_SignatureIsMirroredToHighS(
        uint256 seed,
        SignatureRecordV2.Record memory record
    ) public {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(_boundKey(seed), _digestOf(record));
        bytes32 mirrored = bytes32(CURVE_ORDER - uint256(s));
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, mirrored));
        _verifier.recoverSignerV2(record, abi.encodePacked(r, mirrored, v ^ 7));
    }

    function testFuzz_RevertWhen_SignatureHasAnotherLength(
        SignatureRecordV2.Record memory record,
        bytes memory signature
    ) public {
        VM.assume(signature.length != 64 && signature.length != 65);
        VM.expectRevert(
            abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, signature.length)
        );
        _verifier.recoverSignerV2(record, signature);
    }

    function _recoverOrNobody(
        SignatureRecordV2.Record memory record,
        bytes memory signature
    ) private view returns (address) {
        try _verifier.recoverSignerV2(record, signature) returns (address signer) {
            return signer;
        } catch (bytes memory reason) {
            _assertEq(reason, abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
            return address(0);
        }
    }

    function _digestOf(SignatureRecordV2.Record memory record) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", _hashOf(record)));
    }

    function _hashOf(SignatureRecordV2.Record memory record) private pure returns (bytes32) {
        return
            keccak256(
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
    }
}
