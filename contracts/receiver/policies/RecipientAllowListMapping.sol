// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecipientAllowListMapping} from "../../interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {PolicyChecks} from "../PolicyChecks.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title RecipientAllowListMapping
/// @notice Fills go to listed recipients only, unless the list is open.
abstract contract RecipientAllowListMapping is IRecipientAllowListMapping, PolicyChecks, TwoStepOwner {
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

    function _authorizeRecipient(uint256 chain, bytes32 account) internal virtual override returns (bytes32) {
        _checkRecipient(chain, account);
        return super._authorizeRecipient(chain, account);
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    ) internal view virtual override returns (bool) {
        if (index != 0) return super._checkPolicy(index - 1, attempt);
        _checkRecipient(attempt.destinationChainId, attempt.destinationUser);
        return true;
    }

    function _checkRecipient(uint256 chainId, bytes32 account) private view {
        bool isAllowed = _isListOpen ? account != 0 : _isListed[chainId][account];
        if (!isAllowed) revert RecipientNotAllowed(chainId, account);
    }

    function _setRecipientListOpen(bool isOpen) internal {
        _isListOpen = isOpen;
        emit RecipientListOpened(isOpen);
    }
}
