// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title NoReturnToken
/// @notice A correct token whose transfer, transferFrom and approve return nothing, like several older ones. A caller that
/// decodes a bool reverts.
contract NoReturnToken {
    /// @notice The token's name.
    string public constant name = "No Return";

    /// @notice The token's symbol.
    string public constant symbol = "VOID";

    /// @notice Decimals of an amount.
    uint8 public constant decimals = 18;

    /// @notice Total supply.
    uint256 public totalSupply;

    /// @notice Balance of an account.
    mapping(address account => uint256 balance) public balanceOf;

    /// @notice Remaining allowance of a spender over an account's tokens.
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Emitted when tokens move.
    /// @param from previous holder
    /// @param to new holder
    /// @param value amount
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Emitted when an allowance is set.
    /// @param owner owner of the tokens
    /// @param spender approved spender
    /// @param value amount
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Moves the caller's tokens. Returns nothing.
    /// @param to recipient
    /// @param value amount
    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    /// @notice Moves tokens under their owner's allowance. Returns nothing.
    /// @param from owner of the tokens
    /// @param to recipient
    /// @param value amount
    function transferFrom(address from, address to, uint256 value) external {
        // Checked arithmetic reverts above the allowance.
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
    }

    /// @notice Sets an allowance. Returns nothing.
    /// @param spender approved spender of the caller\'s tokens
    /// @param value amount
    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _move(address from, address to, uint256 value) private {
        // Checked arithmetic reverts above the balance.
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
