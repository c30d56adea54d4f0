// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The cheatcodes of forge that these tests use. forge-std has all of them.
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function createSelectFork(string calldata url) external returns (uint256);
    function envAddress(string calldata name) external view returns (address);
    function envBytes(string calldata name) external view returns (bytes memory);
    function envBytes32(string calldata name) external view returns (bytes32);
    function envString(string calldata name) external view returns (string memory);
    function envUint(string calldata name) external view returns (uint256);
    function expectRevert(bytes calldata reason) external;
    function prank(address caller) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
