// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InvariantTest} from "../../support/InvariantTest.sol";
import {CoverageHandler} from "./CoverageHandler.sol";

/// @title RefundLedgerHandler
contract RefundLedgerHandler is CoverageHandler {}

/// @title RefundLedgerInvariantTest
contract RefundLedgerInvariantTest is InvariantTest {
    RefundLedgerHandler private _handler;

    function setUp() public {
        _handler = new RefundLedgerHandler();
        _callOnly(address(_handler));
    }

    /// @notice The ledger holds at least the sum of credits, whatever the token charges its sender.
    function invariant_CreditedRefundsStayCoveredInATokenThatTaxesItsSender() public view {
        address desk = address(_handler.desk());
        _assertLe(_handler.desk().creditedTotal(address(_handler.token())), _handler.token().balanceOf(desk));
    }
}
