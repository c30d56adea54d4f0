// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Echo
/// @notice Returns or reverts with exactly the given bytes.
contract Echo {
    function say(bytes calldata answer, bool asRevert) external payable {
        bytes memory data = answer;
        assembly ("memory-safe") {
            if asRevert {
                revert(add(data, 0x20), mload(data))
            }
            return(add(data, 0x20), mload(data))
        }
    }
}
