// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The signed transfer of Permit2 with a witness
/// @notice The one function of Permit2 a receiver calls. Only the spender the owner signed for, its caller, can use one.
interface ISignatureTransfer {
    /// @notice What may be moved.
    /// @param token The token.
    /// @param amount The most that may be moved.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @notice What the owner signed, beside the spender and the witness.
    /// @param permitted What may be moved.
    /// @param nonce The owner's nonce, used once, in any order.
    /// @param deadline The last second, in Unix time.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the spender takes.
    /// @param to Who is paid.
    /// @param requestedAmount How much.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves the owner's tokens as signed.
    /// @param permit What was signed.
    /// @param transferDetails What is taken.
    /// @param owner Who signed.
    /// @param witness The hash that was signed along.
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
