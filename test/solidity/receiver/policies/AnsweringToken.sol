// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title AnsweringToken
/// @notice A token of which one account has a unit, and which answers a transfer with exactly what it was made for.
contract AnsweringToken {
    address private immutable HOLDER;
    bytes private _answer;

    /// @param holder who has a unit
    /// @param answer what a transfer returns
    constructor(address holder, bytes memory answer) {
        HOLDER = holder;
        _answer = answer;
    }

    fallback() external {
        bytes memory answer = _answer;
        assembly ("memory-safe") {
            return(add(answer, 0x20), mload(answer))
        }
    }

    /// @notice What an account has.
    /// @param account the account
    /// @return balance one for the holder
    function balanceOf(address account) external view returns (uint256 balance) {
        return account == HOLDER ? 1 : 0;
    }
}
