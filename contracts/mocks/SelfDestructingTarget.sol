// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title SelfDestructingTarget
/// @notice Destroys itself in every call and forces its native currency upon the caller. Its code goes with it only in the
///         transaction that made it (EIP-6780); otherwise it can be called, and destroyed, again.
contract SelfDestructingTarget {
    /// @dev The code is CALLER SELFDESTRUCT, in bytes, because the compiler rightly warns of the instruction.
    constructor() payable {
        assembly ("memory-safe") {
            mstore(0x00, shl(240, 0x33ff))
            return(0x00, 0x02)
        }
    }
}
