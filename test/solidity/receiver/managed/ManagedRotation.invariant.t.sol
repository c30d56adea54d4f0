// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../../support/Test.sol";
import {ManagedFixture} from "./ManagedFixture.sol";
import {RotationHandler} from "./RotationHandler.t.sol";

/// @title ManagedRotationInvariantTest
/// @notice What holds while solvers come and go.
contract ManagedRotationInvariantTest is Test {
    RotationHandler private _handler;

    function setUp() public {
        _handler = new RotationHandler();
    }

    /// @notice Tells the runner whom to call.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice Money is let in exactly when a solver that is active now signed exactly what is sent, for a request not paid.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_OnlyAnActiveSolversSignatureOverExactlyWhatIsSentLetsMoneyIn() public view {
        _assertEq(_handler.isBroken(), false);
    }

    /// @notice By any of the four functions, a request is paid at most once, and is consumed exactly when it was.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ByAnyFunctionARequestIsPaidAtMostOnce() public view {
        for (uint256 which; which < 24; ++which) {
            (uint256 times, bool isConsumed) = _handler.requestOf(which);
            _assertLe(times, 1);
            _assertEq(isConsumed, times == 1);
        }
    }

    /// @notice Every accepted deposit is with its signer's payee, and the receiver keeps nothing.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_WhatIsAcceptedReachesThePayeeOfWhoeverSignedIt() public view {
        for (uint256 which; which < 4; ++which) {
            (uint256[2] memory native, uint256[2] memory tokens, uint256 kept) = _handler.holdings(which);
            _assertEq(native[0], native[1]);
            _assertEq(tokens[0], tokens[1]);
            _assertEq(kept, 0);
        }
    }

    /// @notice Runs at the end of every sequence: after one more rotation what was not paid in it can be, and everything once.
    function afterInvariant() public {
        _handler.retire(1, 0);
        _handler.add(1, 0);
        _handler.wait(1 days);
        for (uint256 which; which < 24; ++which) {
            ManagedFixture.Draw memory draw;
            draw.amount = 1 ether;
            draw.requestId = bytes32(which);
            draw.isNative = which % 2 == 0;
            draw.isV2 = which % 3 == 0;
            draw.lifetime = 1 hours;
            _handler.pay(draw, 1);
        }
        _assertEq(_handler.acceptedCount(), 24);
        _assertEq(_handler.isBroken(), false);
    }
}
