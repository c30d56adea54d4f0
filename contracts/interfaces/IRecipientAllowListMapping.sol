// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRecipientAllowList} from "./IRecipientAllowList.sol";

/// @title A recipient allow-list in storage
/// @notice For lists that change one by one. Nobody is on it at first. The owner can open the list, after which every
/// recipient but the zero one is allowed: for integrators whose users name their own recipients.
interface IRecipientAllowListMapping is IRecipientAllowList {
    /// @notice Emitted when a recipient comes onto the list or leaves it.
    /// @param chainId The chain the recipient is on.
    /// @param account The recipient.
    /// @param isAllowed Whether it is on the list from now on.
    event RecipientChanged(uint256 indexed chainId, bytes32 indexed account, bool isAllowed);

    /// @notice Emitted when the list is opened to everybody, or closed again.
    /// @param isOpen Whether every recipient is allowed from now on.
    event RecipientListOpened(bool isOpen);

    /// @notice Puts recipients on the list, or takes them off. Only the owner may.
    /// @param recipients Whom.
    /// @param isAllowed Whether they are on the list from now on.
    function setRecipients(Recipient[] calldata recipients, bool isAllowed) external;

    /// @notice Opens the list to everybody, or closes it again; who is on it does not change. Only the owner may.
    /// @param isOpen Whether every recipient is allowed from now on.
    function setRecipientListOpen(bool isOpen) external;

    /// @notice Whether every recipient is allowed.
    /// @return True while the list is open.
    function isRecipientListOpen() external view returns (bool);

    /// @notice Whether a recipient is on the list, be the list open or not.
    /// @param chainId The chain the recipient is on.
    /// @param account The recipient.
    /// @return True while it is.
    function isRecipientListed(uint256 chainId, bytes32 account) external view returns (bool);

    /// @notice Reverts with `RecipientNotAllowed` unless the recipient is on the list, or the list is open and the recipient
    /// is somebody.
    /// @param chainId The chain the fill would happen on.
    /// @param account Who would receive it.
    function checkRecipient(uint256 chainId, bytes32 account) external view;
}
