// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IBalanceActions} from "../interfaces/IBalanceActions.sol";

/// @title Writing a live balance into calldata
/// @notice Refuses whatever could corrupt the call in silence: a word outside the calldata, over the selector, or taken.
/// @dev Alignment is not asked for: calldata nested in another call's `bytes` sits four bytes off.
library CalldataSplice {
    uint256 private constant SELECTOR_BYTES = 4;
    uint256 private constant WORD_BYTES = 32;

    /// @notice Overwrites the zero word at `offset` with `amount`, in place.
    /// @param data Calldata, selector first.
    /// @param offset Where the word begins, counted from the first byte of the selector.
    /// @param amount What to write.
    function write(bytes memory data, uint256 offset, uint256 amount) internal pure {
        uint256 length = data.length;
        if (offset < SELECTOR_BYTES || length < WORD_BYTES || offset > length - WORD_BYTES) {
            revert IBalanceActions.SpliceOutOfBounds(offset, length);
        }
        bytes32 found;
        assembly ("memory-safe") {
            found := mload(add(add(data, 0x20), offset))
        }
        if (found != 0) revert IBalanceActions.SpliceWordNotZero(offset, found);
        assembly ("memory-safe") {
            mstore(add(add(data, 0x20), offset), amount)
        }
    }
}
