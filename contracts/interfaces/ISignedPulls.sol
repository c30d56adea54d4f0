// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title What owners of tokens sign to give them away
/// @notice The signatures a receiver takes, and how it says that one was refused.
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

    /// @notice A Permit2 transfer of exactly the amount that is paid, with the `DepositWitness`.
    /// @param owner Who signed, and who pays.
    /// @param nonce The owner's nonce at Permit2, used once, in any order.
    /// @param deadline The last second, in Unix time.
    /// @param signature The owner's: 65 or 64 bytes, or what an ERC-1271 wallet takes.
    struct Permit2Transfer {
        address owner;
        uint256 nonce;
        uint256 deadline;
        bytes signature;
    }

    /// @notice An ERC-3009 authorization to this contract over exactly the amount that is paid. Its nonce is not given: it
    /// is the hash of the `DepositWitness`.
    /// @param owner Who signed, and who pays.
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

    /// @notice Thrown when the token refuses the permit and the allowance is not there either.
    /// @param token The token in question.
    /// @param allowance What this contract may spend of the caller's.
    /// @param needed What is paid.
    /// @param reason Why the token refused the permit, cut to 1,024 bytes.
    error PermitRefused(address token, uint256 allowance, uint256 needed, bytes reason);

    /// @notice Thrown when Permit2 does not move the money: not signed by the owner, for another spender, witness, token or
    /// amount, expired, used, or no allowance for Permit2.
    /// @param owner Who should have paid.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error Permit2TransferRefused(address owner, bytes reason);

    /// @notice Thrown when the token refuses the authorization: not signed by the owner, for another payee, witness or
    /// amount, outside its time, used or cancelled.
    /// @param token The token in question.
    /// @param owner Who should have paid.
    /// @param reason The token's revert data, cut to 1,024 bytes.
    error AuthorizationRefused(address token, address owner, bytes reason);
}
