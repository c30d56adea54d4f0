// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CalldataSplice} from "../../../contracts/libraries/CalldataSplice.sol";

/// @title SpliceDesk
/// @notice Gives the internal library an outside, so that its reverts can be expected.
contract SpliceDesk {
    /// @notice Writes an amount into calldata.
    /// @param data the calldata
    /// @param offset where
    /// @param amount what
    /// @return spliced the calldata afterwards
    function write(
        bytes memory data,
        uint256 offset,
        uint256 amount
    ) external pure returns (bytes memory spliced) {
        CalldataSplice.write(data, offset, amount);
        return data;
    }
}
