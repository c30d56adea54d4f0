// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {PaymentInvariants} from "../PaymentInvariants.sol";
import {ManagedFixture} from "./ManagedFixture.sol";
import {ManagedHandler} from "./ManagedHandler.sol";
import {RotationHandler} from "./RotationHandler.sol";

/// @title ManagedReceiverHandler
contract ManagedReceiverHandler is ManagedHandler {}

/// @title ManagedReceiverInvariantTest
/// @notice Holds after any sequence of deposits, refunds, attributions, withdrawals and rescues, valid and not.
contract ManagedReceiverInvariantTest is PaymentInvariants {
    ManagedReceiverHandler private _handler;
    ManagedReceiver private _receiver;

    function setUp() public {
        _handler = new ManagedReceiverHandler();
        _receiver = _handler.managed();
        _observe(_handler);
    }

    /// @notice Every unit that came in is owed to a depositor or uncredited, and the balance covers all credits.
    function invariant_EveryUnitIsOwedToADepositorOrUncredited() public view {
        address[2] memory currencies = [address(0), _handler.tokenAddress()];
        for (uint256 i; i < currencies.length; ++i) {
            address currency = currencies[i];
            uint256 credited = _receiver.creditedTotal(currency);
            _assertLe(credited, _balanceOf(currency, address(_receiver)));
            _assertEq(credited, _handler.owedTotal(currency));
            _assertEq(_receiver.uncredited(currency), _handler.stray(currency));
            uint256 sum;
            for (uint256 which; which < _handler.IDS(); ++which) {
                uint256 credit = _receiver.creditOf(_handler.idOf(which), currency);
                _assertEq(credit, _handler.owed(_handler.idOf(which), currency));
                sum += credit;
            }
            _assertEq(sum, credited);
        }
    }

    /// @notice Pays every request twice, so that a receiver that refuses everything fails.
    function afterInvariant() public {
        for (uint256 which; which < 2 * _handler.IDS(); ++which) {
            ManagedFixture.Draw memory draw;
            draw.amount = 1 ether;
            draw.requestId = bytes32(which);
            draw.isNative = which % 2 == 0;
            draw.lifetime = 1 hours;
            _handler.payAsSigned(draw);
        }
        _assertEq(_handler.acceptedCount(), _handler.IDS());
        _assertEq(_handler.isBroken(), false);
    }
}

/// @title ManagedRotationHandler
contract ManagedRotationHandler is RotationHandler {}

/// @title ManagedRotationInvariantTest
/// @notice Holds while solvers come and go.
contract ManagedRotationInvariantTest is PaymentInvariants {
    ManagedRotationHandler private _handler;

    function setUp() public {
        _handler = new ManagedRotationHandler();
        _observe(_handler);
    }

    /// @notice Every accepted deposit reached its signer or its signer's payee, and the receiver keeps nothing.
    function invariant_AcceptedDepositsReachTheirSignersPayee() public view {
        for (uint256 which; which < _handler.SIGNERS(); ++which) {
            RotationHandler.Received memory received = _handler.received(which);
            _assertEq(received.native, received.expectedNative);
            _assertEq(received.tokens, received.expectedTokens);
            _assertEq(received.kept, 0);
        }
    }

    /// @notice Pays every request that the sequence did not pay, by a solver that is retired and announced again.
    function afterInvariant() public {
        _handler.retire(1, 0);
        _handler.add(1, 0);
        _handler.wait(1 days);
        for (uint256 which; which < _handler.IDS(); ++which) {
            ManagedFixture.Draw memory draw;
            draw.amount = 1 ether;
            draw.requestId = bytes32(which);
            draw.isNative = which % 2 == 0;
            draw.lifetime = 1 hours;
            _handler.pay(draw, 1);
        }
        _assertEq(_handler.acceptedCount(), _handler.IDS());
        _assertEq(_handler.isBroken(), false);
    }
}
