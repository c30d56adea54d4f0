// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IVm
/// @notice The cheatcodes of the test runner that the tests use.
interface IVm {
    /// @notice Signs a digest, with low `s`; `v` is 27 or 28.
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    /// @notice Derives the address of a key.
    function addr(uint256 privateKey) external pure returns (address account);

    /// @notice Sets the sender of the next call.
    function prank(address sender) external;

    /// @notice Sets an account's native balance.
    function deal(address account, uint256 balance) external;

    /// @notice Sets an account's code.
    function etch(address account, bytes calldata code) external;

    /// @notice Sets the chain id.
    function chainId(uint256 id) external;

    /// @notice Sets the time of the block, in seconds.
    function warp(uint256 timestamp) external;

    /// @notice Requires the next call to revert with exactly this data, selector included.
    function expectRevert(bytes calldata revertData) external;

    /// @notice Skips this run of a fuzz test unless the condition holds.
    function assume(bool condition) external pure;
}
