// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {INftReceivers} from "./INftReceivers.sol";

/// @title Receipts of NFTs
/// @notice What a collection asks of a contract that it sends tokens to by a safe transfer: ERC-721's and ERC-1155's
/// receivers, and ERC-165. Whatever arrives is sent on in the same call, by a safe transfer and with the data it came with,
/// to the recipient that `executeWithNftRecipient` names; nothing stays.
///
/// Assumptions:
/// - The collection is `msg.sender`, and what it says is only ever said back to it: a contract that reports tokens it does
/// not have is asked to send them on, and can do no more than refuse.
/// - Receipts revert with `NftRecipientNotSet`, or with an error of the collection or the recipient.
/// - Tokens that come without a receipt, by `transferFrom` or an unsafe mint, are not noticed. See `IBalanceActions`.
interface INftReceipts is INftReceivers {
    /// @notice Thrown when tokens arrive and no call is at work that names who shall get them.
    /// @param collection The contract that reports the tokens.
    error NftRecipientNotSet(address collection);

    /// @notice Thrown when a function is called that there is not.
    /// @param selector The function.
    error FunctionUnknown(bytes4 selector);

    /// @notice Tells which interfaces there are, by ERC-165.
    /// @param interfaceId The interface asked for.
    /// @return Whether it is ERC-165's, or the receiver's of ERC-721 or ERC-1155.
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
