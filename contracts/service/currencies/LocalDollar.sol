// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";

/// @title LocalDollar
/// @notice USDC on the local chains, with ERC-2612 permits and ERC-3009 authorizations like the original. Never deploy it to
/// a public chain: its owner mints at will.
/// @dev Signing domain: "USD Coin", version "1", as `eip712Domain` returns it (ERC-5267).
contract LocalDollar is ERC20Permit, ERC3009, Ownable {
    /// @param minter account that may mint
    constructor(address minter) ERC20("USD Coin", "USDC") ERC20Permit("USD Coin") Ownable(minter) {}

    /// @notice Mints tokens. Owner only.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /// @notice Decimals of an amount.
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
