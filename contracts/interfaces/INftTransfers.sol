// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Safe transfers of NFTs
/// @notice The functions of ERC-721 and ERC-1155 by which tokens are sent on.
interface INftTransfers {
    /// @notice ERC-721: sends a token, and asks a recipient with code whether it takes it.
    /// @param from Whose it is.
    /// @param to Who gets it.
    /// @param tokenId Its id.
    /// @param data For the recipient.
    function safeTransferFrom(address from, address to, uint256 tokenId, bytes calldata data) external;

    /// @notice ERC-1155: sends tokens of one kind, and asks a recipient with code whether it takes them.
    /// @param from Whose they are.
    /// @param to Who gets them.
    /// @param id Which kind.
    /// @param value How many.
    /// @param data For the recipient.
    function safeTransferFrom(
        address from,
        address to,
        uint256 id,
        uint256 value,
        bytes calldata data
    ) external;

    /// @notice ERC-1155: sends tokens of several kinds, and asks a recipient with code whether it takes them.
    /// @param from Whose they are.
    /// @param to Who gets them.
    /// @param ids Which kinds.
    /// @param values How many of each.
    /// @param data For the recipient.
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external;
}
