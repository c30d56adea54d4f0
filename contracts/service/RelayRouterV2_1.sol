// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IRelayRouter} from "./interfaces/IRelayRouter.sol";
import {IRelayRouterV2_1} from "./interfaces/IRelayRouterV2_1.sol";
import {Call3Value, Result} from "./interfaces/RouterCalls.sol";
import {RelayRouterBase} from "./RelayRouterBase.sol";

/// @title RelayRouterV2_1
/// @notice Local stand-in for the service's router, version 2.1. Never deploy it to a public chain.
/// @dev Assumption: keeps the production weaknesses that the interfaces name, so that code tested here works in
/// production too.
contract RelayRouterV2_1 is IRelayRouterV2_1, RelayRouterBase {
    address private transient _nftRecipient;

    /// @inheritdoc IRelayRouterV2_1
    function multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable nonReentrant returns (Result[] memory returnData) {
        returnData = _runCalls(calls, nftRecipient);
        _sweepNative(0, refundTo);
    }

    /// @inheritdoc IRelayRouterV2_1
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external {
        if (tokens.length != amounts.length || amounts.length != recipients.length) {
            revert ArrayLengthsMismatch();
        }
        for (uint256 i; i < tokens.length; ++i) {
            _sweepErc20(tokens[i], recipients[i], amounts[i]);
        }
    }

    /// @inheritdoc IRelayRouterV2_1
    function cleanupNative(uint256 amount, address recipient) external {
        _sweepNative(amount, recipient);
    }

    /// @inheritdoc IRelayRouter
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external {
        _spendErc20s(tokens, tos, datas, amounts);
    }

    /// @inheritdoc IRelayRouter
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external {
        _spendNative(amount, to, data);
    }

    function _storeNftRecipient(address recipient) internal override {
        _nftRecipient = recipient;
    }

    function _loadNftRecipient() internal view override returns (address) {
        return _nftRecipient;
    }
}
