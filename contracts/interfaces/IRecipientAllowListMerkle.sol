// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRecipientAllowList} from "./IRecipientAllowList.sol";

/// @title A recipient allow-list in a Merkle root
/// @notice For long lists that change rarely: one word of storage whatever the length, a proof with every deposit. For
/// receivers of one's own; the mapping variant is the one `ManagedReceiver` has.
///
/// A leaf is `keccak256(keccak256(abi.encode(uint256 chainId, bytes32 account)))`, hashed twice so that no inner node can pass
/// for a leaf; a node is the keccak256 of its two children, the lower first. The root of zero, which is the one at first,
/// allows nobody.
interface IRecipientAllowListMerkle is IRecipientAllowList {
    /// @notice Emitted when another list comes into force.
    /// @param root Its root; zero allows nobody.
    event RecipientRootChanged(bytes32 indexed root);

    /// @notice Puts another list into force. Only the owner may.
    /// @param root Its root; zero allows nobody.
    function setRecipientRoot(bytes32 root) external;

    /// @notice The root of the list in force.
    /// @return Zero when nobody is allowed.
    function recipientRoot() external view returns (bytes32);

    /// @notice Reverts with `RecipientNotAllowed` unless the proof leads from the recipient's leaf to the root.
    /// @param chainId The chain the fill would happen on.
    /// @param account Who would receive it.
    /// @param proof The siblings on the way up, the lowest first.
    function checkRecipient(uint256 chainId, bytes32 account, bytes32[] calldata proof) external view;
}
