// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {Signing} from "./Signing.sol";

/// @title RecordSigning
/// @notice Hashes and signs version 1 records; `abi.encode` and the cheatcode are independent of the contracts.
abstract contract RecordSigning is Signing {
    function _recordHash(SignatureRecord.Record memory record) internal pure returns (bytes32) {
        return keccak256(abi.encode(record));
    }

    function _digest(SignatureRecord.Record memory record) internal pure returns (bytes32) {
        return _ethereumMessage(_recordHash(record));
    }
}
