// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IBalanceActions} from "../interfaces/proxy/IBalanceActions.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Approvals that end with the call they were given for
/// @notice After the call, the unused part of the approval must still be in the balance. A lower balance was taken by
/// another authority.
library ExactApproval {
    using SafeTransferLib for address;

    /// @notice Sets the approval to zero unless the spender used all of it.
    /// @param token The approved token.
    /// @param spender The approved spender.
    /// @param given The approved amount.
    /// @return unused The unused part, at most `given`. Some tokens report an infinite allowance for some spenders at
    /// any approval; then nothing counts as used.
    function takeBack(address token, address spender, uint256 given) internal returns (uint256 unused) {
        unused = TokenReads.allowance(token, address(this), spender);
        if (unused != 0) token.safeApprove(spender, 0);
        if (unused > given) unused = given;
    }

    /// @notice Reverts with `UnapprovedOutflow` when the balance is below the minimum.
    /// @param index The step's place in the list.
    /// @param token The measured token.
    /// @param left Balance of this contract after the step.
    /// @param minimum The required balance.
    function requireLeft(uint256 index, address token, uint256 left, uint256 minimum) internal pure {
        if (left < minimum) revert IBalanceActions.UnapprovedOutflow(index, token, left, minimum);
    }
}
