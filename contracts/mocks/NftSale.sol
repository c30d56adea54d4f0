// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title NftSale
/// @notice An ERC-721 collection that sells mints for an ERC-20 token, by plain or safe mint.
contract NftSale is ERC721 {
    using SafeERC20 for IERC20;

    /// @notice Payment token.
    IERC20 public immutable currency;

    /// @notice Price of a token.
    uint256 public immutable price;

    /// @notice Number of sold tokens; the id of the next one.
    uint256 public sold;

    /// @param currency_ the currency of payments
    /// @param price_ price of a token
    constructor(IERC20 currency_, uint256 price_) ERC721("Sold NFT", "SOLD") {
        currency = currency_;
        price = price_;
    }

    /// @notice Sells tokens to the caller, each by a safe mint.
    /// @param quantity amount
    function buy(uint256 quantity) external {
        currency.safeTransferFrom(msg.sender, address(this), quantity * price);
        for (uint256 i = 0; i < quantity; ++i) _safeMint(msg.sender, sold++);
    }

    /// @notice Sells a token to the caller by an unsafe mint, without a receipt.
    function buyUnsafe() external {
        currency.safeTransferFrom(msg.sender, address(this), price);
        _mint(msg.sender, sold++);
    }
}
