// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";

/// @title Recovery of the solver's signatures
/// @notice Accepts the 65-byte form `r ‖ s ‖ v` and the 64-byte form of ERC-2098 `r ‖ (parity ‖ s)`. Both must have `s`
/// in the lower half of the curve order, so that each digest has one signature per signer and form.
/// @dev Never use a signature's bytes as an identity: even a low-s signature has two forms. Count by request id or
/// digest.
library SolverSignature {
    /// @notice Thrown when a signature is neither 65 nor 64 bytes long.
    /// @param length Its length in bytes.
    error SignatureLengthInvalid(uint256 length);

    /// @notice Thrown when `s` lies in the upper half of the curve order. Any account can mirror a valid signature into
    /// that half.
    /// @param s The offending value; the limit is `MAX_S`.
    error SignatureSTooHigh(bytes32 s);

    /// @notice Thrown when recovery has no result: no key can have made the signature.
    error SignatureRecoversNobody();

    /// @dev Half the order of secp256k1, rounded down (EIP-2).
    bytes32 internal constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @dev ERC-2098 keeps the parity of `y` in the top bit of the second word.
    bytes32 internal constant COMPACT_S_MASK = bytes32(type(uint256).max >> 1);

    /// @notice Recovers the signer of `digest`.
    /// @param digest The signed digest, Ethereum-message prefix included.
    /// @param signature 65 or 64 bytes.
    /// @return signer Never the zero address.
    function recover(bytes32 digest, bytes calldata signature) internal view returns (address signer) {
        (bytes32 r, bytes32 s, uint8 v) = _parse(signature);
        if (s > MAX_S) revert SignatureSTooHigh(s);

        signer = ECDSA.tryRecover(digest, v, r, s);
        if (signer == address(0)) revert SignatureRecoversNobody();
    }

    /// @dev Reads either form. Recovery rejects a `v` other than 27 and 28.
    function _parse(bytes calldata signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly ("memory-safe") {
            // May read past the calldata; the length checks below reject that case.
            r := calldataload(signature.offset)
            s := calldataload(add(signature.offset, 0x20))
        }
        if (signature.length == 65) {
            assembly ("memory-safe") {
                v := byte(0, calldataload(add(signature.offset, 0x40)))
            }
        } else if (signature.length == 64) {
            v = uint8(27 + (uint256(s) >> 255));
            s &= COMPACT_S_MASK;
        } else {
            revert SignatureLengthInvalid(signature.length);
        }
    }
}
