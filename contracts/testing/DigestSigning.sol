// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICheats} from "./ICheats.sol";

/// @title DigestSigning
/// @notice Signs digests with a test's keys.
abstract contract DigestSigning {
    /// @dev `address(uint160(uint256(keccak256("hevm cheat code"))))`.
    ICheats internal constant VM = ICheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @notice Signs a digest; 65 bytes.
    function _signDigest(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @notice Signs a digest; the 64 bytes of ERC-2098.
    function _signDigestCompact(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, _yParityAndS(v, s));
    }

    /// @dev ERC-2098: the parity of `y` is the top bit of the word that carries `s`.
    function _yParityAndS(uint8 v, bytes32 s) internal pure returns (bytes32) {
        return bytes32((uint256(v - 27) << 255) | uint256(s));
    }

    /// @notice The Ethereum-message hash of 32 bytes.
    function _ethereumMessage(bytes32 hash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
    }
}
