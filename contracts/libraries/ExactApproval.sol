// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IBalanceActions} from "../interfaces/IBalanceActions.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Approvals that end with the call they were given for
/// @notice What a spender leaves of its approval must still be there. A balance below that was taken by another authority.
library ExactApproval {
    using SafeTransferLib for address;

    /// @notice Sets the approval to zero unless the spender used all of it.
    /// @param token The approved token.
    /// @param spender Who was approved.
    /// @param given How much was approved.
    /// @return unused What the spender did not take, at most `given`: some tokens report an infinite allowance for some
    /// spenders whatever was approved, and then nothing counts as taken.
    function takeBack(address token, address spender, uint256 given) internal returns (uint256 unused) {
        unused = TokenReads.allowance(token, address(this), spender);
        if (unused != 0) token.safeApprove(spender, 0);
        if (unused > given) unused = given;
    }

    /// @notice Reverts with `UnapprovedOutflow` when less is left than must be.
    /// @param index The step's place in the list.
    /// @param token The token that was measured.
    /// @param left What this contract holds after the step.
    /// @param minimum What must be left.
    function requireLeft(uint256 index, address token, uint256 left, uint256 minimum) internal pure {
        if (left < minimum) revert IBalanceActions.UnapprovedOutflow(index, token, left, minimum);
    }
}
