// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title LocalToken
/// @notice A well-behaved ERC-20 currency of the local chains, with ERC-2612 permits. Never deploy it to a public
/// chain: its owner mints at will.
contract LocalToken is ERC20, ERC20Permit, Ownable {
    uint8 private immutable DECIMALS;

    /// @param name_ the token's name, which is also the name of its signing domain
    /// @param symbol_ the token's symbol
    /// @param decimals_ the token's decimals
    /// @param minter account that may mint
    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address minter
    ) ERC20(name_, symbol_) ERC20Permit(name_) Ownable(minter) {
        DECIMALS = decimals_;
    }

    /// @notice Mints tokens. Owner only.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /// @notice Decimals of an amount.
    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }
}
