// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title CalldataNote
/// @notice Records the calldata of its last call.
contract CalldataNote {
    bytes private _noted;

    receive() external payable {
        delete _noted;
    }

    fallback() external payable {
        _noted = msg.data;
    }

    function noted() external view returns (bytes memory data) {
        return _noted;
    }
}
