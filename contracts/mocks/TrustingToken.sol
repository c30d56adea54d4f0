// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title TrustingToken
/// @notice A token with one spender that needs no allowance, like the vault of pool tokens. Its allowance over every account
/// reads infinite.
contract TrustingToken is ERC20 {
    /// @notice Spender that needs no allowance.
    address public immutable TRUSTED;

    constructor(address trusted) ERC20("Trusting", "TRUST") {
        TRUSTED = trusted;
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice Allowance of a spender.
    /// @param owner owner of the tokens
    /// @param spender approved spender
    /// @return the amount, in the smallest unit
    function allowance(address owner, address spender) public view override returns (uint256) {
        return spender == TRUSTED ? type(uint256).max : super.allowance(owner, spender);
    }
}
