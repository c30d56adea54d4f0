// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RecordVerifier} from "../../../contracts/records/RecordVerifier.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {Signing} from "../support/Signing.sol";

/// @title RecordBehaviour
/// @notice Either version of the record is seven words, in the order of its fields: the hash is that of `abi.encode`, and
/// the signer is the one that the precompile recovers.
abstract contract RecordBehaviour is Signing {
    RecordVerifier internal _verifier;

    function setUp() public {
        _verifier = new RecordVerifier();
    }

    // @spec signature/encoding
    function testFuzz_HashIsThatOfTheSevenEncodedFields(bytes32[7] memory words) public view {
        (bytes32 recordHash, bytes32 digest) = _hash(words);
        _assertEq(recordHash, keccak256(abi.encode(words)));
        _assertEq(digest, _digestOf(words));
    }

    function testFuzz_AnyKeyIsRecoveredFromBothFormsOfItsSignature(
        uint256 seed,
        bytes32[7] memory words
    ) public view {
        uint256 key = _boundKey(seed);
        _assertEq(_recover(words, _signDigest(key, _digestOf(words))), VM.addr(key));
        _assertEq(_recover(words, _signDigestCompact(key, _digestOf(words))), VM.addr(key));
    }

    function testFuzz_ChangingAnyOneFieldChangesTheRecoveredSigner(
        uint256 seed,
        bytes32[7] memory words,
        uint256 flips
    ) public view {
        uint256 key = _boundKey(seed);
        bytes memory signature = _signDigest(key, _digestOf(words));
        bytes32 mask = bytes32(_bound(flips, 1, type(uint256).max));
        for (uint256 field; field < words.length; ++field) {
            words[field] ^= mask;
            _assertNotEq(_recoverOrZero(words, signature), VM.addr(key));
            words[field] ^= mask;
        }
    }

    /// @dev The verifier's hash and digest of a record with these words as its fields.
    function _hash(
        bytes32[7] memory words
    ) internal view virtual returns (bytes32 recordHash, bytes32 digest);

    /// @dev Makes no external call but the verifier's, so that its revert can be expected.
    function _recover(
        bytes32[7] memory words,
        bytes memory signature
    ) internal view virtual returns (address);

    function _digestOf(bytes32[7] memory words) private pure returns (bytes32) {
        return _ethereumMessage(keccak256(abi.encode(words)));
    }

    /// @notice External, so that a revert can be caught.
    function recover(bytes32[7] memory words, bytes memory signature) external view returns (address) {
        return _recover(words, signature);
    }

    /// @dev The signature of another record may recover to no address; the library then reverts.
    function _recoverOrZero(bytes32[7] memory words, bytes memory signature) private view returns (address) {
        try this.recover(words, signature) returns (address signer) {
            return signer;
        } catch (bytes memory reason) {
            _assertEq(reason, abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
            return address(0);
        }
    }
}
