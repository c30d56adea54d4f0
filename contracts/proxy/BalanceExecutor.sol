// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IBalanceActions} from "../interfaces/IBalanceActions.sol";
import {IBalanceExecutor} from "../interfaces/IBalanceExecutor.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {CalldataSplice} from "../libraries/CalldataSplice.sol";
import {StandingApproval} from "../libraries/StandingApproval.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {NftReceipts} from "./NftReceipts.sol";

/// @title BalanceExecutor
/// @notice Makes the calls. Stateless, ownerless, open to everybody, and empty between transactions; never approve it.
contract BalanceExecutor is IBalanceExecutor, NftReceipts {
    using SafeTransferLib for address;

    uint256 private constant FREE = 0;
    uint256 private constant AT_WORK = 1;
    uint256 private constant HELD = 2;

    /// @inheritdoc IBalanceExecutor
    address public immutable override proxy;

    /// @dev One of the three above. Back to `FREE` at the end of every call, so that several fit one transaction.
    uint256 private transient _state;

    constructor() {
        proxy = msg.sender;
    }

    /// @dev Refuses to be entered while at work, at any depth; while held, lets the proxy in alone.
    modifier locked() {
        uint256 state = _state;
        if (state == AT_WORK || (state == HELD && msg.sender != proxy)) revert Reentrancy();
        _state = AT_WORK;
        _;
        _state = FREE;
    }

    /// @notice Takes native currency: what is sent ahead of a call, and what targets pay out, as in unwrapping.
    receive() external payable {}

    /// @inheritdoc IBalanceExecutor
    function hold() external override {
        if (msg.sender != proxy) revert CallerIsNotProxy(msg.sender, proxy);
        if (_state != FREE) revert Reentrancy();
        _state = HELD;
    }

    /// @inheritdoc IBalanceActions
    function spend(
        address token,
        uint256 minimumReceived,
        address target,
        uint256 offset,
        bytes calldata data,
        address recipient
    ) external override locked {
        _checkRecipient(0, recipient);
        uint256 nativeBefore = address(this).balance;
        uint256 received = TokenReads.balanceOf(token, address(this));
        if (received == 0 || received < minimumReceived)
            revert ReceivedTooLittle(token, received, minimumReceived);

        bytes memory spliced = data;
        CalldataSplice.write(spliced, offset, received);
        _callApproved(0, target, token, received, 0, spliced);

        _sweep(token, recipient);
        // Native currency that lay here before is left alone, lest a recipient that refuses it be made to fail.
        uint256 native = address(this).balance;
        if (native > nativeBefore) _sweepNative(recipient, native - nativeBefore);
    }

    /// @inheritdoc IBalanceActions
    function execute(Asset[] calldata assets, Step[] calldata steps) external payable override locked {
        uint256 nativeBefore = address(this).balance - msg.value;
        (uint256[] memory outputsBefore, bool sweepsNative) = _open(assets);

        for (uint256 i = 0; i < steps.length; ++i) {
            _run(i, steps[i], assets);
        }

        for (uint256 i = 0; i < assets.length; ++i) {
            _sweep(assets[i].token, assets[i].recipient);
        }
        for (uint256 i = 0; i < assets.length; ++i) {
            _checkOutput(assets[i], outputsBefore[i]);
        }
        if (!sweepsNative && address(this).balance > nativeBefore) {
            revert NativeLeftBehind(address(this).balance - nativeBefore);
        }
    }

    /// @inheritdoc IBalanceActions
    function executeWithNftRecipient(NftExecution calldata execution) external payable override {
        address nftRecipient = execution.nftRecipient;
        if (nftRecipient == address(0) || nftRecipient == address(this) || nftRecipient == proxy)
            revert NftRecipientInvalid(nftRecipient);
        // Not locked itself: `execute` is, and when it refuses, this is undone.
        _nftRecipient = nftRecipient;
        _delegateToExecute(execution);
        _nftRecipient = address(0);
    }

    /// @dev A call of one's own code, because code that both shared would make `execute` dearer for those who expect no NFTs.
    function _delegateToExecute(NftExecution calldata execution) private {
        bytes4 selector = IBalanceActions.execute.selector;
        assembly ("memory-safe") {
            // The arguments of `execute` are encoded as the members of `execution` are; it does not look at the last one.
            let data := mload(0x40)
            let size := sub(calldatasize(), execution)
            mstore(data, selector)
            calldatacopy(add(data, 0x04), execution, size)
            if iszero(delegatecall(gas(), address(), data, add(size, 0x04), 0x00, 0x00)) {
                returndatacopy(data, 0x00, returndatasize())
                revert(data, returndatasize())
            }
        }
    }

    /// @dev Money for nobody, for this contract or for the proxy would be lost or anybody's.
    function _checkRecipient(uint256 index, address recipient) private view {
        if (recipient == address(0) || recipient == address(this) || recipient == proxy)
            revert RecipientInvalid(index);
    }

    /// @dev Checks the list of assets and what arrived, and notes the recipients' balances.
    function _open(
        Asset[] calldata assets
    ) private view returns (uint256[] memory outputsBefore, bool sweepsNative) {
        outputsBefore = new uint256[](assets.length);
        for (uint256 i = 0; i < assets.length; ++i) {
            Asset calldata asset = assets[i];
            _checkRecipient(i, asset.recipient);
            for (uint256 j = 0; j < i; ++j) {
                if (assets[j].token == asset.token) revert AssetDuplicated(asset.token);
            }
            uint256 received = _balanceOf(asset.token, address(this));
            if (received < asset.minimumReceived) {
                revert ReceivedTooLittle(asset.token, received, asset.minimumReceived);
            }
            if (asset.minimumOutput != 0) outputsBefore[i] = _balanceOf(asset.token, asset.recipient);
            if (asset.token == address(0)) sweepsNative = true;
        }
    }

    /// @dev One step: balances are read at the last moment, when earlier steps have had their effect.
    function _run(uint256 index, Step calldata step, Asset[] calldata assets) private {
        uint256 value = step.value;
        if (step.sendNativeBalance) {
            if (value != 0) revert StepValueAmbiguous(index);
            value = address(this).balance;
        }
        bytes memory data = step.data;
        uint256 previousEnd;
        for (uint256 i = 0; i < step.splices.length; ++i) {
            Splice calldata splice = step.splices[i];
            if (splice.offset < previousEnd) revert SplicesOverlap(splice.offset, previousEnd);
            _requireNamed(splice.token, assets);
            CalldataSplice.write(data, splice.offset, _balanceOf(splice.token, address(this)));
            // Not beyond: the write has bounded the offset.
            previousEnd = splice.offset + 32;
        }
        address approved = step.approvedToken;
        uint256 allowance;
        if (approved != address(0)) {
            _requireNamed(approved, assets);
            allowance = TokenReads.balanceOf(approved, address(this));
        }
        _callApproved(index, step.target, approved, allowance, value, data);
    }

    /// @dev A currency that a step spends and no asset names would be left behind for the next caller.
    function _requireNamed(address token, Asset[] calldata assets) private pure {
        for (uint256 i = 0; i < assets.length; ++i) {
            if (assets[i].token == token) return;
        }
        revert AssetNotNamed(token);
    }

    /// @dev The only place that calls a target. The approval is exact, and gone afterwards whatever the target took.
    function _callApproved(
        uint256 index,
        address target,
        address token,
        uint256 allowance,
        uint256 value,
        bytes memory data
    ) private {
        if (target.code.length == 0) revert TargetHasNoCode(index, target);
        bytes4 selector = bytes4(data);
        if (StandingApproval.isGivenBy(selector)) revert StandingApprovalRefused(index, selector);

        if (allowance != 0) token.safeApproveWithRetry(target, allowance);
        if (!BoundedCall.tryCall(target, value, data))
            revert StepFailed(index, target, BoundedCall.revertReason());
        if (allowance != 0 && TokenReads.allowance(token, address(this), target) != 0) {
            token.safeApprove(target, 0);
        }
    }

    function _sweep(address token, address recipient) private {
        uint256 left = _balanceOf(token, address(this));
        if (left == 0) return;
        if (token == address(0)) _sweepNative(recipient, left);
        else token.safeTransfer(recipient, left);
    }

    /// @dev Holds a recipient's gain against the minimum.
    function _checkOutput(Asset calldata asset, uint256 outputBefore) private view {
        if (asset.minimumOutput == 0) return;
        uint256 outputAfter = _balanceOf(asset.token, asset.recipient);
        uint256 output = outputAfter > outputBefore ? outputAfter - outputBefore : 0;
        if (output < asset.minimumOutput) revert OutputTooLow(asset.token, output, asset.minimumOutput);
    }

    function _sweepNative(address recipient, uint256 amount) private {
        recipient.safeTransferETH(amount);
        emit NativeSwept(recipient, amount);
    }

    function _balanceOf(address token, address account) private view returns (uint256) {
        return token == address(0) ? account.balance : TokenReads.balanceOf(token, account);
    }
}
