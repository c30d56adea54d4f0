// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RepayingPayee
/// @notice A contract that spends each payment on a call of the attacker's choice before it returns. Records the result of
/// that call, and never fails because of it.
/// @dev It fires once per arming, so that a callback that leads here again does not recurse.
contract RepayingPayee {
    /// @notice Target of the next payment.
    address public callbackTarget;

    /// @notice Calldata of that call.
    bytes public data;

    /// @notice Whether the next payment is sent back.
    bool public armed;

    /// @notice Number of callbacks.
    uint256 public fired;

    /// @notice Whether the last callback succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the last callback.
    bytes public lastReturnData;

    receive() external payable {
        _payBack();
    }

    fallback() external payable {
        _payBack();
    }

    /// @notice Sets the call that receives the next payment.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
        armed = true;
    }

    function _payBack() private {
        if (!armed) return;
        armed = false;
        ++fired;
        (lastSuccess, lastReturnData) = callbackTarget.call{value: msg.value}(data);
    }
}
