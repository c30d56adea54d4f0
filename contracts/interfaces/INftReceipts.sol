// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Receipts of NFTs
/// @notice What a collection asks of a contract that it sends tokens to by a safe transfer: ERC-721's and ERC-1155's
/// receivers, and ERC-165. Whatever arrives is sent on in the same call, by a safe transfer and with the data it came with,
/// to the recipient that `executeWithNftRecipient` names; nothing stays.
///
/// Assumptions:
/// - The collection is `msg.sender`, and what it says is only ever said back to it: a contract that reports tokens it does
/// not have is asked to send them on, and can do no more than refuse.
/// - Tokens that come without a receipt, by `transferFrom` or an unsafe mint, are not noticed. See `IBalanceActions`.
interface INftReceipts {
    /// @notice Thrown when tokens arrive and no call is at work that names who shall get them.
    /// @param collection The contract that reports the tokens.
    error NftRecipientNotSet(address collection);

    /// @notice Thrown when a function is called that there is not.
    /// @param selector The function.
    error FunctionUnknown(bytes4 selector);

    /// @notice Takes an ERC-721 token and sends it on.
    /// @dev For collections. Reverts with `NftRecipientNotSet`, or with an error of the collection or the recipient.
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
    /// @dev For collections. Reverts with `NftRecipientNotSet`, or with an error of the collection or the recipient.
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
    /// @dev For collections. Reverts with `NftRecipientNotSet`, or with an error of the collection or the recipient.
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

    /// @notice Tells which interfaces there are, by ERC-165.
    /// @param interfaceId The interface asked for.
    /// @return Whether it is ERC-165's, or the receiver's of ERC-721 or ERC-1155.
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
