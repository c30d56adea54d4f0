// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title AuthorizationToken
/// @notice A well-behaved ERC-20 token with ERC-3009 authorizations, whose nonces may come in any order.
///         Signing domain: "Authorization", version "1".
contract AuthorizationToken is ERC3009 {
    constructor() ERC20("Authorization", "AUTH") EIP712("Authorization", "1") {}

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
