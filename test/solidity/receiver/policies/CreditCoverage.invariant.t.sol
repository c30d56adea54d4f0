// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../../support/Test.sol";
import {CoverageHandler} from "./CoverageHandler.t.sol";

/// @title CreditCoverageInvariantTest
/// @notice Holds after any sequence of calls in a token that taxes its sender on top of the amount.
contract CreditCoverageInvariantTest is Test {
    CoverageHandler private _handler;

    function setUp() public {
        _handler = new CoverageHandler();
    }

    /// @notice Restricts the runner's calls.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice The ledger holds at least what is credited, whatever the token takes on the way out.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 32
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_CreditedRefundsStayCoveredInATokenThatTaxesItsSender() public view {
        address token = address(_handler.token());
        _assertLe(_handler.desk().creditedTotal(token), _handler.token().balanceOf(address(_handler.desk())));
    }
}
