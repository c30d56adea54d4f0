// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ReturndataBomb
/// @notice A contract that answers every call with a huge buffer, returned or reverted with, so that a caller
///         that copies it pays for the memory.
contract ReturndataBomb {
    /// @notice Length of its return data in bytes.
    uint256 public size;

    /// @notice Whether it reverts with them instead of returning them.
    bool public reverts;

    /// @param size_ length of the return data in bytes
    /// @param reverts_ whether it reverts with them
    constructor(uint256 size_, bool reverts_) {
        configure(size_, reverts_);
    }

    receive() external payable {
        _explode();
    }

    fallback() external payable {
        _explode();
    }

    /// @notice Changes the answer.
    /// @param size_ length of the return data in bytes
    /// @param reverts_ whether it reverts with them
    function configure(uint256 size_, bool reverts_) public {
        size = size_;
        reverts = reverts_;
    }

    function _explode() private view {
        uint256 length = size;
        bool asRevert = reverts;
        // Fresh memory is zero, so no write is needed.
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            if asRevert {
                revert(buffer, length)
            }
            return(buffer, length)
        }
    }
}
