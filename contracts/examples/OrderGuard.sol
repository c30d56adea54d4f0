// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IOrderDepository} from "../interfaces/external/IOrderDepository.sol";
import {OrderTerms} from "../records/OrderTerms.sol";

/// @title Example: a Safe's transaction guard for deposits
/// @notice Refuses a Safe's deposit unless an order that satisfies the Safe's own terms follows the depository's
/// arguments. Other calls pass, also to contracts that deposit in their turn; delegatecalls do not. Modules skip guards.
/// @dev The Safe sends `abi.encodeCall(depositNative, …)` or `depositErc20` followed by `abi.encode(order, signature)`.
/// The depository ignores what follows its arguments. A second deposit of one order passes, and one in the last second of
/// its deadline, which only a refund follows. Compile with the IR pipeline: the Safe's eleven parameters fill the
/// stack.
contract OrderGuard {
    /// @notice What a Safe allows.
    /// @param depositor The only depositor: owns money that is neither filled nor refunded.
    /// @param longestFill Longest time to fill, in seconds.
    /// @param minimumRate Least output for 1e18 smallest units of the deposit.
    /// @param terms Terms of each order. `refundTo` must be yours on both chains, which a Safe may not be. The guard
    /// sets amount, minimum and latest deadline from the transaction.
    struct Policy {
        address depositor;
        uint256 longestFill;
        uint256 minimumRate;
        OrderTerms.Terms terms;
    }

    /// @notice Emitted when a Safe sets its policy.
    event PolicySet(address indexed safe, address depositor, bytes32 recipient);

    /// @notice Thrown when a Safe delegates a call.
    error DelegatecallRefused(address to);

    /// @notice Thrown when a Safe calls another function of the depository.
    error DepositorySelectorRefused(bytes4 selector);

    /// @notice Thrown when the deposit names another depositor than the policy.
    error DepositorDiffers(address depositor, address expected);

    /// @notice Thrown when the deposit is another currency than the policy's.
    error CurrencyDiffers(address currency, address expected);

    /// @notice Thrown when the deposit names another id than the order's.
    error OrderIdDiffers(bytes32 id, bytes32 expected);

    /// @notice The service's depository on this chain.
    address public immutable depository;

    mapping(address safe => Policy) private _policies;

    constructor(address depository_) {
        depository = depository_;
    }

    /// @notice Sets the caller's policy. A Safe calls it by a transaction of its owners.
    function setPolicy(Policy calldata policy) external {
        if (policy.depositor == address(0) || policy.depositor == msg.sender) {
            revert OrderTerms.DepositorInvalid(policy.depositor);
        }
        _policies[msg.sender] = policy;
        emit PolicySet(msg.sender, policy.depositor, policy.terms.recipient);
    }

    /// @notice Called by the Safe before each transaction.
    function checkTransaction(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation,
        uint256,
        uint256,
        uint256,
        address,
        address payable,
        bytes calldata,
        address
    ) external view {
        if (operation != 0) revert DelegatecallRefused(to);
        if (to == depository) _checkDeposit(value, data);
    }

    /// @notice Called by the Safe after each transaction; checks nothing.
    function checkAfterExecution(bytes32, bool) external pure {}

    /// @notice ERC-165: this and Safe's transaction guard.
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return
            interfaceId == 0x01ffc9a7 ||
            interfaceId == this.checkTransaction.selector ^ this.checkAfterExecution.selector;
    }

    function _checkDeposit(uint256 value, bytes calldata data) private view {
        bytes4 selector = bytes4(data);
        if (selector == IOrderDepository.depositNative.selector) {
            (address depositor, bytes32 id) = abi.decode(data[4:], (address, bytes32));
            _checkOrder(depositor, address(0), value, id, data[68:]);
        } else if (selector == IOrderDepository.depositErc20.selector) {
            (address depositor, address token, uint256 amount, bytes32 id) = abi.decode(
                data[4:],
                (address, address, uint256, bytes32)
            );
            _checkOrder(depositor, token, amount, id, data[132:]);
        } else {
            revert DepositorySelectorRefused(selector);
        }
    }

    function _checkOrder(
        address depositor,
        address currency,
        uint256 amount,
        bytes32 id,
        bytes calldata tail
    ) private view {
        Policy memory policy = _policies[msg.sender];
        if (depositor != policy.depositor || depositor == address(0)) {
            revert DepositorDiffers(depositor, policy.depositor);
        }
        OrderTerms.Terms memory terms = policy.terms;
        if (currency != terms.currency) revert CurrencyDiffers(currency, terms.currency);
        terms.amount = amount;
        terms.minimumAmount = (amount * policy.minimumRate + 1e18 - 1) / 1e18;
        terms.latestDeadline = block.timestamp + policy.longestFill;
        (OrderTerms.Order calldata order, bytes calldata signature) = _parse(tail);
        bytes32 orderId = OrderTerms.check(order, signature, terms);
        if (id != orderId) revert OrderIdDiffers(id, orderId);
    }

    /// @dev Reads `abi.encode(order, signature)` in place, as `OrderTerms` does: without bounds.
    function _parse(
        bytes calldata tail
    ) private pure returns (OrderTerms.Order calldata order, bytes calldata signature) {
        assembly ("memory-safe") {
            order := add(tail.offset, calldataload(tail.offset))
            let position := add(tail.offset, calldataload(add(tail.offset, 0x20)))
            signature.offset := add(position, 0x20)
            signature.length := calldataload(position)
        }
    }
}
