// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PlainToken} from "./PlainToken.sol";

/// @title LendingPool
/// @notice A lending pool of one reserve with Aave v3's `supply`: pulls the asset from the caller and mints as many receipt
/// tokens to the named account. No interest, no borrowing.
contract LendingPool {
    using SafeERC20 for IERC20;

    /// @notice The one asset that can be supplied.
    IERC20 public immutable reserve;

    /// @notice Receipt token, minted one to one.
    PlainToken public immutable receipt;

    /// @notice Emitted when an asset was supplied.
    /// @param asset the asset
    /// @param user payer
    /// @param onBehalfOf recipient of the receipt tokens
    /// @param amount amount in the asset's smallest unit
    /// @param referralCode the caller's code
    event Supply(
        address indexed asset,
        address user,
        address indexed onBehalfOf,
        uint256 amount,
        uint16 indexed referralCode
    );

    /// @notice Thrown when an asset is supplied that is not the reserve.
    /// @param asset the asset
    /// @param reserve the reserve
    error AssetNotListed(address asset, address reserve);

    /// @notice Thrown for a supply of zero.
    error InvalidAmount();

    /// @param reserve_ the one asset that can be supplied
    constructor(IERC20 reserve_) {
        reserve = reserve_;
        receipt = new PlainToken();
    }

    /// @notice Pulls an asset from the caller and mints receipt tokens. The receipt token refuses the zero address.
    /// @param asset the reserve
    /// @param amount amount in its smallest unit
    /// @param onBehalfOf recipient of the receipt tokens
    /// @param referralCode is logged
    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) external {
        if (asset != address(reserve)) revert AssetNotListed(asset, address(reserve));
        if (amount == 0) revert InvalidAmount();
        reserve.safeTransferFrom(msg.sender, address(this), amount);
        receipt.mint(onBehalfOf, amount);
        emit Supply(asset, msg.sender, onBehalfOf, amount, referralCode);
    }
}
