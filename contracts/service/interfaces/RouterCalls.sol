// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A call a router makes.
/// @param target the account that is called; a call to an account without code succeeds silently
/// @param allowFailure whether the multicall continues after a failure of this call
/// @param value native value, from the router's balance
/// @param callData the calldata
struct Call3Value {
    address target;
    bool allowFailure;
    uint256 value;
    bytes callData;
}

/// @notice Result of a call.
/// @param success whether it succeeded
/// @param returnData return or revert data
struct Result {
    bool success;
    bytes returnData;
}
