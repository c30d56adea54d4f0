// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title SelfDestructingTarget
/// @notice Destroys itself in every call and forces its native balance on the caller. Loses its code only in the transaction
/// that created it (EIP-6780); otherwise it can be called again.
contract SelfDestructingTarget {
    /// @dev The code is CALLER SELFDESTRUCT, in bytes, because the compiler rightly warns of the instruction.
    constructor() payable {
        assembly ("memory-safe") {
            mstore(0x00, shl(240, 0x33ff))
            return(0x00, 0x02)
        }
    }
}
