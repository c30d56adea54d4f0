// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {IRelayRouter} from "./interfaces/IRelayRouter.sol";
import {IRelayRouterV3} from "./interfaces/IRelayRouterV3.sol";
import {Call3Value, Result} from "./interfaces/RouterCalls.sol";
import {RelayRouterBase} from "./RelayRouterBase.sol";

/// @title RelayRouterV3
/// @notice Local stand-in for the service's router, version 3. Never deploy it to a public chain.
/// @dev Assumption: keeps the production weaknesses that the interfaces name, so that code tested here works in
/// production too.
contract RelayRouterV3 is IRelayRouterV3, RelayRouterBase {
    /// @dev Production keeps the recipient in the same slot of plain storage, so that state dumps agree.
    bytes32 private constant NFT_RECIPIENT_SLOT = bytes32(uint256(keccak256("RelayRouter.recipient")) - 1);

    /// @inheritdoc IRelayRouterV3
    function multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable nonReentrant returns (Result[] memory returnData) {
        if (msg.value > 0) emit FundsMovement(msg.sender, address(this), address(0), msg.value, metadata);
        returnData = _runCalls(calls, nftRecipient);
        // Calls the guarded function: if a nested call has opened the guard, the refund closes it again.
        cleanupNative(0, refundTo, metadata);
    }

    /// @inheritdoc IRelayRouterV3
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external nonReentrant {
        if (tokens.length != amounts.length || amounts.length != recipients.length) {
            revert ArrayLengthsMismatch();
        }
        for (uint256 i; i < tokens.length; ++i) {
            uint256 moved = _sweepErc20(tokens[i], recipients[i], amounts[i]);
            if (moved > 0) emit FundsMovement(address(this), recipients[i], tokens[i], moved, metadata);
        }
    }

    /// @inheritdoc IRelayRouter
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external nonReentrant {
        _spendErc20s(tokens, tos, datas, amounts);
    }

    /// @inheritdoc IRelayRouter
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external nonReentrant {
        _spendNative(amount, to, data);
    }

    /// @inheritdoc IRelayRouterV3
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) public nonReentrant {
        (address to, uint256 moved) = _sweepNative(amount, recipient);
        if (moved > 0) emit FundsMovement(address(this), to, address(0), moved, metadata);
    }

    function _storeNftRecipient(address recipient) internal override {
        StorageSlot.getAddressSlot(NFT_RECIPIENT_SLOT).value = recipient;
    }

    function _loadNftRecipient() internal view override returns (address) {
        return StorageSlot.getAddressSlot(NFT_RECIPIENT_SLOT).value;
    }
}
