// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {INftReceivers} from "../external/INftReceivers.sol";

/// @title Receipts of NFTs
/// @notice The functions that a collection calls on the recipient of a safe transfer: ERC-721's and ERC-1155's
/// receivers, and ERC-165. The executor forwards each token in the same call, by a safe transfer with the same data, to
/// the recipient of `executeWithNftRecipient`.
///
/// Assumptions:
/// - The collection is `msg.sender`, and only that contract is called in return. A contract that reports tokens it did
///   not send, or a transfer of no units, moves no token here. It does end `NoNftForwarded` for the running call: to be
///   sure of one collection's token, name that collection as an asset with a `minimumOutput`.
/// - Receipts revert with `NftRecipientNotSet`, or with an error of the collection or the recipient.
/// - Tokens that come without a receipt, by `transferFrom` or an unsafe mint, are not noticed. See `IBalanceActions`.
interface INftReceipts is INftReceivers {
    /// @notice Thrown when tokens arrive outside a call of `executeWithNftRecipient`.
    /// @param collection The contract that reports the tokens.
    error NftRecipientNotSet(address collection);

    /// @notice Thrown when no function has the called selector.
    /// @param selector The selector.
    error FunctionUnknown(bytes4 selector);

    /// @notice Reports the supported interfaces, by ERC-165.
    /// @param interfaceId The interface id.
    /// @return True for ERC-165 and the receivers of ERC-721 and ERC-1155.
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
