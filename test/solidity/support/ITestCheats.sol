// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ITestCheats
/// @notice Cheatcodes that only the tests of this repository need.
interface ITestCheats {
    /// @notice Requires that the next call emits the event that the test emits after this call.
    function expectEmit(address emitter) external;

    function store(address account, bytes32 slot, bytes32 value) external;

    function getNonce(address account) external view returns (uint64 nonce);

    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address account);
}
