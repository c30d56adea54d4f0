// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVm} from "./IVm.sol";

/// @title NativeAsToken
/// @notice The chain's native currency as a token, as on Celo: a balance is the native balance, and a transfer moves native
///         money without calling anybody. Moving needs a cheatcode of the test runner.
contract NativeAsToken {
    IVm private constant VM = IVm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice How much of an account's a spender may move.
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Thrown when an account has too little.
    /// @param account the account
    /// @param balance what it has
    /// @param needed what it would need
    error BalanceTooLow(address account, uint256 balance, uint256 needed);

    /// @notice Sets an allowance.
    /// @param spender who may move the caller's money
    /// @param value how much
    /// @return success always
    function approve(address spender, uint256 value) external returns (bool success) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    /// @notice Moves the caller's money.
    /// @param to who gets it
    /// @param value how much
    /// @return success always
    function transfer(address to, uint256 value) external returns (bool success) {
        _move(msg.sender, to, value);
        return true;
    }

    /// @notice Moves money of an account that allowed it.
    /// @param from whose money
    /// @param to who gets it
    /// @param value how much
    /// @return success always
    function transferFrom(address from, address to, uint256 value) external returns (bool success) {
        // Checked arithmetic refuses what exceeds the allowance.
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    /// @notice The native balance of an account.
    /// @param account the account
    /// @return amount wei
    function balanceOf(address account) external view returns (uint256 amount) {
        return account.balance;
    }

    function _move(address from, address to, uint256 value) private {
        if (from.balance < value) revert BalanceTooLow(from, from.balance, value);
        VM.deal(from, from.balance - value);
        VM.deal(to, to.balance + value);
    }
}
