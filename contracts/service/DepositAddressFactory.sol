// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DepositAddress} from "./DepositAddress.sol";
import {IDepositAddress} from "./interfaces/IDepositAddress.sol";
import {IDepositAddressFactory} from "./interfaces/IDepositAddressFactory.sol";

/// @title DepositAddressFactory
/// @notice Local stand-in for the service's factory of deposit addresses. Never deploy it to a public chain.
/// @dev Assumption: production creates minimal proxies (ERC-1167). A proxy's delegatecall needs more gas than Solidity's `transfer`
/// brings, so this stand-in's proxies stop on empty calldata.
contract DepositAddressFactory is IDepositAddressFactory {
    /// @dev Init code, which returns the 52 bytes after it; then a proxy that jumps to a `STOP` on empty calldata.
    bytes25 private constant BEFORE = hex"3d603480600a3d3981f33615603257363d3d373d3d3d363d73";
    /// @dev The delegatecall's end, as in ERC-1167, and the `STOP`.
    bytes17 private constant AFTER = hex"5af43d82803e903d91603057fd5bf35b00";

    address private immutable IMPLEMENTATION = address(new DepositAddress());

    address private immutable SERVICE;

    /// @param service the account that sweeps
    constructor(address service) {
        SERVICE = service;
    }

    /// @inheritdoc IDepositAddressFactory
    function sweep(bytes32 salt, IDepositAddress.Sweep calldata deposit) external {
        if (msg.sender != SERVICE) revert Unauthorized();
        address account = computeDepositAddress(salt);
        if (account.code.length == 0) {
            bytes memory initCode = _initCode();
            // A failed creation leaves no code, which the call below refuses.
            assembly ("memory-safe") {
                pop(create2(0, add(initCode, 32), mload(initCode), salt))
            }
        }
        IDepositAddress(payable(account)).sweep(deposit);
    }

    /// @inheritdoc IDepositAddressFactory
    function computeDepositAddress(bytes32 salt) public view returns (address account) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), this, salt, keccak256(_initCode())));
        return address(uint160(uint256(hash)));
    }

    function _initCode() private view returns (bytes memory) {
        return abi.encodePacked(BEFORE, IMPLEMENTATION, AFTER);
    }
}
