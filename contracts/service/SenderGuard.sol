// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title SenderGuard
/// @notice The routers' reentrancy guard: while a guarded function runs, only the account that entered it and the
/// contract itself may enter again.
/// @dev Not depth-safe, like production: the end of any guarded function, even a nested one, opens the contract to
/// every caller.
abstract contract SenderGuard {
    address private transient _entrant;

    /// @notice Thrown when a third party enters while a guarded function runs.
    /// @param storedSender the account that entered first
    /// @param actualSender the rejected account
    error InvalidMsgSender(address storedSender, address actualSender);

    modifier nonReentrant() {
        address stored = _entrant;
        if (stored != address(0) && stored != msg.sender && msg.sender != address(this)) {
            revert InvalidMsgSender(stored, msg.sender);
        }
        _entrant = msg.sender;
        _;
        _entrant = address(0);
    }
}
