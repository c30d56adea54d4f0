// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {HookRegistry} from "./HookRegistry.sol";

/// @title HookedToken
/// @notice A token with the hooks of ERC-777: it calls the sender's registered hook before tokens move, and the
/// recipient's after.
contract HookedToken is ERC20 {
    HookRegistry private constant REGISTRY = HookRegistry(0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24);
    bytes32 private constant SENDER = keccak256("ERC777TokensSender");
    bytes32 private constant RECIPIENT = keccak256("ERC777TokensRecipient");

    /// @notice Thrown when a hook reverts.
    /// @param implementer whose hook it is
    error HookFailed(address implementer);

    constructor() ERC20("Hooked", "HOOK") {}

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0)) _callHook(from, SENDER);
        super._update(from, to, value);
        _callHook(to, RECIPIENT);
    }

    function _callHook(address account, bytes32 interfaceHash) private {
        address implementer = REGISTRY.getInterfaceImplementer(account, interfaceHash);
        if (implementer == address(0)) return;
        (bool success, ) = implementer.call(abi.encodeWithSelector(bytes4(interfaceHash), account));
        if (!success) revert HookFailed(implementer);
    }
}
