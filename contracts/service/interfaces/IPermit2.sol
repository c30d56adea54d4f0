// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ISignatureTransfer} from "../../interfaces/external/ISignatureTransfer.sol";

/// @title IPermit2
/// @notice The part of Permit2 that the approval proxies use: one signed transfer of several tokens with a witness,
/// the hash of the payment's purpose.
interface IPermit2 {
    /// @notice The signed transfer.
    /// @param permitted the tokens
    /// @param nonce the owner's nonce, used once, in any order
    /// @param deadline the last second, in Unix time
    struct PermitBatchTransferFrom {
        ISignatureTransfer.TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Moves the owner's tokens as signed.
    /// @param permit the signed transfer
    /// @param transferDetails recipient and amount, one entry per token
    /// @param owner signer
    /// @param witness the hash that the owner signed with the transfer
    /// @param witnessTypeString the EIP-712 type of the witness, from its member's name on
    /// @param signature the owner's signature
    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        ISignatureTransfer.SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
