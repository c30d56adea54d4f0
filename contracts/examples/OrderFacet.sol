// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {LibTransient} from "solady/src/utils/LibTransient.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IOrderDepository} from "../interfaces/external/IOrderDepository.sol";
import {OrderTerms} from "../records/OrderTerms.sol";
import {ProtocolNames} from "../records/ProtocolNames.sol";

/// @title Example: an aggregator's facet that checks the order
/// @notice Deposits only for an order that pays what the caller's transaction says in clear: receiver, chain, currency
/// and minimum. No backend signs and no storage is used, so the facet fits a diamond that keeps no money for accounts.
/// @dev The order and the bridge data come from one caller. The check protects users who read what they sign from a
/// wrong order of the backend. A second payment of one order is not refused.
contract OrderFacet {
    using LibTransient for LibTransient.TBool;
    using SafeTransferLib for address;

    /// @notice What the user wants, as wallets show it.
    /// @param asset The deposited asset; zero for the native currency.
    /// @param minAmount Exactly the order's input. A swap that yields more returns the rest to `refundTo`.
    /// @param destinationChainId The service's id of the destination chain.
    /// @param receiver Receiver's address on the destination chain.
    /// @param outputAsset Currency's address on the destination chain.
    /// @param minOutput Least amount for the receiver.
    /// @param refundTo Receives refunds and what swaps leave; never this contract, where they would stay.
    /// @param depositor Owns money that is neither filled nor refunded; an account with a key.
    struct BridgeData {
        address asset;
        uint256 minAmount;
        uint256 destinationChainId;
        bytes receiver;
        bytes outputAsset;
        uint256 minOutput;
        address refundTo;
        address depositor;
    }

    /// @notice One call of the router before the deposit.
    /// @param soldAsset The caller's asset; zero for the native currency.
    /// @param soldAmount Amount taken from the caller.
    /// @param boughtAsset The deposit's asset.
    /// @param data Calldata for the router, which must pay this contract.
    struct Swap {
        address soldAsset;
        uint256 soldAmount;
        address boughtAsset;
        bytes data;
    }

    /// @notice Emitted with each deposit.
    event OrderPaid(bytes32 indexed orderId, address indexed depositor, address asset, uint256 amount);

    /// @notice Thrown when the native payment is not what the call spends.
    error ValueDiffers(uint256 value, uint256 expected);

    /// @notice Thrown when fewer tokens arrived than the order or the swap needs.
    error AmountTooLow(uint256 received, uint256 minimum);

    /// @notice Thrown when the swap buys another asset than the deposit's.
    error BoughtAssetDiffers(address boughtAsset, address expected);

    /// @notice Thrown when the swap sells the asset that it should buy.
    error SwapWithinAsset(address asset);

    /// @notice Thrown when the router reverts.
    error SwapFailed(bytes reason);

    /// @notice Thrown when the facet would end with less than it held before the call.
    error HeldMoneySpent(address asset, uint256 balance, uint256 held);

    /// @notice Thrown when a swap runs within another.
    error Reentrancy();

    /// @notice Longest time to fill. The service's orders take seven days.
    uint256 public constant LONGEST_FILL = 14 days;

    uint256 private constant LOCK = uint256(keccak256("waybill.examples.OrderFacet"));

    /// @notice The service's depository on this chain, from `/chains`.
    address public immutable depository;

    /// @notice Pinned solver.
    address public immutable solver;

    /// @notice The only contract that swaps may call. It must not take tokens from others than its caller.
    address public immutable router;

    /// @dev While the router has an allowance, a second swap could sell the rest of the first. Transient: no storage.
    modifier locked() {
        LibTransient.TBool storage lock = LibTransient.tBool(LOCK);
        if (lock.get()) revert Reentrancy();
        lock.set(true);
        _;
        lock.set(false);
    }

    constructor(address depository_, address solver_, address router_) {
        (depository, solver, router) = (depository_, solver_, router_);
    }

    /// @notice Accepts native currency from the router only.
    receive() external payable {
        if (msg.sender != router) revert ValueDiffers(msg.value, 0);
    }

    /// @notice Deposits the caller's asset.
    function deposit(
        BridgeData calldata bridge,
        OrderTerms.Order calldata order,
        bytes calldata signature
    ) external payable {
        bytes32 orderId = _check(bridge, order, signature);
        uint256 held = _take(bridge);
        _deposit(bridge, orderId);
        _requireHeld(bridge.asset, held);
    }

    /// @notice Swaps the caller's asset, then deposits.
    function swapAndDeposit(
        BridgeData calldata bridge,
        Swap calldata swap,
        OrderTerms.Order calldata order,
        bytes calldata signature
    ) external payable locked {
        // The order is compared with the signed minimum, before any swap: its result never changes the terms.
        bytes32 orderId = _check(bridge, order, signature);
        address asset = bridge.asset;
        if (swap.boughtAsset != asset) revert BoughtAssetDiffers(swap.boughtAsset, asset);
        if (swap.soldAsset == asset) revert SwapWithinAsset(asset);
        uint256 held = _balance(asset);
        (uint256 unsold, uint256 heldOfSold) = _sell(swap);
        uint256 bought = _balance(asset) - held;
        if (bought < bridge.minAmount) revert AmountTooLow(bought, bridge.minAmount);
        _deposit(bridge, orderId);
        _pay(asset, bridge.refundTo, bought - bridge.minAmount);
        _pay(swap.soldAsset, bridge.refundTo, unsold);
        // The two assets can be one balance: native money with a token's address counts in both.
        _requireHeld(asset, held);
        _requireHeld(swap.soldAsset, heldOfSold);
    }

    /// @dev The protocol's name of a chain; a hook, because tests run on chains that the table does not list.
    function _nameOf(uint256 chainId) internal view virtual returns (bytes32) {
        return ProtocolNames.hashOf(chainId);
    }

    function _check(
        BridgeData calldata bridge,
        OrderTerms.Order calldata order,
        bytes calldata signature
    ) private view returns (bytes32) {
        OrderTerms.checkDepositor(bridge.depositor);
        // Members left out stay zero: no calls, no fees.
        OrderTerms.Terms memory terms;
        terms.solver = solver;
        terms.originChain = _nameOf(block.chainid);
        terms.currency = bridge.asset;
        terms.amount = bridge.minAmount;
        terms.refundTo = bridge.refundTo;
        terms.destinationChain = _nameOf(bridge.destinationChainId);
        terms.recipient = keccak256(bridge.receiver);
        terms.outputCurrency = keccak256(bridge.outputAsset);
        terms.minimumAmount = bridge.minOutput;
        terms.latestDeadline = block.timestamp + LONGEST_FILL;
        return OrderTerms.check(order, signature, terms);
    }

    /// @notice Sells the given asset on the router.
    /// @return unsold What the router left of the sold asset.
    /// @return held The facet's balance of that asset before the swap.
    function _sell(Swap calldata swap) private returns (uint256 unsold, uint256 held) {
        address asset = swap.soldAsset;
        bool isNative = asset == address(0);
        uint256 expected = isNative ? swap.soldAmount : 0;
        if (msg.value != expected) revert ValueDiffers(msg.value, expected);
        held = _balance(asset) - msg.value;
        if (!isNative) {
            _pull(asset, swap.soldAmount, held);
            asset.safeApproveWithRetry(router, swap.soldAmount);
        }
        (bool isDone, bytes memory reason) = router.call{value: msg.value}(swap.data);
        if (!isDone) revert SwapFailed(reason);
        if (!isNative) asset.safeApproveWithRetry(router, 0);
        unsold = _balance(asset) - held;
    }

    /// @dev Takes exactly `minAmount` from the caller. Returns the balance before.
    function _take(BridgeData calldata bridge) internal returns (uint256 held) {
        held = _balance(bridge.asset);
        if (bridge.asset == address(0)) {
            if (msg.value != bridge.minAmount) revert ValueDiffers(msg.value, bridge.minAmount);
            held -= msg.value;
        } else {
            if (msg.value != 0) revert ValueDiffers(msg.value, 0);
            _pull(bridge.asset, bridge.minAmount, held);
        }
    }

    function _pull(address token, uint256 amount, uint256 held) private {
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = _balance(token) - held;
        if (received < amount) revert AmountTooLow(received, amount);
    }

    function _deposit(BridgeData calldata bridge, bytes32 orderId) internal {
        (address asset, uint256 amount) = (bridge.asset, bridge.minAmount);
        emit OrderPaid(orderId, bridge.depositor, asset, amount);
        if (asset == address(0)) {
            IOrderDepository(depository).depositNative{value: amount}(bridge.depositor, orderId);
        } else {
            asset.safeApproveWithRetry(depository, amount);
            IOrderDepository(depository).depositErc20(bridge.depositor, asset, amount, orderId);
        }
    }

    /// @dev A token may charge its sender on top: others' money must not pay it.
    function _requireHeld(address asset, uint256 held) private view {
        uint256 left = _balance(asset);
        if (left < held) revert HeldMoneySpent(asset, left, held);
    }

    function _pay(address asset, address to, uint256 amount) private {
        if (amount == 0) return;
        if (asset == address(0)) to.safeTransferETH(amount);
        else asset.safeTransfer(to, amount);
    }

    function _balance(address asset) private view returns (uint256) {
        return asset == address(0) ? address(this).balance : asset.balanceOf(address(this));
    }
}
