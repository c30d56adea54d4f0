// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PlainToken} from "./PlainToken.sol";

/// @title TradingPost
/// @notice An honest target, for calls with another hostile part: takes a part of an approved token, returns native currency,
/// and sells minted tokens for native currency.
contract TradingPost {
    using SafeERC20 for IERC20;

    /// @notice Balance that the last caller reported.
    uint256 public lastAvailable;

    /// @notice Thrown when its native balance is below the requested amount.
    /// @param amount wei
    error ChangeRefused(uint256 amount);

    /// @dev Native currency to return later.
    receive() external payable {}

    /// @notice Takes a token from the caller and gives native currency for it.
    /// @param available the caller's stated balance; recorded
    /// @param token the taken token
    /// @param amount amount
    /// @param change wei for the caller
    function take(uint256 available, IERC20 token, uint256 amount, uint256 change) external {
        lastAvailable = available;
        if (amount != 0) token.safeTransferFrom(msg.sender, address(this), amount);
        (bool success, ) = msg.sender.call{value: change}("");
        if (!success) revert ChangeRefused(change);
    }

    /// @notice Sells new tokens to the caller for the sent value.
    /// @param token the sold token
    /// @param amount amount
    function sell(PlainToken token, uint256 amount) external payable {
        token.mint(msg.sender, amount);
    }

    /// @notice Mints tokens for any account. A token that only its owner mints can be owned by this contract.
    /// @param token the given token
    /// @param to recipient
    /// @param amount amount
    function give(PlainToken token, address to, uint256 amount) external {
        token.mint(to, amount);
    }
}
