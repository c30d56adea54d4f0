// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";

/// @title ReentrantNftRecipient
/// @notice Takes ERC-721 and ERC-1155 tokens, and calls a target of the attacker's choice during the next receipt. It
/// ignores a failure of that call and records the result.
contract ReentrantNftRecipient is ERC721Holder, ERC1155Holder {
    /// @notice Target of the next callback.
    address public callbackTarget;

    /// @notice Calldata of the next call back.
    bytes public data;

    /// @notice Whether the next receipt calls back.
    bool public armed;

    /// @notice Number of callbacks.
    uint256 public fired;

    /// @notice Whether the last callback succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the last callback.
    bytes public lastReturnData;

    /// @notice Sets the call of the next receipt.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
        armed = true;
    }

    /// @inheritdoc ERC721Holder
    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes memory received
    ) public override returns (bytes4) {
        _callBack();
        return super.onERC721Received(operator, from, tokenId, received);
    }

    /// @inheritdoc ERC1155Holder
    function onERC1155Received(
        address operator,
        address from,
        uint256 id,
        uint256 value,
        bytes memory received
    ) public override returns (bytes4) {
        _callBack();
        return super.onERC1155Received(operator, from, id, value, received);
    }

    /// @inheritdoc ERC1155Holder
    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] memory ids,
        uint256[] memory values,
        bytes memory received
    ) public override returns (bytes4) {
        _callBack();
        return super.onERC1155BatchReceived(operator, from, ids, values, received);
    }

    function _callBack() private {
        if (!armed) return;
        armed = false;
        ++fired;
        (lastSuccess, lastReturnData) = callbackTarget.call(data);
    }
}
