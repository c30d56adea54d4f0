// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IBalanceActions} from "../interfaces/proxy/IBalanceActions.sol";
import {IBalanceExecutor} from "../interfaces/proxy/IBalanceExecutor.sol";
import {IBalanceProxy} from "../interfaces/proxy/IBalanceProxy.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {ExactApproval} from "../libraries/ExactApproval.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {BalanceExecutor} from "./BalanceExecutor.sol";

/// @title BalanceProxy
/// @notice Pulls the caller's approved balance, and deposits it into a vault or forwards the call to the executor.
/// Stateless and ownerless; see `IBalanceProxy` for why other callers cannot use an approval of it.
contract BalanceProxy is IBalanceProxy {
    using SafeTransferLib for address;

    /// @inheritdoc IBalanceProxy
    address public immutable override executor;

    /// @dev One while a deposit runs, else zero.
    uint256 private transient _depositing;

    constructor() {
        executor = address(new BalanceExecutor());
    }

    /// @inheritdoc IBalanceProxy
    function depositErc4626(
        address vault,
        address token,
        uint256 minimumReceived,
        address receiver
    ) external override {
        if (_depositing != 0) revert Reentrancy();
        _depositing = 1;
        if (receiver == address(0) || receiver == address(this) || receiver == executor)
            revert RecipientInvalid(0);
        uint256 pulled = _pull(token, address(this));
        uint256 received = TokenReads.balanceOf(token, address(this));
        uint256 minimum = minimumReceived == 0 ? pulled : minimumReceived;
        if (received == 0 || received < minimum) revert ReceivedTooLittle(token, received, minimum);

        token.safeApproveWithRetry(vault, received);
        _deposit(vault, received, receiver);
        uint256 unused = ExactApproval.takeBack(token, vault, received);

        uint256 left = TokenReads.balanceOf(token, address(this));
        ExactApproval.requireLeft(0, token, left, unused);
        if (left != 0) token.safeTransfer(receiver, left);
        _depositing = 0;
    }

    /// @inheritdoc IBalanceActions
    function spend(address token, uint256 minimum, address, uint256, bytes calldata, address) external {
        _lock();
        uint256 pulled = _pull(token, executor);
        if (minimum == 0) _requireArrived(token, pulled);
        _handOn();
    }

    /// @inheritdoc IBalanceActions
    function execute(Asset[] calldata assets, Step[] calldata) external payable override {
        _lock();
        _pullFrom(assets, 0);
        _handOn();
    }

    /// @inheritdoc IBalanceActions
    function executeWithNftRecipient(NftExecution calldata execution) external payable override {
        _lock();
        _pullFrom(execution.assets, 0);
        _handOn();
    }

    /// @dev Pulls the tokens from an index on. A later pull may run code of an attacker whom the executor approved
    /// earlier, so what a pull brought must still be there after the last one. Recursive: cheaper than an array.
    function _pullFrom(Asset[] calldata assets, uint256 index) private {
        if (index == assets.length) return;
        Asset calldata asset = assets[index];
        address token = asset.token;
        uint256 arrived;
        if (token != address(0)) {
            arrived = _pull(token, executor);
            // The executor itself compares what the last one brought with its minimum.
            if (asset.minimumReceived != 0)
                arrived = index + 1 == assets.length ? 0 : TokenReads.balanceOf(token, executor);
        }
        _pullFrom(assets, index + 1);
        if (arrived != 0) _requireArrived(token, arrived);
    }

    function _requireArrived(address token, uint256 minimum) private view {
        uint256 received = TokenReads.balanceOf(token, executor);
        if (received < minimum) revert ReceivedTooLittle(token, received, minimum);
    }

    /// @dev Pulls from the caller only. Returns the amount that the caller sent, which a fee may reduce on arrival.
    function _pull(address token, address to) private returns (uint256 amount) {
        amount = TokenReads.balanceOf(token, msg.sender);
        uint256 allowed = TokenReads.allowance(token, msg.sender, address(this));
        if (allowed < amount) amount = allowed;
        if (amount != 0) token.safeTransferFrom(msg.sender, to, amount);
    }

    /// @dev The only call to a caller's choice of contract besides the token's own functions; its selector is fixed.
    function _deposit(address vault, uint256 amount, address receiver) private {
        bool success;
        bool gaveShares;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x6e553f65)) // deposit(uint256,address)
            mstore(add(data, 0x04), amount)
            mstore(add(data, 0x24), receiver)
            success := call(gas(), vault, 0, data, 0x44, 0x00, 0x20)
            gaveShares := and(gt(returndatasize(), 0x1f), iszero(iszero(mload(0x00))))
        }
        if (!success) revert StepFailed(0, vault, BoundedCall.revertReason());
        if (gaveShares) return;
        if (vault.code.length == 0) revert TargetHasNoCode(0, vault);
        revert SharesMissing(vault, amount);
    }

    /// @dev Assembly, to save the compiler's check that the executor has code.
    function _lock() private {
        address to = executor;
        bytes4 selector = IBalanceExecutor.lock.selector;
        assembly ("memory-safe") {
            mstore(0x00, selector)
            if iszero(call(gas(), to, 0, 0x00, 0x04, 0x00, 0x00)) {
                let data := mload(0x40)
                returndatacopy(data, 0x00, returndatasize())
                revert(data, returndatasize())
            }
        }
    }

    /// @dev Forwards the calldata unchanged, because the executor has the same functions; its errors return unchanged.
    function _handOn() private {
        address to = executor;
        assembly ("memory-safe") {
            let data := mload(0x40)
            calldatacopy(data, 0x00, calldatasize())
            let success := call(gas(), to, callvalue(), data, calldatasize(), 0x00, 0x00)
            if iszero(success) {
                returndatacopy(data, 0x00, returndatasize())
                revert(data, returndatasize())
            }
        }
    }
}
