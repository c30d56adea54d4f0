// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IDepositAddress} from "./interfaces/IDepositAddress.sol";
import {IRelayDepository} from "./interfaces/IRelayDepository.sol";

/// @title DepositAddress
/// @notice Local stand-in for the service's deposit addresses. Never deploy it to a public chain.
/// @dev Assumption: production sweeps whole balances. This stand-in sweeps stated amounts, so that each payment to a reused
/// address becomes a deposit of its own.
contract DepositAddress is IDepositAddress {
    using SafeTransferLib for address;

    address private immutable FACTORY = msg.sender;

    /// @inheritdoc IDepositAddress
    receive() external payable {}

    /// @inheritdoc IDepositAddress
    function sweep(Sweep calldata deposit) external {
        if (msg.sender != FACTORY) revert Unauthorized();
        uint256 amount = deposit.amount;
        if (amount == 0) revert NothingToSweep();

        IRelayDepository depository = IRelayDepository(deposit.depository);
        address currency = deposit.currency;
        if (currency == address(0)) {
            depository.depositNative{value: amount}(deposit.depositor, deposit.id);
            return;
        }

        uint256 before = currency.balanceOf(address(depository));
        currency.safeApproveWithRetry(address(depository), amount);
        depository.depositErc20(deposit.depositor, currency, amount, deposit.id);
        uint256 received = currency.balanceOf(address(depository)) - before;
        if (received < amount) revert DepositTooSmall(amount, received);
    }
}
