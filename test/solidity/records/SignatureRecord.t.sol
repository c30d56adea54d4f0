// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RecordVerifier} from "../../../contracts/records/RecordVerifier.sol";
import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {RecordSigning} from "../support/RecordSigning.sol";

/// @title SignatureRecordTest
/// @notice The record library against `abi.encode`, the precompile and the published production record.
contract SignatureRecordTest is RecordSigning {
    using SignatureRecord for address;

    bytes32 private constant ZORA_HASH = 0x90b6e106cb46dfb411fa528da7f5177ecaf4761f6b7242f00418cc7d4285943c;
    bytes32 private constant ZORA_DIGEST = 0xfa2f5b2353460a1e5d1e7bed44f14c35d9e7ced663d9ac104f758919011384cd;
    address private constant ZORA_SIGNER = 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF;
    bytes private constant ZORA_SIGNATURE =
        hex"4c320680bbb7f4d46892cd93eddf04884d997c8a3dbd8af20ca502e6bf5323a0"
        hex"7bb467f97e290dfd53350683ea494e4fcb02a445ac129d1741a81c12eed066a11b";

    RecordVerifier private _verifier;

    function setUp() public {
        _verifier = new RecordVerifier();
    }

    function test_PublishedProductionRecordRecoversToTheProductionSolver() public view {
        SignatureRecord.Record memory record = _zoraRecord();
        (bytes32 recordHash, bytes32 digest) = _verifier.hashRecord(record);
        _assertEq(recordHash, ZORA_HASH);
        _assertEq(digest, ZORA_DIGEST);
        _assertEq(_verifier.recoverSigner(record, ZORA_SIGNATURE), ZORA_SIGNER);
    }

    function testFuzz_HashIsThatOfTheSevenEncodedFields(SignatureRecord.Record memory record) public view {
        (bytes32 recordHash, ) = _verifier.hashRecord(record);
        _assertEq(recordHash, _recordHash(record));
    }

    function testFuzz_DigestIsTheEthereumMessageOfTheHash(SignatureRecord.Record memory record) public view {
        (, bytes32 digest) = _verifier.hashRecord(record);
        _assertEq(digest, _digest(record));
    }

    function testFuzz_HashingLeavesTheRecordAndOtherMemoryAlone(
        SignatureRecord.Record memory record,
        bytes memory neighbour
    ) public pure {
        bytes memory before = abi.encode(record, neighbour);
        SignatureRecord.digest(record);
        _assertEq(abi.encode(record, neighbour), before);
    }

    function testFuzz_AnyKeyIsRecoveredFromItsLongSignature(
        uint256 seed,
        SignatureRecord.Record memory record
    ) public view {
        uint256 key = _boundKey(seed);
        _assertEq(_verifier.recoverSigner(record, _sign(key, record)), VM.addr(key));
    }

    function testFuzz_AnyKeyIsRecoveredFromItsCompactSignature(
        uint256 seed,
        SignatureRecord.Record memory record
    ) public view {
        uint256 key = _boundKey(seed);
        _assertEq(_verifier.recoverSigner(record, _signCompact(key, record)), VM.addr(key));
    }

    function testFuzz_ChangingAnyOneFieldChangesTheRecoveredSigner(
        uint256 seed,
        SignatureRecord.Record memory record,
        uint256 flips
    ) public view {
        uint256 key = _boundKey(seed);
        bytes memory signature = _sign(key, record);
        bytes memory encoded = abi.encode(record);
        uint256 mask = _bound(flips, 1, type(uint256).max);
        for (uint256 field; field < 7; ++field) {
            SignatureRecord.Record memory changed = _withFieldFlipped(encoded, field, mask);
            _assertNotEq(_recoverOrNobody(changed, signature), VM.addr(key));
        }
    }

    function testFuzz_AddressesArePaddedOnTheLeft(address account) public pure {
        _assertEq(account.word(), abi.decode(abi.encode(account), (bytes32)));
    }

    function _withFieldFlipped(
        bytes memory encoded,
        uint256 field,
        uint256 mask
    ) private pure returns (SignatureRecord.Record memory) {
        bytes memory copy = bytes.concat(encoded);
        assembly ("memory-safe") {
            let word := add(add(copy, 0x20), mul(field, 0x20))
            mstore(word, xor(mload(word), mask))
        }
        return abi.decode(copy, (SignatureRecord.Record));
    }

    /// @dev A changed record may recover to no address; the library then reverts by name.
    function _recoverOrNobody(
        SignatureRecord.Record memory record,
        bytes memory signature
    ) private view returns (address) {
        try _verifier.recoverSigner(record, signature) returns (address signer) {
            return signer;
        } catch (bytes memory reason) {
            _assertEq(reason, abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
            return address(0);
        }
    }

    function _zoraRecord() private pure returns (SignatureRecord.Record memory) {
        bytes32 user = address(0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e).word();
        return
            SignatureRecord.Record({
                requestId: 0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a,
                originChainId: 1,
                originUser: user,
                originCurrency: bytes32(0),
                originAmount: 700_000_000_000_000_000,
                destinationChainId: 7_777_777,
                destinationUser: user
            });
    }
}
