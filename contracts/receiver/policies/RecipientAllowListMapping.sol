// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecipientAllowListMapping} from "../../interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title RecipientAllowListMapping
/// @notice Fills go to listed recipients only, unless the list is open.
abstract contract RecipientAllowListMapping is IRecipientAllowListMapping, TwoStepOwner {
    bool private _isListOpen;

    mapping(uint256 chainId => mapping(bytes32 account => bool isListed)) private _isListed;

    /// @inheritdoc IRecipientAllowListMapping
    function setRecipients(Recipient[] calldata recipients, bool isAllowed) external override onlyOwner {
        for (uint256 i; i < recipients.length; ++i) {
            Recipient calldata recipient = recipients[i];
            // Zero is never listed, so an open list and a listed zero need no distinction.
            if (recipient.account == 0) revert RecipientNotAllowed(recipient.chainId, 0);
            _isListed[recipient.chainId][recipient.account] = isAllowed;
            emit RecipientChanged(recipient.chainId, recipient.account, isAllowed);
        }
    }

    /// @inheritdoc IRecipientAllowListMapping
    function setRecipientListOpen(bool isOpen) external override onlyOwner {
        _setRecipientListOpen(isOpen);
    }

    /// @inheritdoc IRecipientAllowListMapping
    function isRecipientListOpen() external view override returns (bool) {
        return _isListOpen;
    }

    /// @inheritdoc IRecipientAllowListMapping
    function isRecipientListed(uint256 chainId, bytes32 account) external view override returns (bool) {
        return _isListed[chainId][account];
    }

    /// @inheritdoc IRecipientAllowListMapping
    function checkRecipient(uint256 chainId, bytes32 account) public view override {
        bool isAllowed = _isListOpen ? account != 0 : _isListed[chainId][account];
        if (!isAllowed) revert RecipientNotAllowed(chainId, account);
    }

    function _setRecipientListOpen(bool isOpen) internal {
        _isListOpen = isOpen;
        emit RecipientListOpened(isOpen);
    }
}
