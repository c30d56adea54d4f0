// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMulticaller} from "./interfaces/IMulticaller.sol";
import {MulticallerBase} from "./MulticallerBase.sol";

/// @title Multicaller
/// @notice Local stand-in for the public multicaller that the service names. Never deploy it to a public chain.
/// @dev Weakness, as in production: any account can take native currency and spend approvals that are left to it.
contract Multicaller is MulticallerBase {
    /// @inheritdoc IMulticaller
    function aggregate(
        address[] calldata targets,
        bytes[] calldata data,
        uint256[] calldata values,
        address refundTo
    ) external payable returns (bytes[] memory results) {
        return _aggregate(targets, data, values, refundTo);
    }
}
