// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MerkleProofLib} from "solady/src/utils/MerkleProofLib.sol";
import {IRecipientAllowListMerkle} from "../../interfaces/receiver/policies/IRecipientAllowListMerkle.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title RecipientAllowListMerkle
/// @notice Fills go to proven recipients only.
abstract contract RecipientAllowListMerkle is IRecipientAllowListMerkle, TwoStepOwner {
    /// @inheritdoc IRecipientAllowListMerkle
    bytes32 public override recipientRoot;

    /// @inheritdoc IRecipientAllowListMerkle
    function setRecipientRoot(bytes32 root) external override onlyOwner {
        _setRecipientRoot(root);
    }

    /// @inheritdoc IRecipientAllowListMerkle
    function checkRecipient(uint256 chainId, bytes32 account, bytes32[] calldata proof) public view override {
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(chainId, account))));
        // No preimage of zero is known, so a root of zero rejects every recipient.
        if (!MerkleProofLib.verifyCalldata(proof, recipientRoot, leaf)) {
            revert RecipientNotAllowed(chainId, account);
        }
    }

    function _setRecipientRoot(bytes32 root) internal {
        recipientRoot = root;
        emit RecipientRootChanged(root);
    }
}
