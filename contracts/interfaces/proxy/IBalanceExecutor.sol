// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBalanceActions} from "./IBalanceActions.sol";

/// @title The contract that makes the calls
/// @notice See `IBalanceActions`. Fund and call it in one transaction; never approve it.
interface IBalanceExecutor is IBalanceActions {
    /// @notice Thrown when a caller other than the proxy tries to lock the executor.
    /// @param caller The rejected caller.
    /// @param proxy The only account allowed.
    error CallerIsNotProxy(address caller, address proxy);

    /// @notice Locks the executor to all callers but the proxy until the proxy's next call in this transaction. Tokens
    /// may call back while the proxy pulls them; the lock keeps such calls away from funds that have arrived.
    /// @dev Only for the proxy. Reverts with `CallerIsNotProxy`, or with `Reentrancy` when the executor is running or
    /// locked.
    function lock() external;

    /// @notice The proxy that deployed this executor.
    /// @return Its address.
    function proxy() external view returns (address);
}
