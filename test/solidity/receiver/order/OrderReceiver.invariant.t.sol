// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../../support/Test.sol";
import {OrderHandler} from "./OrderHandler.t.sol";

/// @title OrderReceiverInvariantTest
/// @notice What holds after any sequence of payments of orders, honest and not.
contract OrderReceiverInvariantTest is Test {
    OrderHandler private _handler;

    function setUp() public {
        _handler = new OrderHandler();
    }

    /// @notice Tells the runner whom to call.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice Whichever of its inputs is paid, an order is paid at most once, and is consumed exactly when it was.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ByWhicheverInputAnOrderIsPaidAtMostOnce() public view {
        for (uint256 which; which < 12; ++which) {
            bytes32 id = _handler.idOf(which);
            uint256 times = _handler.accepted(id);
            _assertLe(times, 1);
            _assertEq(_handler.receiver().isConsumed(id), times == 1);
        }
    }

    /// @notice Nothing the solver did not sign was accepted, and nothing it signed was refused.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ExactlyTheOrdersTheSolverSignedAreAccepted() public view {
        _assertEq(_handler.isBroken(), false);
    }

    /// @notice What payers spent is what the depository has; the receiver has what was left lying there and nothing else, and no
    /// approval stays.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_OrdersSumInEqualsSumOutAndNoApprovalStays() public view {
        address[2] memory currencies = [address(0), address(_handler.token())];
        for (uint256 i; i < currencies.length; ++i) {
            (uint256 paid, uint256 spent, uint256 kept) = _handler.holdings(currencies[i]);
            _assertEq(paid, _handler.acceptedSum(currencies[i]));
            _assertEq(spent, paid);
            _assertEq(kept, _handler.stray(currencies[i]));
        }
        _assertEq(
            _handler.token().allowance(address(_handler.receiver()), address(_handler.depository())),
            0
        );
    }

    /// @notice Runs at the end of every sequence: what was not paid in it can be, as signed, and everything once.
    function afterInvariant() public {
        for (uint256 which; which < 12; ++which) _handler.payAsSigned(which, which);
        _assertEq(_handler.acceptedCount(), 12);
        _assertEq(_handler.isBroken(), false);
    }
}
