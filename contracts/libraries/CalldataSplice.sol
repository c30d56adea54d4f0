// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IBalanceActions} from "../interfaces/proxy/IBalanceActions.sol";

/// @title Writing a live balance into calldata
/// @notice Rejects a word outside the calldata, over the selector, or not zero: each would corrupt the call silently.
/// @dev Requires no alignment: calldata nested in another call's `bytes` is offset by four bytes.
library CalldataSplice {
    uint256 private constant SELECTOR_BYTES = 4;

    /// @dev A selector and one word.
    uint256 private constant SHORTEST = 36;

    /// @notice Overwrites the zero word at `offset` with `amount`, in place.
    /// @param data Calldata, selector first.
    /// @param offset First byte of the word, counted from the first byte of the selector.
    /// @param amount The word to write.
    function write(bytes memory data, uint256 offset, uint256 amount) internal pure {
        uint256 length = data.length;
        unchecked {
            // An offset within the selector wraps around and exceeds every length.
            if (length < SHORTEST || offset - SELECTOR_BYTES > length - SHORTEST) {
                revert IBalanceActions.SpliceOutOfBounds(offset, length);
            }
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
