// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Signatures that move their owners' tokens
/// @notice The signatures that a receiver accepts, and the errors when they are rejected.
interface ISignedPulls {
    /// @notice An ERC-2612 permit of the caller for this contract.
    /// @param value The signed allowance; it may be more than is paid.
    /// @param deadline The last second, in Unix time.
    /// @param r The signature's first word.
    /// @param s The signature's second word.
    /// @param v The signature's recovery id.
    struct Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    /// @notice A Permit2 transfer of exactly the amount to pay, with the `DepositWitness`.
    /// @dev The order of the members gives the functions that take it higher selectors than `depositErc20`, which saves
    /// its callers 22 gas.
    /// @param signature The owner's: 65 or 64 bytes, or the signature format of its ERC-1271 wallet.
    /// @param nonce The owner's nonce at Permit2, used once, in any order.
    /// @param owner Signer and payer.
    /// @param deadline The last second, in Unix time.
    struct Permit2Transfer {
        bytes signature;
        uint256 nonce;
        address owner;
        uint256 deadline;
    }

    /// @notice An ERC-3009 authorization to this contract over exactly the amount to pay. Its nonce is not a member: it
    /// is the hash of the `DepositWitness`.
    /// @param owner Signer and payer.
    /// @param validAfter Valid only later than this second, in Unix time.
    /// @param validBefore Valid only earlier than this second, in Unix time.
    /// @param v The signature's recovery id.
    /// @param r The signature's first word.
    /// @param s The signature's second word.
    struct Authorization {
        address owner;
        uint256 validAfter;
        uint256 validBefore;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice Thrown when the token rejects the permit and the allowance does not cover the amount.
    /// @param token The token.
    /// @param allowance The caller's allowance for this contract.
    /// @param needed The amount to pay.
    /// @param reason The token's revert data, cut to 1,024 bytes.
    error PermitRefused(address token, uint256 allowance, uint256 needed, bytes reason);

    /// @notice Thrown when Permit2 rejects the transfer. The owner did not sign it; it names another spender, witness,
    /// token or amount; it has expired or was used; or Permit2 has no allowance.
    /// @param owner The payer.
    /// @param reason The revert data of Permit2, cut to 1,024 bytes.
    error Permit2TransferRefused(address owner, bytes reason);

    /// @notice Thrown when the token rejects the authorization. The owner did not sign it; it names another payee,
    /// witness or amount; it is outside its time; or it was used or cancelled.
    /// @param token The token.
    /// @param owner The payer.
    /// @param reason The token's revert data, cut to 1,024 bytes.
    error AuthorizationRefused(address token, address owner, bytes reason);
}
