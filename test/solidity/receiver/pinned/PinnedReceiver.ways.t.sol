// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PermitsFixture} from "./PermitsFixture.sol";

/// @title PinnedReceiverWaysTest
/// @notice The payer is the depositor of every form of payment: refunds are its own.
contract PinnedReceiverWaysTest is PermitsFixture {
    function setUp() public {
        _deployPermits();
    }

    function testFuzz_AuditA8_TheOwnerIsTheDepositorOfEveryWay(Draw memory draw, uint8 way) public {
        (Payment memory payment, Way drawn) = _drawn(draw, way);
        _assertDepositor(payment, drawn);
    }

    function testFuzz_AuditA8_TheOwnerNotTheRelayerIsTheDepositorOfASignedPayment(
        Draw memory draw,
        bool isPermit2
    ) public {
        draw.bindsCaller = false;
        (Payment memory payment, ) = _drawn(draw, uint8(isPermit2 ? Way.Permit2 : Way.Authorization));
        payment.caller = STRANGER;
        _assertDepositor(payment, isPermit2 ? Way.Permit2 : Way.Authorization);
    }

    function _assertDepositor(Payment memory payment, Way way) private {
        bytes memory data = _callOf(payment, way);
        _expectDeposited(payment, OWNER);
        (bool success, bytes memory reason) = _attempt(payment, data);
        _assertEq(reason, "");
        _assertEq(success, true);
        _assertEq(payment.receiver.depositorOf(payment.requestId), OWNER);
        _assertEq(_balanceOf(payment.currency, SOLVER), payment.amount);
    }

    function _drawn(Draw memory draw, uint8 way) private view returns (Payment memory, Way) {
        Way drawn = Way(way % 5);
        draw.amount = _bound(draw.amount, 1, type(uint64).max);
        return (
            _signedPayment(draw, OWNER, drawn == Way.Authorization ? address(_auth) : address(_token)),
            drawn
        );
    }
}
