// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Allowed recipients of fills
/// @notice Members shared by the two recipient allow-lists. An entry is an account on a chain: one address may be a
/// treasury on one chain and an attacker's on another.
interface IRecipientAllowList {
    /// @notice An account on a chain.
    /// @param chainId The chain the fill happens on, as the service numbers it.
    /// @param account Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    struct Recipient {
        uint256 chainId;
        bytes32 account;
    }

    /// @notice Thrown when the recipient is zero or not on the list.
    /// @param chainId The chain the fill would happen on.
    /// @param account Recipient of the fill.
    error RecipientNotAllowed(uint256 chainId, bytes32 account);
}
