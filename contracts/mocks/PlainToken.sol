// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title PlainToken
/// @notice A standard token, on which gas is measured.
contract PlainToken is ERC20("Plain", "PLN") {
    /// @param to recipient
    /// @param amount in the smallest unit
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
