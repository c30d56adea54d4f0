// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Consumed ids and their depositors
/// @notice One word per id: zero while unpaid, then the depositor.
library ConsumedIds {
    /// @notice Stores the depositor of an id. The caller reverts unless `previous` is zero.
    /// @dev Assembly, because the compiler hashes the mapping's key once for the read and again for the write. A branch for
    /// consumed ids would cost every deposit; the revert undoes the write.
    /// @param depositors Depositor of each consumed id.
    /// @param id A requestId or orderId.
    /// @param depositor The account as a word; not zero.
    /// @return previous The word before: zero for an unpaid id.
    function consume(
        mapping(bytes32 id => uint256 depositor) storage depositors,
        bytes32 id,
        uint256 depositor
    ) internal returns (uint256 previous) {
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x20, depositors.slot)
            let slot := keccak256(0x00, 0x40)
            previous := sload(slot)
            sstore(slot, depositor)
        }
    }
}
