// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IRelayRouter} from "./IRelayRouter.sol";
import {Call3Value, Result} from "./RouterCalls.sol";

/// @title IRelayRouterV3
/// @notice The service's router, version 3: every movement of funds is logged with the caller's metadata.
/// @dev Assumptions for callers: all functions but the token receipts are guarded against third parties. A call of
/// the router to itself passes the guard, and clears it at its end. Afterwards any caller may enter while the
/// multicall still runs.
interface IRelayRouterV3 is IRelayRouter {
    /// @notice Emitted for the native value of a multicall, and for funds that a cleanup sends.
    /// @param from the account it came from
    /// @param to the account it went to
    /// @param currency the token, zero for native currency
    /// @param amount the requested amount
    /// @param metadata the caller's own bytes, uninterpreted
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    /// @notice Makes calls in the router's name and refunds all native currency it holds afterwards.
    /// @param calls the calls, made in order
    /// @param refundTo recipient of the native currency; zero means the caller
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens that arrive during the call; zero rejects them
    /// @param metadata logged with every movement of funds
    /// @return returnData return data of each call
    function multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData);

    /// @notice Sends ERC-20 tokens the router holds.
    /// @param tokens the tokens
    /// @param recipients recipient
    /// @param amounts amount; zero sends the balance, and a balance of zero is skipped
    /// @param metadata logged with every transfer
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external;

    /// @notice Sends native currency the router holds.
    /// @param amount amount; zero sends the balance, and a balance of zero is skipped
    /// @param recipient recipient; zero means the caller
    /// @param metadata logged with the transfer
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) external;
}
