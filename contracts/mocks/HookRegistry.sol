// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title HookRegistry
/// @notice Hook functions of the ERC-1820 registry: an account or its manager sets the implementer of an interface. Tests
/// place it at the registry's address.
contract HookRegistry {
    mapping(address account => address) private _managers;
    mapping(address account => mapping(bytes32 interfaceHash => address)) private _implementers;

    /// @notice Thrown when a caller other than the account registers for it.
    /// @param account the account
    /// @param caller caller
    error CallerNotManager(address account, address caller);

    /// @notice Makes another account the manager.
    /// @param account account
    /// @param manager its new manager
    function setManager(address account, address manager) external {
        _requireManager(account);
        _managers[account] = manager;
    }

    /// @notice Registers an implementer.
    /// @param account account
    /// @param interfaceHash hash of the interface's name
    /// @param implementer contract that implements it
    function setInterfaceImplementer(address account, bytes32 interfaceHash, address implementer) external {
        _requireManager(account);
        _implementers[account][interfaceHash] = implementer;
    }

    /// @notice Implementer of an interface for an account.
    /// @param account account
    /// @param interfaceHash hash of the interface's name
    /// @return the implementer, zero for none
    function getInterfaceImplementer(address account, bytes32 interfaceHash) external view returns (address) {
        return _implementers[account][interfaceHash];
    }

    /// @notice Manager of an account.
    /// @param account account
    /// @return manager the account itself unless it named another
    function getManager(address account) public view returns (address manager) {
        manager = _managers[account];
        if (manager == address(0)) manager = account;
    }

    function _requireManager(address account) private view {
        if (getManager(account) != msg.sender) revert CallerNotManager(account, msg.sender);
    }
}
