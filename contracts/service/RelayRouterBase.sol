// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {INftReceivers} from "../interfaces/external/INftReceivers.sol";
import {IRelayRouter} from "./interfaces/IRelayRouter.sol";
import {Call3Value, Result} from "./interfaces/RouterCalls.sol";
import {SenderGuard} from "./SenderGuard.sol";

/// @title RelayRouterBase
/// @notice Common part of the local stand-ins for the routers. The versions differ in guards, in the storage of the
/// recipient, and in events.
abstract contract RelayRouterBase is IRelayRouter, SenderGuard {
    using SafeTransferLib for address;

    /// @notice Accepts native currency, e.g. the output of an unwrap.
    receive() external payable {
        emit SolverNativeTransfer(address(this), msg.value);
    }

    /// @inheritdoc INftReceivers
    function onERC721Received(
        address,
        address,
        uint256 tokenId,
        bytes calldata data
    ) external returns (bytes4) {
        IERC721(msg.sender).safeTransferFrom(address(this), _requireNftRecipient(), tokenId, data);
        return this.onERC721Received.selector;
    }

    /// @inheritdoc INftReceivers
    function onERC1155Received(
        address,
        address,
        uint256 id,
        uint256 value,
        bytes calldata data
    ) external returns (bytes4) {
        IERC1155(msg.sender).safeTransferFrom(address(this), _requireNftRecipient(), id, value, data);
        return this.onERC1155Received.selector;
    }

    /// @inheritdoc INftReceivers
    function onERC1155BatchReceived(
        address,
        address,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4) {
        IERC1155(msg.sender).safeBatchTransferFrom(address(this), _requireNftRecipient(), ids, values, data);
        return this.onERC1155BatchReceived.selector;
    }

    /// @dev Makes the calls of a multicall. The caller refunds the native currency.
    function _runCalls(
        Call3Value[] calldata calls,
        address nftRecipient
    ) internal returns (Result[] memory results) {
        if (nftRecipient == address(this)) revert InvalidRecipient(nftRecipient);
        if (nftRecipient != address(0)) _storeNftRecipient(nftRecipient);

        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            results[i] = _runCall(calls[i]);
        }

        if (_loadNftRecipient() != address(0)) _storeNftRecipient(address(0));
    }

    /// @return moved sent amount; zero if there was nothing to send
    function _sweepErc20(address token, address recipient, uint256 amount) internal returns (uint256 moved) {
        moved = _amountOrBalance(token, amount);
        if (moved > 0) token.safeTransfer(recipient, moved);
    }

    /// @return to recipient
    /// @return moved sent amount; zero if there was nothing to send
    function _sweepNative(uint256 amount, address recipient) internal returns (address to, uint256 moved) {
        to = recipient == address(0) ? msg.sender : recipient;
        moved = amount == 0 ? address(this).balance : amount;
        if (moved > 0) {
            to.safeTransferETH(moved);
            emit SolverNativeTransfer(to, moved);
        }
    }

    function _spendErc20s(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) internal {
        if (tokens.length != amounts.length || amounts.length != tos.length || tos.length != datas.length) {
            revert ArrayLengthsMismatch();
        }
        for (uint256 i; i < tokens.length; ++i) {
            uint256 amount = _amountOrBalance(tokens[i], amounts[i]);
            if (amount == 0) continue;
            // As in production, the result is not checked and the allowance is not revoked afterwards.
            IERC20(tokens[i]).approve(tos[i], amount);
            (bool success, ) = tos[i].call(datas[i]);
            if (!success) revert CallFailed();
        }
    }

    function _spendNative(uint256 amount, address to, bytes calldata data) internal {
        uint256 value = amount == 0 ? address(this).balance : amount;
        if (value == 0) return;
        (bool success, ) = to.call{value: value}(data);
        if (!success) revert CallFailed();
    }

    function _storeNftRecipient(address recipient) internal virtual;

    function _loadNftRecipient() internal view virtual returns (address);

    function _runCall(Call3Value calldata each) private returns (Result memory result) {
        (result.success, result.returnData) = each.target.call{value: each.value}(each.callData);
        if (result.success) {
            emit SolverCallExecuted(each.target, each.callData, each.value);
        } else if (!each.allowFailure) {
            _revertWith(result.returnData);
        }
    }

    function _amountOrBalance(address token, uint256 amount) private view returns (uint256) {
        return amount == 0 ? IERC20(token).balanceOf(address(this)) : amount;
    }

    function _requireNftRecipient() private view returns (address recipient) {
        recipient = _loadNftRecipient();
        if (recipient == address(0)) revert NoRecipientSet();
    }

    function _revertWith(bytes memory reason) private pure {
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}
