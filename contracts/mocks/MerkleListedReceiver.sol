// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RecipientAllowListMerkle} from "../receiver/policies/RecipientAllowListMerkle.sol";
import {TwoStepOwner} from "../receiver/policies/TwoStepOwner.sol";

/// @title MerkleListedReceiver
/// @notice A receiver with the Merkle allow-list only, for integrators' own receivers.
contract MerkleListedReceiver is RecipientAllowListMerkle {
    /// @notice Emitted when a payment passed the list.
    /// @param chainId the chain the fill happens on
    /// @param account recipient
    /// @param amount wei
    event Accepted(uint256 indexed chainId, bytes32 indexed account, uint256 amount);

    /// @param owner_ account that sets the root
    /// @param root the first one
    constructor(address owner_, bytes32 root) TwoStepOwner(owner_) {
        _setRecipientRoot(root);
    }

    /// @notice Accepts a payment for a proven recipient.
    /// @param chainId the chain the fill happens on
    /// @param account recipient
    /// @param proof the siblings on the way up, the lowest first
    function pay(uint256 chainId, bytes32 account, bytes32[] calldata proof) external payable {
        checkRecipient(chainId, account, proof);
        emit Accepted(chainId, account, msg.value);
    }
}
