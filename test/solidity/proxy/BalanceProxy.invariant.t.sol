// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InvariantTest} from "../support/InvariantTest.sol";
import {ProxyHandler} from "./ProxyHandler.sol";

/// @title BalanceProxyHandler
contract BalanceProxyHandler is ProxyHandler {}

/// @title BalanceProxyInvariantTest
contract BalanceProxyInvariantTest is InvariantTest {
    BalanceProxyHandler private _handler;

    function setUp() public {
        _handler = new BalanceProxyHandler();
        _callOnly(address(_handler));
    }

    function invariant_ProxyAndExecutorKeepNeitherMoneyNorApprovals() public view {
        _assertEq(_handler.keptByContracts(), 0);
    }

    function invariant_SumInEqualsSumOutAndEachRecipientGetsTheRestOfItsAsset() public view {
        ProxyHandler.Amounts memory reached = _handler.reached();
        _assertEq(abi.encode(reached), abi.encode(_handler.owed()));
        ProxyHandler.Amounts memory brought = _handler.brought();
        ProxyHandler.Amounts memory taken = _handler.taken();
        _assertEq(reached.tokens + taken.tokens, brought.tokens);
        _assertEq(reached.others + taken.others, brought.others);
        _assertEq(reached.native + taken.native, brought.native);
    }

    function invariant_StandingAllowanceOfTheProxyServesItsOwnerOnly() public view {
        (uint256 balance, uint256 allowance) = _handler.saved();
        _assertEq(balance, _handler.SAVINGS());
        _assertEq(allowance, type(uint256).max);
    }

    /// @notice A sequence in which no call succeeded would prove nothing.
    function afterInvariant() public view {
        _assertLe(1, _handler.done());
    }
}
