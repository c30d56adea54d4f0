// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "solady/src/tokens/ERC20.sol";

/// @title SoladyToken
/// @notice A token that gives Permit2 an infinite allowance of every account, as tokens made with Solady do.
contract SoladyToken is ERC20 {
    /// @notice The token's name.
    /// @return always the same
    function name() public pure override returns (string memory) {
        return "Solady";
    }

    /// @notice The token's symbol.
    /// @return always the same
    function symbol() public pure override returns (string memory) {
        return "SOL";
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
