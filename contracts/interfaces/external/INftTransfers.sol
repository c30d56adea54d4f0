// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Safe transfers of NFTs
/// @notice The functions of ERC-721 and ERC-1155 that forward tokens.
interface INftTransfers {
    /// @notice ERC-721: transfers a token; a recipient with code must accept it.
    /// @param from Owner.
    /// @param to Recipient.
    /// @param tokenId Id of the token.
    /// @param data Passed to the recipient.
    function safeTransferFrom(address from, address to, uint256 tokenId, bytes calldata data) external;

    /// @notice ERC-1155: transfers tokens of one id; a recipient with code must accept them.
    /// @param from Owner.
    /// @param to Recipient.
    /// @param id Id of the tokens.
    /// @param value Number of tokens.
    /// @param data Passed to the recipient.
    function safeTransferFrom(
        address from,
        address to,
        uint256 id,
        uint256 value,
        bytes calldata data
    ) external;

    /// @notice ERC-1155: transfers tokens of several ids; a recipient with code must accept them.
    /// @param from Owner.
    /// @param to Recipient.
    /// @param ids Ids of the tokens.
    /// @param values Number of tokens of each id.
    /// @param data Passed to the recipient.
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external;
}
