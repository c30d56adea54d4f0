// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title GrantingToken
/// @notice A token with an approving function that no deny list names: a grantee takes an account's tokens without an
/// allowance.
contract GrantingToken is ERC20 {
    /// @notice Whether a spender may take all of an owner's tokens.
    mapping(address owner => mapping(address spender => bool)) public isGranted;

    /// @notice Thrown when a spender was not granted the owner's tokens.
    /// @param owner owner of the tokens
    /// @param spender spender
    error NotGranted(address owner, address spender);

    constructor() ERC20("Granting", "GRANT") {}

    /// @notice Lets a spender take all of the caller's tokens, now and later.
    /// @param spender approved spender
    function grant(address spender) external {
        isGranted[msg.sender][spender] = true;
    }

    /// @notice Moves tokens that the caller was granted.
    /// @param owner owner of the tokens
    /// @param to recipient
    /// @param amount amount
    function take(address owner, address to, uint256 amount) external {
        if (!isGranted[owner][msg.sender]) revert NotGranted(owner, msg.sender);
        _transfer(owner, to, amount);
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
