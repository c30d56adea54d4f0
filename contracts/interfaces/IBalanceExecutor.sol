// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBalanceActions} from "./IBalanceActions.sol";

/// @title The contract that makes the calls
/// @notice See `IBalanceActions`. Send it money and call it in one transaction; never approve it.
interface IBalanceExecutor is IBalanceActions {
    /// @notice Thrown when anybody but the proxy asks to hold the executor.
    /// @param caller Who asked.
    /// @param proxy Who may.
    error CallerIsNotProxy(address caller, address proxy);

    /// @notice Keeps everybody but the proxy out until the proxy's next call, in this transaction. Tokens may call back while
    /// they are pulled; nobody may then act on what has arrived already.
    /// @dev For the proxy. Reverts with `CallerIsNotProxy`, or with `Reentrancy` when the executor is at work or held.
    function hold() external;

    /// @notice The proxy that this executor belongs to: whoever deployed it.
    /// @return Its address.
    function proxy() external view returns (address);
}
