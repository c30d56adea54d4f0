// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ReentrantTarget
/// @notice A contract that, whatever it is called with, calls a callbackTarget of the attacker's choice back before
///         it returns. It never fails because of that call; it records what came of it.
/// @dev It fires once per arming, so that a callback that leads here again does not recurse.
contract ReentrantTarget {
    /// @notice What the next call calls back.
    address public callbackTarget;

    /// @notice What it calls it with.
    bytes public data;

    /// @notice Whether the next call calls back.
    bool public armed;

    /// @notice How often it called back.
    uint256 public fired;

    /// @notice Whether the last callback went through.
    bool public lastSuccess;

    /// @notice What the last callback returned or reverted with.
    bytes public lastReturnData;

    receive() external payable {
        _callBack();
    }

    fallback() external payable {
        _callBack();
    }

    /// @notice Sets what the next call calls back.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
        armed = true;
    }

    function _callBack() private {
        if (!armed) return;
        armed = false;
        ++fired;
        (lastSuccess, lastReturnData) = callbackTarget.call(data);
    }
}
