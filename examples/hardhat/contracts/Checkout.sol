// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";

/// @title Checkout
/// @notice Sells items at fixed prices for a merchant on another chain. A sale counts only if the solver signed that it pays
/// this merchant for exactly this price, and if no earlier sale had the same request.
/// @dev The customer appends the item, as a word, to the solver's signature. The hooks below are passed by every way in, so
/// the inherited `deposit` is the shop's only function.
contract Checkout is PinnedReceiver {
    uint256 private constant ITEM_BYTES = 32;

    uint256 public immutable merchantChainId;
    bytes32 public immutable merchant;

    /// @notice Wei of each item; zero is not for sale.
    mapping(uint256 item => uint256 price) public prices;

    event ItemSold(uint256 indexed item, address indexed customer, bytes32 indexed requestId);

    error CurrencyNotTaken(address currency);
    error PriceMismatch(uint256 paid, uint256 price);
    error RecipientNotMerchant(uint256 chainId, bytes32 recipient);

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

    /// @dev The solver's signature is checked, and the request consumed, before this.
    function _authorize(
        bytes32 requestId,
        address customer,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override returns (bytes32) {
        uint256 start = policyData.length - ITEM_BYTES;
        uint256 item = uint256(bytes32(policyData[start:]));
        if (currency != address(0)) revert CurrencyNotTaken(currency);
        if (amount != prices[item]) revert PriceMismatch(amount, prices[item]);
        emit ItemSold(item, customer, requestId);
        return super._authorize(requestId, customer, currency, amount, policyData[:start]);
    }

    function _authorizeRecipient(uint256 chainId, bytes32 recipient) internal override returns (bytes32) {
        if (chainId != merchantChainId || recipient != merchant) {
            revert RecipientNotMerchant(chainId, recipient);
        }
        return super._authorizeRecipient(chainId, recipient);
    }

    function _policyDataLength() internal pure override returns (uint256) {
        return super._policyDataLength() + ITEM_BYTES;
    }
}
