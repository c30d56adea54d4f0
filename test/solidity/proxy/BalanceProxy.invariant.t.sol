// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ProxyHandler} from "./ProxyHandler.sol";
import {Test} from "../support/Test.sol";

/// @title BalanceProxyHandler
/// @notice The handler, as a contract of this file.
contract BalanceProxyHandler is ProxyHandler {}

/// @title BalanceProxyInvariantTest
/// @notice What holds after any sequence of calls.
contract BalanceProxyInvariantTest is Test {
    BalanceProxyHandler private _handler;

    function setUp() public {
        _handler = new BalanceProxyHandler();
    }

    /// @notice Tells the runner whom to call.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ProxyAndExecutorKeepNeitherMoneyNorApprovals() public view {
        _assertEq(_handler.keptByContracts(), 0);
    }

    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_SumInEqualsSumOut() public view {
        (uint256 tokens, uint256 others, uint256 native) = _handler.wentOut();
        _assertEq(tokens, _handler.brought());
        _assertEq(others, _handler.broughtOther());
        _assertEq(native, _handler.broughtNative());
    }

    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_EachRecipientGetsTheRestOfItsOwnAsset() public view {
        (uint256 tokens, uint256 shares, uint256 others, uint256 native) = _handler.reached();
        _assertEq(tokens, _handler.owed());
        _assertEq(shares, _handler.owedShares());
        _assertEq(others, _handler.owedOther());
        _assertEq(native, _handler.owedNative());
    }

    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_StandingAllowanceOfTheProxyServesNobodyElse() public view {
        (uint256 balance, uint256 allowance) = _handler.saved();
        _assertEq(balance, _handler.SAVINGS());
        _assertEq(allowance, type(uint256).max);
    }

    /// @notice Runs at the end of every sequence: one in which nothing went through would prove nothing.
    function afterInvariant() public view {
        _assertLe(1, _handler.done());
    }
}
