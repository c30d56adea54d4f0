// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IRelayRouter} from "./IRelayRouter.sol";
import {Call3Value, Result} from "./RouterCalls.sol";

/// @title IRelayRouterV2_1
/// @notice The service's router, version 2.1.
/// @dev Assumptions for callers: only `multicall` is guarded. Any contract called during one can use the cleanups to
/// take the router's present balance.
interface IRelayRouterV2_1 is IRelayRouter {
    /// @notice Declared in production and never thrown there.
    /// @param target the target
    error InvalidTarget(address target);

    /// @notice Makes calls in the router's name and refunds all native currency it holds afterwards.
    /// @param calls the calls, made in order
    /// @param refundTo recipient of the native currency; zero means the caller
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens that arrive during the call; zero rejects them
    /// @return returnData return data of each call
    function multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData);

    /// @notice Sends ERC-20 tokens the router holds.
    /// @param tokens the tokens
    /// @param recipients recipient
    /// @param amounts amount; zero sends the balance, and a balance of zero is skipped
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external;

    /// @notice Sends native currency the router holds.
    /// @param amount amount; zero sends the balance, and a balance of zero is skipped
    /// @param recipient recipient; zero means the caller
    function cleanupNative(uint256 amount, address recipient) external;
}
