// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRecipientAllowList} from "./IRecipientAllowList.sol";

/// @title A recipient allow-list in a Merkle root
/// @notice Suits long lists that change rarely: one word of storage at any length, and a proof with every deposit. For
/// integrators' own receivers; `ManagedReceiver` uses the mapping.
///
/// A leaf is `keccak256(keccak256(abi.encode(uint256 chainId, bytes32 account)))`, hashed twice so that no inner node
/// can pass for a leaf. A node is the keccak256 of its two children, the lower first. The initial root of zero rejects
/// every recipient.
interface IRecipientAllowListMerkle is IRecipientAllowList {
    /// @notice Emitted when the list is replaced.
    /// @param root Root of the new list; zero rejects every recipient.
    event RecipientRootChanged(bytes32 indexed root);

    /// @notice Replaces the list. Only the owner may.
    /// @param root Root of the new list; zero rejects every recipient.
    function setRecipientRoot(bytes32 root) external;

    /// @notice The root of the list in force.
    /// @return Zero when every recipient is rejected.
    function recipientRoot() external view returns (bytes32);

    /// @notice Reverts with `RecipientNotAllowed` unless the proof leads from the recipient's leaf to the root.
    /// @param chainId The chain the fill would happen on.
    /// @param account Recipient of the fill.
    /// @param proof The siblings on the way up, the lowest first.
    function checkRecipient(uint256 chainId, bytes32 account, bytes32[] calldata proof) external view;
}
