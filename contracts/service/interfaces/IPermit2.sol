// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPermit2
/// @notice The part of Permit2 the approval proxies use: one signed transfer of several tokens that also
///         signs a witness, the hash of what the money is for.
interface IPermit2 {
    /// @notice What may be moved of one token.
    /// @param token the token
    /// @param amount the most that may be moved
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @notice What the owner signed.
    /// @param permitted the tokens
    /// @param nonce the owner's nonce, used once, in any order
    /// @param deadline the last second, in Unix time
    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the spender takes of one token.
    /// @param to who gets it
    /// @param requestedAmount how much
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves the owner's tokens as signed.
    /// @param permit what was signed
    /// @param transferDetails what is taken, one per token
    /// @param owner who signed
    /// @param witness the hash that was signed along
    /// @param witnessTypeString the EIP-712 type of the witness, from its member's name on
    /// @param signature the owner's signature
    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
