// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBalanceActions} from "./IBalanceActions.sol";

/// @title The entry point that pulls
/// @notice Approve this contract, call it: for each token that is named and approved, the lesser of the caller's balance
/// and allowance goes to the executor, and the rest is the executor's work. See `IBalanceActions` for the functions.
///
/// Assumptions:
/// - The router approves and calls in one transaction. An allowance that stays on a shared router lets anybody who gets
///   the router to call this contract spend what is later left on the router; compose an approval of zero behind the call.
interface IBalanceProxy is IBalanceActions {
    /// @notice The contract that makes the calls. Send money there, and call it directly, to do without an approval.
    /// @return The executor's address, made by this contract's constructor and fixed.
    function executor() external view returns (address);
}
