// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TransferWithId} from "waybill/contracts/libraries/TransferWithId.sol";
import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";

/// @title Checkout
/// @notice Sells items at fixed prices for a merchant on another chain. A sale counts only if the solver signed that it pays
/// this merchant for exactly this price, and if no earlier sale had the same request.
contract Checkout is PinnedReceiver {
    uint256 public immutable merchantChainId;
    bytes32 public immutable merchant;

    /// @notice Wei of each item; zero is not for sale.
    mapping(uint256 item => uint256 price) public prices;

    event ItemSold(uint256 indexed item, address indexed customer, bytes32 indexed requestId);

    error PriceMismatch(uint256 paid, uint256 price);

    /// @param solver The solver's address, from your own list, never from the API.
    /// @param payee The service's receiver for that solver, from your own list.
    /// @param chainId The merchant's chain.
    /// @param account The merchant, left-padded.
    /// @param itemPrices Prices of items 0, 1, …
    constructor(
        address solver,
        address payee,
        uint256 chainId,
        bytes32 account,
        uint256[] memory itemPrices
    ) PinnedReceiver(solver, payee, Binding.Caller, address(0)) {
        merchantChainId = chainId;
        merchant = account;
        for (uint256 item; item < itemPrices.length; ++item) prices[item] = itemPrices[item];
    }

    /// @notice Buys an item. Quote with `user` = the caller and `recipient` = the merchant.
    function buy(uint256 item, bytes32 requestId, bytes calldata signature) external payable {
        if (msg.value != prices[item]) revert PriceMismatch(msg.value, prices[item]);
        // Rebuilds the solver's record from the payment, rejects a used id, and consumes this one.
        _consume(requestId, msg.sender, address(0), msg.value, merchantChainId, merchant, signature);
        emit ItemSold(item, msg.sender, requestId);
        TransferWithId.payNativeWithId(nativePayee, msg.value, requestId);
    }
}
