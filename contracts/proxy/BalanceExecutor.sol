// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IBalanceActions} from "../interfaces/proxy/IBalanceActions.sol";
import {IBalanceExecutor} from "../interfaces/proxy/IBalanceExecutor.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {CalldataSplice} from "../libraries/CalldataSplice.sol";
import {ExactApproval} from "../libraries/ExactApproval.sol";
import {StandingApproval} from "../libraries/StandingApproval.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {NftReceipts} from "./NftReceipts.sol";

/// @title BalanceExecutor
/// @notice Makes the calls. Stateless, ownerless, open to any caller, and empty between transactions; never approve it.
contract BalanceExecutor is IBalanceExecutor, NftReceipts {
    using SafeTransferLib for address;

    /// @inheritdoc IBalanceExecutor
    address public immutable override proxy;

    /// @dev One from the proxy's lock or the beginning of a call to the end of the call, else zero.
    uint256 private transient _locked;

    constructor() {
        proxy = msg.sender;
    }

    /// @dev Rejects reentrancy at any depth. The proxy passes, because each of its calls follows a `lock` of its own.
    modifier locked() {
        if (_locked == 0) _locked = 1;
        else if (msg.sender != proxy) revert Reentrancy();
        _;
        _locked = 0;
    }

    /// @notice Accepts native currency: funds sent ahead of a call, and payouts of targets such as an unwrap.
    receive() external payable {}

    /// @inheritdoc IBalanceExecutor
    function lock() external override {
        if (msg.sender != proxy) revert CallerIsNotProxy(msg.sender, proxy);
        if (_locked != 0) revert Reentrancy();
        _locked = 1;
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
        uint256 unused = _callApproved(0, target, token, received, 0, spliced);

        uint256 left = TokenReads.balanceOf(token, address(this));
        if (target != token) ExactApproval.requireLeft(0, token, left, unused);
        if (left != 0) token.safeTransfer(recipient, left);
        // Sweeps only native currency that arrived in this call: a recipient that rejects an earlier balance would
        // block the call.
        uint256 native = address(this).balance;
        if (native > nativeBefore) _sweepNative(recipient, native - nativeBefore);
    }

    /// @inheritdoc IBalanceActions
    function execute(Asset[] calldata assets, Step[] calldata steps) external payable override locked {
        _execute(assets, steps);
    }

    /// @inheritdoc IBalanceActions
    function executeWithNftRecipient(NftExecution calldata execution) external payable override locked {
        address nftRecipient = execution.nftRecipient;
        if (nftRecipient == address(0) || nftRecipient == address(this) || nftRecipient == proxy)
            revert NftRecipientInvalid(nftRecipient);
        _nftRecipient = nftRecipient;
        _execute(execution.assets, execution.steps);
        if (!_hasForwardedNft) revert NoNftForwarded(nftRecipient);
        (_nftRecipient, _hasForwardedNft) = (address(0), false);
    }

    function _execute(Asset[] calldata assets, Step[] calldata steps) private {
        uint256 nativeBefore = address(this).balance - msg.value;
        (uint256[] memory balances, uint256[] memory outputsBefore) = _open(assets);

        for (uint256 i = 0; i < steps.length; ++i) {
            _run(i, steps[i], assets, balances);
        }

        for (uint256 i = 0; i < assets.length; ++i) {
            _sweep(assets[i], balances[i], steps.length);
        }
        for (uint256 i = 0; i < assets.length; ++i) {
            _checkOutput(assets[i], outputsBefore[i]);
        }
        // Also after a sweep of native currency: the recipient of a later one may have sent some back.
        if (address(this).balance > nativeBefore) {
            revert NativeLeftBehind(address(this).balance - nativeBefore);
        }
    }

    /// @dev Funds sent to the zero address are lost; funds left here or on the proxy can be taken by anyone.
    function _checkRecipient(uint256 index, address recipient) private view {
        if (recipient == address(0) || recipient == address(this) || recipient == proxy)
            revert RecipientInvalid(index);
    }

    /// @dev Checks the list of assets and their received minimums, and reads the executor's and the recipients'
    /// balances.
    function _open(
        Asset[] calldata assets
    ) private view returns (uint256[] memory balances, uint256[] memory outputsBefore) {
        balances = new uint256[](assets.length);
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
            balances[i] = received;
            if (asset.minimumOutput != 0) outputsBefore[i] = _balanceOf(asset.token, asset.recipient);
        }
    }

    /// @dev Runs one step. `balances` has one for each asset: before the step on entry, after it on return.
    function _run(
        uint256 index,
        Step calldata step,
        Asset[] calldata assets,
        uint256[] memory balances
    ) private {
        uint256 value = step.value;
        if (step.sendNativeBalance) {
            if (value != 0) revert StepValueAmbiguous(index);
            value = address(this).balance;
        }
        bytes memory data = _splice(step, assets, balances);
        address approved = step.approvedToken;
        if (approved == address(0)) {
            _callApproved(index, step.target, address(0), 0, value, data);
        } else {
            uint256 place = _placeOf(approved, assets);
            balances[place] = _callApproved(index, step.target, approved, balances[place], value, data);
        }
        _measure(index, step.target, value, assets, balances);
    }

    /// @dev Checks each balance against the required one in `balances`, then replaces it. Skips a target that is the token
    /// itself: it moves its balances without an approval.
    function _measure(
        uint256 index,
        address target,
        uint256 value,
        Asset[] calldata assets,
        uint256[] memory balances
    ) private view {
        for (uint256 i = 0; i < assets.length; ++i) {
            address token = assets[i].token;
            uint256 left = _balanceOf(token, address(this));
            uint256 sent = token == address(0) ? value : 0;
            if (token != target) ExactApproval.requireLeft(index, token, left + sent, balances[i]);
            balances[i] = left;
        }
    }

    /// @dev The step's calldata with live balances written into it.
    function _splice(
        Step calldata step,
        Asset[] calldata assets,
        uint256[] memory balances
    ) private pure returns (bytes memory data) {
        data = step.data;
        uint256 previousEnd;
        for (uint256 i = 0; i < step.splices.length; ++i) {
            Splice calldata splice = step.splices[i];
            if (splice.offset < previousEnd) revert SplicesOverlap(splice.offset, previousEnd);
            CalldataSplice.write(data, splice.offset, balances[_placeOf(splice.token, assets)]);
            // Cannot overflow: the write has bounded the offset.
            previousEnd = splice.offset + 32;
        }
    }

    /// @dev Reverts for a currency that is not among the assets: its rest would not be swept, and the next caller could
    /// take it.
    function _placeOf(address token, Asset[] calldata assets) private pure returns (uint256) {
        for (uint256 i = 0; i < assets.length; ++i) {
            if (assets[i].token == token) return i;
        }
        revert AssetNotNamed(token);
    }

    /// @dev The only place that calls a target. The approval is exact, and zero afterwards, whatever the target spent.
    /// Returns the unused part of the approval.
    function _callApproved(
        uint256 index,
        address target,
        address token,
        uint256 allowance,
        uint256 value,
        bytes memory data
    ) private returns (uint256 unused) {
        if (target == StandingApproval.ERC1820_REGISTRY) revert RegistryRefused(index, target);
        if (StandingApproval.isGivenBy(bytes4(data))) revert StandingApprovalRefused(index, bytes4(data));

        if (allowance != 0) token.safeApproveWithRetry(target, allowance);
        if (!BoundedCall.tryCall(target, value, data))
            revert StepFailed(index, target, BoundedCall.revertReason());
        // Gas: only precompiles return data without code.
        if (BoundedCall.returnedNothing() && target.code.length == 0) revert TargetHasNoCode(index, target);
        if (allowance != 0) unused = ExactApproval.takeBack(token, target, allowance);
    }

    /// @dev Sweeps an asset. Reads the balance again, because an earlier sweep calls its recipient. `index` continues
    /// the steps' numbers.
    function _sweep(Asset calldata asset, uint256 minimum, uint256 index) private {
        address token = asset.token;
        uint256 left = _balanceOf(token, address(this));
        ExactApproval.requireLeft(index, token, left, minimum);
        if (left == 0) return;
        if (token == address(0)) _sweepNative(asset.recipient, left);
        else token.safeTransfer(asset.recipient, left);
    }

    /// @dev Compares a recipient's gain with the minimum.
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
