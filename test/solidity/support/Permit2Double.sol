// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "../../../contracts/interfaces/external/ISignatureTransfer.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

/// @title Permit2Double
/// @notice The function of Permit2 that a receiver calls, with Permit2's domain, types and nonces. The TypeScript tests run
/// the real Permit2.
contract Permit2Double is ISignatureTransfer {
    /// @notice Thrown when the owner did not sign the transfer, or its nonce was used.
    error Refused();

    mapping(address owner => mapping(uint256 nonce => bool isUsed)) private _isUsed;

    /// @inheritdoc ISignatureTransfer
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 digest = hashOf(permit, msg.sender, witness, witnessTypeString);
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (ecrecover(digest, uint8(signature[64]), r, s) != owner) revert Refused();
        if (_isUsed[owner][permit.nonce] || transferDetails.requestedAmount > permit.permitted.amount) {
            revert Refused();
        }
        _isUsed[owner][permit.nonce] = true;
        SafeTransferLib.safeTransferFrom(
            permit.permitted.token,
            owner,
            transferDetails.to,
            transferDetails.requestedAmount
        );
    }

    /// @notice The digest that an owner signs.
    function hashOf(
        PermitTransferFrom calldata permit,
        address spender,
        bytes32 witness,
        string calldata witnessTypeString
    ) public view returns (bytes32 digest) {
        bytes32 typehash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
                witnessTypeString
            )
        );
        bytes32 permitted = keccak256(
            abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), permit.permitted)
        );
        bytes32 structHash = keccak256(
            abi.encode(typehash, permitted, spender, permit.nonce, permit.deadline, witness)
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }
}
