// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {LibTransient} from "solady/src/utils/LibTransient.sol";
import {IOutputGuard} from "../interfaces/guard/IOutputGuard.sol";
import {TokenReads} from "../libraries/TokenReads.sol";

/// @title OutputGuard
/// @notice See `IOutputGuard`. Takes no parameters: one address on every chain.
/// @dev Stores a balance as its complement in transient storage. An empty slot then stands for the largest uint256,
/// which no balance exceeds: `requireGain` without a noted balance reverts.
contract OutputGuard is IOutputGuard {
    using LibTransient for LibTransient.TUint256;

    /// @inheritdoc IOutputGuard
    function noteBalance(bytes32 id, address currency, address account) external {
        LibTransient.TUint256 storage slot = _slotOf(id, currency, account);
        uint256 noted = slot.get();
        uint256 complement = ~_balanceOf(currency, account);
        // Zero would clear the slot, for the largest uint256.
        if (complement == 0) complement = 1;
        // Kept until the transaction ends: clearing it would let a call in between note a lower balance.
        if (noted == 0 || complement < noted) slot.set(complement);
    }

    /// @inheritdoc IOutputGuard
    function requireGain(bytes32 id, address currency, address account, uint256 gain) external view {
        // The complement is the room above the noted balance.
        uint256 complement = _slotOf(id, currency, account).get();
        _require(currency, account, gain > complement ? type(uint256).max : ~complement + gain);
    }

    /// @inheritdoc IOutputGuard
    function requireBalance(address currency, address account, uint256 minimum) external view {
        _require(currency, account, minimum);
    }

    function _require(address currency, address account, uint256 minimum) private view {
        uint256 balance = _balanceOf(currency, account);
        if (balance < minimum) revert BalanceTooLow(currency, account, balance, minimum);
    }

    function _balanceOf(address currency, address account) private view returns (uint256) {
        return currency == address(0) ? account.balance : TokenReads.balanceOf(currency, account);
    }

    function _slotOf(
        bytes32 id,
        address currency,
        address account
    ) private view returns (LibTransient.TUint256 storage) {
        return LibTransient.tUint256(keccak256(abi.encode(msg.sender, id, currency, account)));
    }
}
