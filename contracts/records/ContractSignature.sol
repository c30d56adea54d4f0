// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ISolverSet} from "../interfaces/receiver/policies/ISolverSet.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {SolverSignature} from "./SolverSignature.sol";

/// @title Signatures of keys and of contracts
/// @notice Reads the forms of `ISolverSet`: 65 or 64 bytes are a key's; any other length is a contract's address
/// followed by the signature for its ERC-1271 `isValidSignature`.
library ContractSignature {
    /// @dev `isValidSignature(bytes32,bytes)`; also the required return value, left-aligned.
    bytes4 private constant IS_VALID_SIGNATURE = 0x1626ba7e;

    uint256 private constant ADDRESS_BYTES = 20;

    /// @notice Signer that a signature names. A contract's acceptance is not checked here: `check` does that.
    /// @dev Reverts with `SignatureLengthInvalid` or, of a key's signature, another error of `SolverSignature`.
    /// @param digest The signed digest, Ethereum-message prefix included.
    /// @param signature In one of the forms above.
    /// @return signer The recovered key or the named contract.
    /// @return isOfKey Whether the form is a key's.
    function signerOf(
        bytes32 digest,
        bytes calldata signature
    ) internal view returns (address signer, bool isOfKey) {
        isOfKey = signature.length == 65 || signature.length == 64;
        if (isOfKey) return (SolverSignature.recover(digest, signature), true);
        if (signature.length < ADDRESS_BYTES) {
            revert SolverSignature.SignatureLengthInvalid(signature.length);
        }
        signer = address(bytes20(signature[:ADDRESS_BYTES]));
    }

    /// @notice Reverts with `ContractSignatureRefused` unless `signer` accepts the signature.
    /// @dev Copies one word of return data to scratch space, and no more.
    /// @param signer The contract that `signerOf` returned.
    /// @param digest The signed digest, Ethereum-message prefix included.
    /// @param signature The whole signature, address included.
    function check(address signer, bytes32 digest, bytes calldata signature) internal view {
        bytes memory data = abi.encodeWithSelector(IS_VALID_SIGNATURE, digest, signature[ADDRESS_BYTES:]);
        bool isValid;
        bytes32 expected = IS_VALID_SIGNATURE;
        assembly ("memory-safe") {
            let success := staticcall(gas(), signer, add(data, 0x20), mload(data), 0x00, 0x20)
            isValid := and(success, and(gt(returndatasize(), 0x1f), eq(mload(0x00), expected)))
        }
        if (!isValid) revert ISolverSet.ContractSignatureRefused(signer, BoundedCall.revertReason());
    }
}
