// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISymbols} from "./Proof.sol";

/// @title AnyToken
/// @notice A token that changes balances by any amounts, whatever is asked, and returns any word.
contract AnyToken {
    ISymbols private constant SYMBOLS = ISymbols(0xF3993A62377BCd56AE39D773740A5390411E8BC9);

    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function transferFrom(address from, address to, uint256) external returns (uint256) {
        return _move(from, to);
    }

    function transfer(address to, uint256) external returns (uint256) {
        return _move(msg.sender, to);
    }

    /// @dev Changes the balance of an account that a permit pays.
    function arriveAt(address account) public {
        balanceOf[account] = SYMBOLS.createUint256("balance of the account");
    }

    /// @dev Permits and authorizations.
    fallback() external {
        arriveAt(msg.sender);
    }

    function _move(address from, address to) private returns (uint256) {
        arriveAt(from);
        arriveAt(to);
        return SYMBOLS.createUint256("answer");
    }
}

/// @title AnyPermit2
/// @notice Moves any amount of a token to its caller, without a look at the signature.
contract AnyPermit2 {
    fallback() external {
        AnyToken(address(uint160(uint256(bytes32(msg.data[4:36]))))).arriveAt(msg.sender);
    }
}
