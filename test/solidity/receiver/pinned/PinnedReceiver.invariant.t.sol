// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {SumInvariants} from "../PaymentInvariants.sol";
import {PinnedFixture} from "./PinnedFixture.sol";
import {PinnedHandler} from "./PinnedHandler.sol";

/// @title PlainHandler
/// @notice Pays `PinnedReceiver`, which has the plain deposits only.
contract PlainHandler is PinnedHandler {
    function _newReceiver(IRecordReceiver.Binding binding) internal override returns (PinnedReceiver) {
        return new PinnedReceiver(SOLVER, NATIVE_PAYEE, binding, REFUND_PAYEE);
    }

    function _wayFor(address, uint256) internal pure override returns (Way) {
        return Way.Plain;
    }
}

/// @title PermitsHandler
/// @notice Pays `PinnedReceiverPermits` every way.
contract PermitsHandler is PinnedHandler {}

/// @title PinnedInvariants
/// @notice Holds at both pinned receivers.
abstract contract PinnedInvariants is SumInvariants {
    /// @notice Pays every request that the sequence did not pay, so that a receiver that refuses everything fails.
    function afterInvariant() public {
        PinnedHandler handler = PinnedHandler(address(_book));
        uint256 count = 2 * handler.IDS();
        for (uint256 which; which < count; ++which) {
            PinnedFixture.Draw memory draw;
            draw.amount = 1 ether;
            draw.requestId = bytes32(which / 2);
            draw.isNative = which % 3 == 0;
            draw.bindsCaller = which % 2 == 0;
            handler.payAsSigned(draw, which);
        }
        _assertEq(handler.acceptedCount(), count);
        _assertEq(handler.isBroken(), false);
    }
}

/// @title PinnedReceiverInvariantTest
contract PinnedReceiverInvariantTest is PinnedInvariants {
    function setUp() public {
        _observe(new PlainHandler());
    }
}

/// @title PinnedReceiverPermitsInvariantTest
contract PinnedReceiverPermitsInvariantTest is PinnedInvariants {
    function setUp() public {
        _observe(new PermitsHandler());
    }
}
