// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ReentrantTarget
/// @notice A contract that on any call calls a target of the attacker's choice before it returns. Records the result of that
/// call, and never fails because of it.
/// @dev It fires once per arming, so that a callback that leads here again does not recurse.
contract ReentrantTarget {
    /// @notice Target of the next callback.
    address public callbackTarget;

    /// @notice Calldata of that call.
    bytes public data;

    /// @notice Whether the next call calls back.
    bool public armed;

    /// @notice Number of callbacks.
    uint256 public fired;

    /// @notice Whether the last callback succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the last callback.
    bytes public lastReturnData;

    receive() external payable {
        _callBack();
    }

    fallback() external payable {
        _callBack();
    }

    /// @notice Sets the next call back.
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
