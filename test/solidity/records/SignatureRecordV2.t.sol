// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureRecordV2} from "../../../contracts/records/SignatureRecordV2.sol";
import {RecordBehaviour} from "./RecordBehaviour.sol";

/// @title SignatureRecordV2Test
/// @notice The library of version 2 records. The hash names no type, so that the same seven words hash alike in both
/// versions: only receivers tell the versions apart, by the sixth word.
contract SignatureRecordV2Test is RecordBehaviour {
    function testFuzz_HashingLeavesTheRecordOfVersion2AndOtherMemoryAlone(
        SignatureRecordV2.Record memory record,
        bytes memory neighbour
    ) public pure {
        bytes memory before = abi.encode(record, neighbour);
        SignatureRecordV2.digest(record);
        _assertEq(abi.encode(record, neighbour), before);
    }

    function _hash(
        bytes32[7] memory words
    ) internal view override returns (bytes32 recordHash, bytes32 digest) {
        return _verifier.hashRecordV2(_record(words));
    }

    function _recover(
        bytes32[7] memory words,
        bytes memory signature
    ) internal view override returns (address) {
        return _verifier.recoverSignerV2(_record(words), signature);
    }

    function _record(bytes32[7] memory words) private pure returns (SignatureRecordV2.Record memory) {
        return
            SignatureRecordV2.Record({
                requestId: words[0],
                originChainId: uint256(words[1]),
                originUser: words[2],
                originCurrency: words[3],
                destinationChainId: uint256(words[4]),
                destinationUser: words[5],
                destinationCurrency: words[6]
            });
    }
}
