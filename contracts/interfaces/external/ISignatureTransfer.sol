// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The signed transfer of Permit2 with a witness
/// @notice The one function of Permit2 a receiver calls. Only the spender that the owner signed for can use a transfer;
/// that spender is the caller.
interface ISignatureTransfer {
    /// @notice The signed limit.
    /// @param token The token.
    /// @param amount The largest amount that may be moved.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @notice The owner's signed transfer, without the spender and the witness.
    /// @param permitted The signed limit.
    /// @param nonce The owner's nonce, used once, in any order.
    /// @param deadline The last second, in Unix time.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice The spender's transfer.
    /// @param to Recipient.
    /// @param requestedAmount Amount.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves the owner's tokens under the owner's signature.
    /// @param permit The signed transfer.
    /// @param transferDetails Recipient and amount.
    /// @param owner Owner of the tokens; the signer.
    /// @param witness Hash that the owner signed with the transfer.
    /// @param witnessTypeString The EIP-712 type of the witness, from its member's name on.
    /// @param signature The owner's.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
