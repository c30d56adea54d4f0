// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The receivers of ERC-721 and ERC-1155
/// @notice What a collection calls when it sends tokens to a contract by a safe transfer.
interface INftReceivers {
    /// @notice Takes an ERC-721 token and sends it on.
    /// @dev For collections.
    /// @param operator Who made the transfer.
    /// @param from Whose it was; zero when it was made.
    /// @param tokenId Its id.
    /// @param data What came with it; goes on to the recipient.
    /// @return This function's selector.
    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes calldata data
    ) external returns (bytes4);

    /// @notice Takes ERC-1155 tokens of one kind and sends them on.
    /// @dev For collections.
    /// @param operator Who made the transfer.
    /// @param from Whose they were; zero when they were made.
    /// @param id Which kind.
    /// @param value How many.
    /// @param data What came with them; goes on to the recipient.
    /// @return This function's selector.
    function onERC1155Received(
        address operator,
        address from,
        uint256 id,
        uint256 value,
        bytes calldata data
    ) external returns (bytes4);

    /// @notice Takes ERC-1155 tokens of several kinds and sends them on.
    /// @dev For collections.
    /// @param operator Who made the transfer.
    /// @param from Whose they were; zero when they were made.
    /// @param ids Which kinds.
    /// @param values How many of each.
    /// @param data What came with them; goes on to the recipient.
    /// @return This function's selector.
    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4);
}
