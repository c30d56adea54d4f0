// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The receivers of ERC-721 and ERC-1155
/// @notice Functions that a collection calls when it safe-transfers tokens to a contract.
interface INftReceivers {
    /// @notice Accepts an ERC-721 token and forwards it.
    /// @dev Called by collections.
    /// @param operator Account that made the transfer.
    /// @param from Previous owner; zero for a mint.
    /// @param tokenId Id of the token.
    /// @param data Passed on to the recipient.
    /// @return This function's selector.
    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes calldata data
    ) external returns (bytes4);

    /// @notice Accepts ERC-1155 tokens of one id and forwards them.
    /// @dev Called by collections.
    /// @param operator Account that made the transfer.
    /// @param from Previous owner; zero for a mint.
    /// @param id Id of the tokens.
    /// @param value Number of tokens.
    /// @param data Passed on to the recipient.
    /// @return This function's selector.
    function onERC1155Received(
        address operator,
        address from,
        uint256 id,
        uint256 value,
        bytes calldata data
    ) external returns (bytes4);

    /// @notice Accepts ERC-1155 tokens of several ids and forwards them.
    /// @dev Called by collections.
    /// @param operator Account that made the transfer.
    /// @param from Previous owner; zero for a mint.
    /// @param ids Ids of the tokens.
    /// @param values Number of tokens of each id.
    /// @param data Passed on to the recipient.
    /// @return This function's selector.
    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4);
}
