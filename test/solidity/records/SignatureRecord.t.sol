// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {RecordBehaviour} from "./RecordBehaviour.sol";

/// @title SignatureRecordTest
/// @notice The library of version 1 records, also against the published production record.
contract SignatureRecordTest is RecordBehaviour {
    using SignatureRecord for address;

    bytes32 private constant ZORA_HASH = 0x90b6e106cb46dfb411fa528da7f5177ecaf4761f6b7242f00418cc7d4285943c;
    bytes32 private constant ZORA_DIGEST = 0xfa2f5b2353460a1e5d1e7bed44f14c35d9e7ced663d9ac104f758919011384cd;
    address private constant ZORA_SIGNER = 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF;
    bytes private constant ZORA_SIGNATURE =
        hex"4c320680bbb7f4d46892cd93eddf04884d997c8a3dbd8af20ca502e6bf5323a0"
        hex"7bb467f97e290dfd53350683ea494e4fcb02a445ac129d1741a81c12eed066a11b";

    // @spec signature/on-chain signature/signer
    function test_PublishedProductionRecordRecoversToTheProductionSolver() public view {
        bytes32 user = address(0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e).word();
        SignatureRecord.Record memory record = SignatureRecord.Record({
            requestId: 0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a,
            originChainId: 1,
            originUser: user,
            originCurrency: bytes32(0),
            originAmount: 700_000_000_000_000_000,
            destinationChainId: 7_777_777,
            destinationUser: user
        });
        (bytes32 recordHash, bytes32 digest) = _verifier.hashRecord(record);
        _assertEq(recordHash, ZORA_HASH);
        _assertEq(digest, ZORA_DIGEST);
        _assertEq(_verifier.recoverSigner(record, ZORA_SIGNATURE), ZORA_SIGNER);
    }

    function testFuzz_HashingLeavesTheRecordAndOtherMemoryAlone(
        SignatureRecord.Record memory record,
        bytes memory neighbour
    ) public pure {
        bytes memory before = abi.encode(record, neighbour);
        SignatureRecord.digest(record);
        _assertEq(abi.encode(record, neighbour), before);
    }

    function testFuzz_AddressesArePaddedOnTheLeft(address account) public pure {
        _assertEq(account.word(), abi.decode(abi.encode(account), (bytes32)));
    }

    function _hash(
        bytes32[7] memory words
    ) internal view override returns (bytes32 recordHash, bytes32 digest) {
        return _verifier.hashRecord(_record(words));
    }

    function _recover(
        bytes32[7] memory words,
        bytes memory signature
    ) internal view override returns (address) {
        return _verifier.recoverSigner(_record(words), signature);
    }

    function _record(bytes32[7] memory words) private pure returns (SignatureRecord.Record memory) {
        return
            SignatureRecord.Record({
                requestId: words[0],
                originChainId: uint256(words[1]),
                originUser: words[2],
                originCurrency: words[3],
                originAmount: uint256(words[4]),
                destinationChainId: uint256(words[5]),
                destinationUser: words[6]
            });
    }
}
