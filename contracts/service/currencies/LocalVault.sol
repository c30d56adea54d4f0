// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @title LocalVault
/// @notice An ERC-4626 vault on the local chains, for deposits by destination calls. Never deploy it to a public chain.
contract LocalVault is ERC4626 {
    /// @param asset_ the deposited token
    /// @param name_ the name of its shares
    /// @param symbol_ the symbol of its shares
    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_
    ) ERC20(name_, symbol_) ERC4626(asset_) {}
}
