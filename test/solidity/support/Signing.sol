// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";

/// @title Signing
/// @notice Digests of EIP-712 made without code of the contracts under test, and the parts of signatures.
abstract contract Signing is Test {
    /// @dev The EIP-712 digest of a struct in a domain with name, version, chain and contract.
    function _typedDigest(
        string memory name,
        address verifier,
        bytes32 structHash
    ) internal view returns (bytes32) {
        bytes32 typehash = keccak256(
            "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        );
        bytes32 domain = keccak256(
            abi.encode(typehash, keccak256(bytes(name)), keccak256("1"), block.chainid, verifier)
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _split(bytes memory signature) internal pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
