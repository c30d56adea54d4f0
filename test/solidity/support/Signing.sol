// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";

/// @title Signing
/// @notice Digests and signatures made without code of the contracts under test.
abstract contract Signing is Test {
    function _signDigest(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev The 64 bytes of ERC-2098.
    function _signDigestCompact(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, _yParityAndS(v, s));
    }

    /// @dev ERC-2098: the parity of `y` is the top bit of the word that carries `s`.
    function _yParityAndS(uint8 v, bytes32 s) internal pure returns (bytes32) {
        return bytes32((uint256(v - 27) << 255) | uint256(s));
    }

    function _ethereumMessage(bytes32 hash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
    }

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
