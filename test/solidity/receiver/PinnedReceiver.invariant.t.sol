// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PinnedReceiver} from "../../../contracts/receiver/PinnedReceiver.sol";
import {ReceiverHandler} from "./ReceiverHandler.t.sol";
import {Test} from "../support/Test.sol";

/// @title PinnedReceiverInvariantTest
/// @notice What holds after any sequence of payments, honest and not.
contract PinnedReceiverInvariantTest is Test {
    ReceiverHandler private _handler;

    function setUp() public {
        _handler = new ReceiverHandler();
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
    function invariant_RequestIsConsumedAtMostOnce() public view {
        (address byReceiver, address byCaller) = _handler.receivers();
        bytes32[] memory ids = _handler.tried();
        for (uint256 i; i < ids.length; ++i) {
            _assertConsumedAsAccepted(byReceiver, ids[i]);
            _assertConsumedAsAccepted(byCaller, ids[i]);
        }
    }

    /// hardhat-config: default.invariant.runs = 256
    /// hardhat-config: long.invariant.runs = 1000
    /// hardhat-config: invariant.depth = 24
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ReceiversKeepNothingAndPayeesGetExactlyWhatWasAccepted() public view {
        (uint256 nativePaid, uint256 tokensPaid, uint256 kept) = _handler.holdings();
        _assertEq(kept, 0);
        _assertEq(nativePaid, _handler.acceptedNative());
        _assertEq(tokensPaid, _handler.acceptedTokens());
    }

    /// @notice Runs at the end of every sequence: one in which nothing was accepted, or nothing refused, would prove
    /// nothing.
    function afterInvariant() public view {
        _assertLe(1, _handler.acceptedCount());
        _assertLe(_handler.acceptedCount() + 1, _handler.tried().length);
    }

    function _assertConsumedAsAccepted(address receiver, bytes32 id) private view {
        uint256 times = _handler.accepted(receiver, id);
        _assertLe(times, 1);
        _assertEq(PinnedReceiver(payable(receiver)).isConsumed(id), times == 1);
    }
}
