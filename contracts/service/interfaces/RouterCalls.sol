// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A call a router makes.
/// @param target the account that is called; one without code succeeds silently
/// @param allowFailure whether the multicall goes on when this call fails
/// @param value the native value sent along, taken from whatever the router holds
/// @param callData the calldata
struct Call3Value {
    address target;
    bool allowFailure;
    uint256 value;
    bytes callData;
}

/// @notice Result of a call.
/// @param success whether it went through
/// @param returnData what it returned or reverted with
struct Result {
    bool success;
    bytes returnData;
}
