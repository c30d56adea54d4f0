// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICheats} from "../../../contracts/testing/ICheats.sol";

/// @title NativeAsToken
/// @notice The chain's native currency as a token, as on Celo: a balance is the native balance, and a transfer moves native
/// money without a call, by a cheatcode.
contract NativeAsToken {
    ICheats private constant VM = ICheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    error BalanceTooLow(address account, uint256 balance, uint256 needed);

    function approve(address spender, uint256 value) external returns (bool success) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool success) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool success) {
        // Checked arithmetic reverts above the allowance.
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function balanceOf(address account) external view returns (uint256 amount) {
        return account.balance;
    }

    function _move(address from, address to, uint256 value) private {
        if (from.balance < value) revert BalanceTooLow(from, from.balance, value);
        VM.deal(from, from.balance - value);
        VM.deal(to, to.balance + value);
    }
}
