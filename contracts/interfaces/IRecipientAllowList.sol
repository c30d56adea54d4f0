// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Where fills may go
/// @notice What the two recipient allow-lists have in common. A recipient is an account on a chain: the same address may be a
/// treasury on one chain and belong to a stranger on another, so both are listed together.
interface IRecipientAllowList {
    /// @notice An account on a chain.
    /// @param chainId The chain the fill happens on, as the service numbers it.
    /// @param account Who receives it: an EVM address left-padded, or the 32 bytes of an SVM address.
    struct Recipient {
        uint256 chainId;
        bytes32 account;
    }

    /// @notice Thrown when the recipient is not on the list, or is nobody.
    /// @param chainId The chain the fill would happen on.
    /// @param account Who would receive it.
    error RecipientNotAllowed(uint256 chainId, bytes32 account);
}
