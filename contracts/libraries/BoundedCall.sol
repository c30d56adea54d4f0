// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Calls whose callee cannot make the caller pay for its return data
/// @notice A callee may return megabytes, and the caller pays for copying them. These calls copy nothing. After a
/// failed call, `revertReason` copies its revert data up to a limit.
library BoundedCall {
    /// @dev Fits a custom error with a dozen arguments or a long reason string.
    uint256 internal constant MAX_REASON_BYTES = 1024;

    /// @notice Calls `target` with all remaining gas.
    /// @param target The callee. A call of an account without code succeeds, so callers check for code.
    /// @param value Wei to send along.
    /// @param data Calldata.
    /// @return success Whether the call returned rather than reverted; if not, `revertReason` says why.
    function tryCall(address target, uint256 value, bytes memory data) internal returns (bool success) {
        assembly ("memory-safe") {
            success := call(gas(), target, value, add(data, 0x20), mload(data), 0x00, 0x00)
        }
    }

    /// @notice Calls `target` with all remaining gas and one word of calldata.
    /// @param target The callee. An account without code accepts the value and the call succeeds.
    /// @param value Wei to send along.
    /// @param word All of the calldata.
    /// @return success Whether the call returned rather than reverted; if not, `revertReason` says why.
    function tryCall(address target, uint256 value, bytes32 word) internal returns (bool success) {
        assembly ("memory-safe") {
            mstore(0x00, word)
            success := call(gas(), target, value, 0x00, 0x20, 0x00, 0x00)
        }
    }

    /// @notice Whether the last external call returned no data. Ask before the next call.
    /// @return nothing True for a call of an account without code, too.
    function returnedNothing() internal pure returns (bool nothing) {
        assembly ("memory-safe") {
            nothing := iszero(returndatasize())
        }
    }

    /// @notice The revert data of the last external call, cut to `MAX_REASON_BYTES`. Read it before the next call.
    /// @return reason A fresh copy in memory.
    function revertReason() internal pure returns (bytes memory reason) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, MAX_REASON_BYTES) {
                size := MAX_REASON_BYTES
            }
            reason := mload(0x40)
            mstore(reason, size)
            returndatacopy(add(reason, 0x20), 0x00, size)
            // The next free word, so that memory stays word-aligned as the compiler expects.
            mstore(0x40, and(add(add(reason, 0x3f), size), not(0x1f)))
        }
    }
}
