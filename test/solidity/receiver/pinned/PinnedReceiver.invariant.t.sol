// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SumInvariants} from "../PaymentInvariants.sol";
import {PinnedFixture} from "./PinnedFixture.sol";
import {PinnedHandler} from "./PinnedHandler.sol";

/// @title PinnedReceiverHandler
contract PinnedReceiverHandler is PinnedHandler {}

/// @title PinnedReceiverInvariantTest
/// @notice Holds at both pinned receivers.
contract PinnedReceiverInvariantTest is SumInvariants {
    function setUp() public {
        _observe(new PinnedReceiverHandler());
    }

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
