// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {INftReceipts} from "../interfaces/proxy/INftReceipts.sol";
import {INftReceivers} from "../interfaces/external/INftReceivers.sol";
import {INftTransfers} from "../interfaces/external/INftTransfers.sol";

/// @title NftReceipts
/// @notice Implements `INftReceipts`: forwards each NFT on arrival to the recipient that the running call names.
/// @dev In the fallback, because each function of a contract adds gas to the others.
abstract contract NftReceipts {
    bytes4 private constant ERC165 = 0x01ffc9a7;
    bytes4 private constant ERC721_RECEIVER = 0x150b7a02;
    bytes4 private constant ERC1155_RECEIVER = 0x4e2312e0;

    /// @dev Zero unless a running call names a recipient.
    address internal transient _nftRecipient;

    /// @dev Whether the running call has forwarded an NFT.
    bool internal transient _hasForwardedNft;

    /// @notice Dispatches the functions of `INftReceipts`; reverts for every other selector.
    /// @param input A call of one of its functions.
    /// @return The encoded return value of that function.
    fallback(bytes calldata input) external returns (bytes memory) {
        if (msg.sig == INftReceipts.supportsInterface.selector) {
            return abi.encode(_supportsInterface(abi.decode(input[4:], (bytes4))));
        }
        if (msg.sig == INftReceivers.onERC721Received.selector) _sendOnErc721(input[4:]);
        else if (msg.sig == INftReceivers.onERC1155Received.selector) _sendOnErc1155(input[4:]);
        else if (msg.sig == INftReceivers.onERC1155BatchReceived.selector) _sendOnErc1155Batch(input[4:]);
        else revert INftReceipts.FunctionUnknown(msg.sig);
        return abi.encode(msg.sig);
    }

    function _sendOnErc721(bytes calldata receipt) private {
        (, , uint256 tokenId, bytes memory data) = abi.decode(receipt, (address, address, uint256, bytes));
        INftTransfers(msg.sender).safeTransferFrom(address(this), _forwardTo(), tokenId, data);
    }

    function _sendOnErc1155(bytes calldata receipt) private {
        (, , uint256 id, uint256 value, bytes memory data) = abi.decode(
            receipt,
            (address, address, uint256, uint256, bytes)
        );
        INftTransfers(msg.sender).safeTransferFrom(address(this), _forwardTo(), id, value, data);
    }

    function _sendOnErc1155Batch(bytes calldata receipt) private {
        (, , uint256[] memory ids, uint256[] memory values, bytes memory data) = abi.decode(
            receipt,
            (address, address, uint256[], uint256[], bytes)
        );
        address recipient = _forwardTo();
        INftTransfers(msg.sender).safeBatchTransferFrom(address(this), recipient, ids, values, data);
    }

    /// @dev The recipient of a token that is forwarded now.
    function _forwardTo() private returns (address recipient) {
        recipient = _nftRecipient;
        if (recipient == address(0)) revert INftReceipts.NftRecipientNotSet(msg.sender);
        _hasForwardedNft = true;
    }

    function _supportsInterface(bytes4 interfaceId) private pure returns (bool) {
        return interfaceId == ERC165 || interfaceId == ERC721_RECEIVER || interfaceId == ERC1155_RECEIVER;
    }
}
