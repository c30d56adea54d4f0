// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";

/// @title InvariantTest
/// @notice Base of a campaign in which the runner calls one handler.
abstract contract InvariantTest is Test {
    address private _handlerAddress;

    /// @notice Restricts the runner's calls to the handler.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = _handlerAddress;
    }

    function _callOnly(address handler) internal {
        _handlerAddress = handler;
    }
}
