// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {LocalToken} from "../../../../contracts/service/currencies/LocalToken.sol";
import {Test} from "../../support/Test.sol";
import {ManagedFixture} from "./ManagedFixture.sol";
import {ManagedHandler} from "./ManagedHandler.t.sol";

/// @title ManagedReceiverInvariantTest
/// @notice What holds after any sequence of deposits, refunds, attributions, withdrawals and rescues, honest and not.
contract ManagedReceiverInvariantTest is Test {
    ManagedHandler private _handler;
    ManagedReceiver private _receiver;

    function setUp() public {
        _handler = new ManagedHandler();
        _receiver = _handler.managed();
    }

    /// @notice Tells the runner whom to call.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice A request is accepted at most once, and is consumed exactly when it was.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 500
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ARequestIsAcceptedAtMostOnce() public view {
        for (uint256 which; which < 12; ++which) {
            bytes32 id = _handler.idOf(which);
            uint256 times = _handler.accepted(id);
            _assertLe(times, 1);
            _assertEq(_receiver.isConsumed(id), times == 1);
        }
    }

    /// @notice What is here is never less than what is credited.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 500
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_BalanceCoversWhatIsCredited() public view {
        _assertLe(_receiver.creditedTotal(address(0)), address(_receiver).balance);
        LocalToken token = LocalToken(_handler.tokenAddress());
        _assertLe(_receiver.creditedTotal(address(token)), token.balanceOf(address(_receiver)));
    }

    /// @notice The books agree with the handler's: to the unit, what came in is owed to a depositor or uncredited.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 500
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_EveryUnitIsOwedToADepositorOrToNobody() public view {
        address[2] memory currencies = [address(0), _handler.tokenAddress()];
        for (uint256 i; i < currencies.length; ++i) {
            _assertEq(_receiver.creditedTotal(currencies[i]), _handler.owedTotal(currencies[i]));
            _assertEq(_receiver.uncredited(currencies[i]), _handler.stray(currencies[i]));
            uint256 sum;
            for (uint256 which; which < 12; ++which) {
                uint256 credit = _receiver.creditOf(_handler.idOf(which), currencies[i]);
                _assertEq(credit, _handler.owed(_handler.idOf(which), currencies[i]));
                sum += credit;
            }
            _assertEq(sum, _receiver.creditedTotal(currencies[i]));
        }
    }

    /// @notice No altered record was accepted, no other depositor's money was taken, and credits could be withdrawn at any time.
    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 500
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_NothingWentThroughThatMustNot() public view {
        _assertEq(_handler.isBroken(), false);
    }

    /// @notice Runs at the end of every sequence: what was not paid yet can be, exactly once. So none passes that accepts nothing.
    function afterInvariant() public {
        for (uint256 which; which < 12; ++which) {
            ManagedFixture.Draw memory draw;
            draw.amount = 1 ether;
            draw.requestId = bytes32(which);
            draw.isNative = which % 2 == 0;
            draw.isV2 = which % 3 == 0;
            draw.lifetime = 1 hours;
            _handler.payAsSigned(draw);
            _handler.payAsSigned(draw);
            _assertEq(_handler.accepted(_handler.idOf(which)), 1);
        }
        _assertEq(_handler.isBroken(), false);
    }
}
