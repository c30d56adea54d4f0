// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title HookRegistry
/// @notice What the registry of ERC-1820 does for hooks: an account, or whom it made its manager, says who implements an
/// interface for it. Tests place it at the registry's address.
contract HookRegistry {
    mapping(address account => address) private _managers;
    mapping(address account => mapping(bytes32 interfaceHash => address)) private _implementers;

    /// @notice Thrown when a caller other than the account registers for it.
    /// @param account the account
    /// @param caller who tried
    error CallerNotManager(address account, address caller);

    /// @notice Makes another account the manager.
    /// @param account for whom
    /// @param manager who may act for it from now on
    function setManager(address account, address manager) external {
        _requireManager(account);
        _managers[account] = manager;
    }

    /// @notice Registers an implementer.
    /// @param account for whom
    /// @param interfaceHash of what
    /// @param implementer who implements it
    function setInterfaceImplementer(address account, bytes32 interfaceHash, address implementer) external {
        _requireManager(account);
        _implementers[account][interfaceHash] = implementer;
    }

    /// @notice Who implements an interface for an account.
    /// @param account for whom
    /// @param interfaceHash of what
    /// @return the implementer, zero for none
    function getInterfaceImplementer(address account, bytes32 interfaceHash) external view returns (address) {
        return _implementers[account][interfaceHash];
    }

    /// @notice Who may act for an account.
    /// @param account for whom
    /// @return manager the account itself unless it named another
    function getManager(address account) public view returns (address manager) {
        manager = _managers[account];
        if (manager == address(0)) manager = account;
    }

    function _requireManager(address account) private view {
        if (getManager(account) != msg.sender) revert CallerNotManager(account, msg.sender);
    }
}
