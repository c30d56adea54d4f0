// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IOrderDepository} from "../interfaces/external/IOrderDepository.sol";
import {OrderTerms} from "../records/OrderTerms.sol";

/// @title Example: a vault that any keeper may send to another chain
/// @notice The terms are the vault's own, fixed at deployment. Any account may bring an order that satisfies them; it
/// can neither redirect the money nor sell it below the rate.
/// @dev The money is the vault's, so this vault pays each order once: the id of a paid order is stored. Two vaults with
/// equal terms could both pay one order, so each has a `refundTo` of its own. The terms name this chain; its id is not
/// compared, and a chain that splits off keeps the name. The terms never change and only `send` moves money: a vault for
/// production needs an owner's way out for renamed chains, refunds and foreign tokens. Any keeper can bring an order that
/// nobody fills. It ends as a refund to `refundTo`, less gas. A vault for production lists its keepers.
contract OrderVault {
    using SafeTransferLib for address;

    /// @notice Emitted with each deposit.
    event OrderPaid(bytes32 indexed orderId, uint256 amount);

    /// @notice Thrown when an order was paid before.
    error OrderPaidBefore(bytes32 orderId);

    /// @notice Longest time to fill, during which the money waits for an unfilled order.
    uint256 public constant LONGEST_FILL = 14 days;

    /// @notice Shortest time to fill: a keeper cannot wait until the deadline is near.
    uint256 public constant SHORTEST_FILL = 10 minutes;

    /// @notice Unit of `minimumRate`.
    uint256 public constant RATE_UNIT = 1e18;

    /// @notice The service's depository on this chain.
    address public immutable depository;

    /// @notice Owns money that is neither filled nor refunded; an account with a key.
    address public immutable depositor;

    /// @notice Least output in smallest units for `RATE_UNIT` of the token's smallest units.
    uint256 public immutable minimumRate;

    /// @notice Whether an order is paid.
    mapping(bytes32 orderId => bool) public isPaid;

    OrderTerms.Terms private _terms;

    /// @notice Fixes depository, depositor, rate and terms.
    /// @param depository_ The service's depository on this chain.
    /// @param depositor_ Owns money that is neither filled nor refunded.
    /// @param minimumRate_ Least output for `RATE_UNIT` of the token.
    /// @param terms Terms of each order; the vault sets amount, minimum and deadlines itself.
    constructor(
        address depository_,
        address depositor_,
        uint256 minimumRate_,
        OrderTerms.Terms memory terms
    ) {
        OrderTerms.checkDepositor(depositor_);
        (depository, depositor, minimumRate) = (depository_, depositor_, minimumRate_);
        _terms = terms;
    }

    /// @notice Accepts native currency to send on.
    receive() external payable {}

    /// @notice Deposits `amount` of the vault's currency for an order.
    function send(uint256 amount, OrderTerms.Order calldata order, bytes calldata signature) external {
        OrderTerms.Terms memory terms = _terms;
        terms.amount = amount;
        // Rounded up: a rate that yields a part of a unit asks for the whole unit.
        terms.minimumAmount = (amount * minimumRate + RATE_UNIT - 1) / RATE_UNIT;
        terms.earliestDeadline = block.timestamp + SHORTEST_FILL;
        terms.latestDeadline = block.timestamp + LONGEST_FILL;
        bytes32 orderId = OrderTerms.check(order, signature, terms);
        if (isPaid[orderId]) revert OrderPaidBefore(orderId);
        isPaid[orderId] = true;

        emit OrderPaid(orderId, amount);
        if (terms.currency == address(0)) {
            IOrderDepository(depository).depositNative{value: amount}(depositor, orderId);
        } else {
            terms.currency.safeApproveWithRetry(depository, amount);
            IOrderDepository(depository).depositErc20(depositor, terms.currency, amount, orderId);
        }
    }
}
