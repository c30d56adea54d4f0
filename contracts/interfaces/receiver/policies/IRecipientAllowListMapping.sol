// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Allowed recipients of fills
/// @notice An entry is an account on a chain: one address may be a treasury on one chain and an attacker's on another.
/// The list is empty at first. The owner can open it to every recipient except zero, for integrators whose users name
/// their own recipients. In a receiver of orders, entries are hashes, and fees and calls need entries too: see
/// `IOrderReceiver`; an open list then allows every recipient. Refunds of an order need no entry: the list does not
/// restrict who is refunded.
interface IRecipientAllowListMapping {
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

    /// @notice Emitted when a recipient is added to the list or removed.
    /// @param chainId The chain the recipient is on.
    /// @param account The recipient.
    /// @param isAllowed Whether it is on the list.
    event RecipientChanged(uint256 indexed chainId, bytes32 indexed account, bool isAllowed);

    /// @notice Emitted when the list is opened to every recipient, or closed again.
    /// @param isOpen Whether every recipient is allowed.
    event RecipientListOpened(bool isOpen);

    /// @notice Adds recipients to the list, or removes them. Only the owner may.
    /// @param recipients The recipients.
    /// @param isAllowed Whether to add them.
    function setRecipients(Recipient[] calldata recipients, bool isAllowed) external;

    /// @notice Opens the list to every recipient, or closes it again; its entries stay. Only the owner may.
    /// @param isOpen Whether every recipient is allowed.
    function setRecipientListOpen(bool isOpen) external;

    /// @notice Whether every recipient is allowed.
    /// @return True while the list is open.
    function isRecipientListOpen() external view returns (bool);

    /// @notice Whether a recipient is on the list, regardless of whether the list is open.
    /// @param chainId The chain the recipient is on.
    /// @param account The recipient.
    /// @return True while it is on the list.
    function isRecipientListed(uint256 chainId, bytes32 account) external view returns (bool);
}
