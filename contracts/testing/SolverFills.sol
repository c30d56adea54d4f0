// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Order} from "../records/Order.sol";
import {Call3Value} from "../service/interfaces/RouterCalls.sol";
import {OrderCalls} from "./OrderCalls.sol";
import {OrderHash} from "./OrderHash.sol";
import {ServiceStandIns} from "./ServiceStandIns.sol";

/// @title SolverFills
/// @notice Pays on the destination, as the solver does after a deposit. The solver pays from its own balance: fund it first.
abstract contract SolverFills is ServiceStandIns {
    /// @notice Thrown before a fill that the solver cannot pay.
    error SolverBalanceTooLow(address currency, uint256 balance, uint256 needed);

    /// @notice Thrown when the recipient or the token rejects a fill.
    error FillRejected(address target, bytes reason);

    /// @notice Sets the solver's native balance on the selected chain. Tokens are minted to `_solver()`.
    function _fundSolver(uint256 balance) internal {
        VM.deal(_solver(), balance);
    }

    /// @notice Pays a request without calls: one plain transfer, with the request id after its calldata.
    /// @param requestId The request.
    /// @param currency The currency of the fill; zero is native.
    /// @param amount Amount of the fill.
    /// @param recipient Recipient of the fill.
    function _fill(bytes32 requestId, address currency, uint256 amount, address recipient) internal {
        _requireBalance(currency, amount);
        if (currency == address(0)) {
            _callAsSolver(recipient, amount, abi.encode(requestId));
        } else {
            bytes memory transfer = abi.encodeCall(IERC20.transfer, (recipient, amount));
            _callAsSolver(currency, 0, abi.encodePacked(transfer, requestId));
        }
    }

    /// @notice Pays a request with calls: the router receives the amount and makes the calls.
    /// @param service The service's contracts on the destination.
    /// @param requestId The request; the router logs it.
    /// @param currency The currency of the fill; zero is native.
    /// @param amount Amount of the fill.
    /// @param calls The `txs` of the quote. A failed call reverts the fill with the call's own reason.
    /// @param recipient Recipient of the native currency and the NFTs that the calls leave.
    function _fillWithCalls(
        ServiceContracts memory service,
        bytes32 requestId,
        address currency,
        uint256 amount,
        Call3Value[] memory calls,
        address recipient
    ) internal {
        _requireBalance(currency, amount);
        bytes memory metadata = abi.encodePacked(requestId);
        if (currency == address(0)) {
            VM.prank(_solver());
            service.router.multicall{value: amount}(calls, recipient, recipient, metadata);
            return;
        }
        _callAsSolver(currency, 0, abi.encodeCall(IERC20.approve, (address(service.approvalProxy), amount)));
        address[] memory tokens = new address[](1);
        tokens[0] = currency;
        uint256[] memory amounts = new uint256[](1);
        amounts[0] = amount;
        VM.prank(_solver());
        service.approvalProxy.transferAndMulticall(tokens, amounts, calls, recipient, recipient, metadata);
    }

    /// @notice Fills an order: pays its expected amount and makes its calls.
    /// @param service The service's contracts on the destination.
    /// @param order An order of `_quoteOrder`, or another one with one payment between EVM accounts.
    /// @param recipient Recipient of the native currency and the NFTs that the calls leave.
    function _fillOrder(
        ServiceContracts memory service,
        Order.Data memory order,
        address recipient
    ) internal {
        Order.OutputPayment memory payment = order.output.payments[0];
        address currency = address(bytes20(payment.currency));
        bytes32 orderId = OrderHash.hash(order);
        if (order.output.calls.length == 0) {
            _fill(orderId, currency, payment.expectedAmount, address(bytes20(payment.recipient)));
            return;
        }
        Call3Value[] memory calls = OrderCalls.decode(order.output.calls);
        _fillWithCalls(service, orderId, currency, payment.expectedAmount, calls, recipient);
    }

    function _callAsSolver(address target, uint256 value, bytes memory data) private {
        VM.prank(_solver());
        (bool success, bytes memory answer) = target.call{value: value}(data);
        bool isRefused = answer.length >= 32 && value == 0 && abi.decode(answer, (uint256)) == 0;
        if (!success || isRefused) revert FillRejected(target, answer);
    }

    function _requireBalance(address currency, uint256 amount) private view {
        uint256 balance = currency == address(0) ? _solver().balance : IERC20(currency).balanceOf(_solver());
        if (balance < amount) revert SolverBalanceTooLow(currency, balance, amount);
    }
}
