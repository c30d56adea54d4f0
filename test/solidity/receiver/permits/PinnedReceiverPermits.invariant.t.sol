// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PinnedReceiverPermits} from "../../../../contracts/receiver/PinnedReceiverPermits.sol";
import {ReceiverFixture} from "../../support/ReceiverFixture.sol";
import {Test} from "../../support/Test.sol";
import {PermitsHandler} from "./PermitsHandler.t.sol";

/// @title PinnedReceiverPermitsInvariantTest
/// @notice What holds after any sequence of payments by every way, honest and not.
contract PinnedReceiverPermitsInvariantTest is Test {
    PermitsHandler private _handler;

    function setUp() public {
        _handler = new PermitsHandler();
    }

    /// @notice Tells the runner whom to call.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice Over any mix of ways, a request is paid at most once, and is consumed exactly when it was.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 32
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_OverAnyMixOfWaysARequestIsPaidAtMostOnce() public view {
        for (uint256 which; which < 24; ++which) {
            (, address[2] memory receivers, bytes32 id) = _handler.subjects(which);
            for (uint256 i; i < receivers.length; ++i) {
                uint256 times = _handler.accepted(receivers[i], id);
                _assertLe(times, 1);
                _assertEq(PinnedReceiverPermits(payable(receivers[i])).isConsumed(id), times == 1);
            }
        }
    }

    /// @notice Nothing the solver did not sign was accepted, and nothing it signed was refused.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 32
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ByEveryWayExactlyWhatTheSolverSignedIsAccepted() public view {
        _assertEq(_handler.isBroken(), false);
    }

    /// @notice What payers spent is what payees have, and receivers have what was left lying there and nothing else.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 32
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ByEveryWaySumInEqualsSumOutAndStraysArePaidToNobody() public view {
        (address[3] memory currencies, , ) = _handler.subjects(0);
        for (uint256 i; i < currencies.length; ++i) {
            (uint256 paid, uint256 spent, uint256 kept) = _handler.holdings(currencies[i]);
            _assertEq(paid, _handler.acceptedSum(currencies[i]));
            _assertEq(spent, paid);
            _assertEq(kept, _handler.stray(currencies[i]));
        }
    }

    /// @notice Runs at the end of every sequence: what was not paid in it can be, as signed, and everything once.
    function afterInvariant() public {
        for (uint256 which; which < 48; ++which) {
            ReceiverFixture.Draw memory draw;
            draw.amount = 1 ether;
            draw.requestId = bytes32(which / 2);
            draw.isNative = which % 3 == 0;
            draw.bindsCaller = which % 2 == 0;
            _handler.payAsSigned(draw, which);
        }
        _assertEq(_handler.acceptedCount(), 48);
        _assertEq(_handler.isBroken(), false);
    }
}
