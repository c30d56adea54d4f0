// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title ICheats
/// @notice The cheatcodes that the kit needs, and those that a test of a receiver usually needs. Forge and Hardhat have all of
/// them. In a project with forge-std, `vm` is the same contract.
interface ICheats {
    /// @notice Derives the address of a key.
    function addr(uint256 privateKey) external pure returns (address account);

    /// @notice Signs a digest, with low `s`; `v` is 27 or 28.
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    /// @notice Skips this run of a fuzz test unless the condition holds.
    function assume(bool condition) external pure;

    /// @notice Reads an environment variable.
    function envString(string calldata name) external view returns (string memory value);

    /// @notice Reads an environment variable that holds an address.
    function envAddress(string calldata name) external view returns (address value);

    /// @notice Reads an environment variable that holds a number.
    function envUint(string calldata name) external view returns (uint256 value);

    /// @notice Reads an environment variable that holds bytes in hex.
    function envBytes(string calldata name) external view returns (bytes memory value);

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

    /// @notice Forks the chain behind a JSON-RPC URL at its latest block, and selects the fork.
    function createSelectFork(string calldata url) external returns (uint256 forkId);

    /// @notice Selects a fork. Every fork has a state of its own; the test contract is the same on all.
    function selectFork(uint256 forkId) external;
}
