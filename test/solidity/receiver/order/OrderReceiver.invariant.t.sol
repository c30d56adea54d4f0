// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SumInvariants} from "../PaymentInvariants.sol";
import {OrderHandler} from "./OrderHandler.sol";

/// @title OrderReceiverHandler
contract OrderReceiverHandler is OrderHandler {}

/// @title OrderReceiverInvariantTest
contract OrderReceiverInvariantTest is SumInvariants {
    OrderReceiverHandler private _handler;

    function setUp() public {
        _handler = new OrderReceiverHandler();
        _observe(_handler);
    }

    /// @notice The receiver leaves the depository no allowance.
    function invariant_NoApprovalStays() public view {
        address receiver = address(_handler.receiver());
        _assertEq(_handler.token().allowance(receiver, address(_handler.depository())), 0);
    }

    /// @notice Pays every order that the sequence did not pay, so that a receiver that refuses everything fails.
    function afterInvariant() public {
        uint256 count = _handler.ORDERS();
        for (uint256 which; which < count; ++which) _handler.payAsSigned(which, which);
        _assertEq(_handler.acceptedCount(), count);
        _assertEq(_handler.isBroken(), false);
    }
}
