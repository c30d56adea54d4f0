// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title CalldataNote
/// @notice Notes the calldata of the last call it was paid with.
contract CalldataNote {
    bytes private _noted;

    receive() external payable {
        delete _noted;
    }

    fallback() external payable {
        _noted = msg.data;
    }

    /// @notice What was noted.
    /// @return data the calldata
    function noted() external view returns (bytes memory data) {
        return _noted;
    }
}
