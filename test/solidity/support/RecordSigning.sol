// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {Test} from "./Test.sol";

/// @title RecordSigning
/// @notice Hashes and signs records without any code of the contracts under test: `abi.encode` and the cheatcode
/// are the witnesses.
abstract contract RecordSigning is Test {
    function _recordHash(SignatureRecord.Record memory record) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    record.requestId,
                    record.originChainId,
                    record.originUser,
                    record.originCurrency,
                    record.originAmount,
                    record.destinationChainId,
                    record.destinationUser
                )
            );
    }

    function _digest(SignatureRecord.Record memory record) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", _recordHash(record)));
    }

    function _sign(uint256 key, SignatureRecord.Record memory record) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, _digest(record));
        return abi.encodePacked(r, s, v);
    }

    function _signCompact(
        uint256 key,
        SignatureRecord.Record memory record
    ) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, _digest(record));
        return abi.encodePacked(r, _yParityAndS(v, s));
    }

    /// @dev ERC-2098: the parity of `y` is the top bit of the word that carries `s`.
    function _yParityAndS(uint8 v, bytes32 s) internal pure returns (bytes32) {
        return bytes32((uint256(v - 27) << 255) | uint256(s));
    }

    /// @dev Who a signature belongs to, by the precompile alone.
    function _recoverPlainly(
        SignatureRecord.Record memory record,
        bytes memory signature
    ) internal pure returns (address) {
        (bytes32 r, bytes32 s, uint8 v) = _split(signature);
        return ecrecover(_digest(record), v, r, s);
    }

    function _split(bytes memory signature) internal pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
