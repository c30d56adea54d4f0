// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title ReentrantToken
/// @notice An ERC-20 token that calls a callbackTarget of the attacker's choice in the middle of a transfer, before
/// any balance has changed. It ignores a failure of that call and records the result.
/// @dev Calls back once per arming, so that a callback that moves the token itself does not recurse.
contract ReentrantToken is ERC20 {
    /// @notice Target of the next callback.
    address public callbackTarget;

    /// @notice Calldata of that call.
    bytes public data;

    /// @notice Whether the next transfer calls back.
    bool public armed;

    /// @notice Number of callbacks.
    uint256 public fired;

    /// @notice Whether the last callback succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the last callback.
    bytes public lastReturnData;

    constructor() ERC20("Reentrant", "REENT") {}

    /// @notice Sets the call of the next `transfer` or `transferFrom`.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
        armed = true;
    }

    /// @notice Makes new tokens; anyone may. No callback is made.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (armed && from != address(0)) {
            armed = false;
            ++fired;
            (lastSuccess, lastReturnData) = callbackTarget.call(data);
        }
        super._update(from, to, value);
    }
}
