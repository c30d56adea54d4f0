// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title GasBurningRecipient
/// @notice A contract that burns a given amount of gas on every call, then accepts the value. With less gas the call
/// fails.
contract GasBurningRecipient {
    /// @notice Gas that a call burns.
    uint256 public immutable gasToBurn;

    /// @param gasToBurn_ gas that a call burns
    constructor(uint256 gasToBurn_) {
        gasToBurn = gasToBurn_;
    }

    receive() external payable {
        _burn();
    }

    fallback() external payable {
        _burn();
    }

    function _burn() private view {
        uint256 start = gasleft();
        uint256 wanted = gasToBurn;
        while (start - gasleft() < wanted) {}
    }
}
