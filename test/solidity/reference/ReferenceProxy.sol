// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";

/// @title ReferenceProxy
/// @notice `execute` of proxy and executor written for clarity: one contract, which pulls if it stands for the proxy, splices byte
/// by byte and sweeps with plain token calls. It knows neither reentrancy nor awkward tokens.
contract ReferenceProxy {
    bool private immutable PULLS;

    constructor(bool pulls) {
        PULLS = pulls;
    }

    receive() external payable {}

    function execute(
        IBalanceActions.Asset[] calldata assets,
        IBalanceActions.Step[] calldata steps
    ) external payable {
        if (PULLS) _pull(assets);
        uint256 nativeBefore = address(this).balance - msg.value;
        uint256[] memory gainedFrom = _open(assets);
        for (uint256 i; i < steps.length; ++i) _run(i, steps[i], assets);
        for (uint256 i; i < assets.length; ++i) {
            uint256 left = _balanceOf(assets[i].token, address(this));
            if (assets[i].token != address(0)) IERC20(assets[i].token).transfer(assets[i].recipient, left);
            else payable(assets[i].recipient).transfer(left);
        }
        for (uint256 i; i < assets.length; ++i) {
            uint256 balance = _balanceOf(assets[i].token, assets[i].recipient);
            uint256 output = balance > gainedFrom[i] ? balance - gainedFrom[i] : 0;
            if (output < assets[i].minimumOutput) {
                revert IBalanceActions.OutputTooLow(assets[i].token, output, assets[i].minimumOutput);
            }
        }
        if (address(this).balance > nativeBefore) {
            revert IBalanceActions.NativeLeftBehind(address(this).balance - nativeBefore);
        }
    }

    /// @dev The lesser of balance and allowance, which must arrive whole unless the asset has a minimum.
    function _pull(IBalanceActions.Asset[] calldata assets) private {
        uint256[] memory needed = new uint256[](assets.length);
        for (uint256 i; i < assets.length; ++i) {
            if (assets[i].token == address(0)) continue;
            IERC20 token = IERC20(assets[i].token);
            uint256 amount = token.balanceOf(msg.sender);
            uint256 allowed = token.allowance(msg.sender, address(this));
            if (allowed < amount) amount = allowed;
            token.transferFrom(msg.sender, address(this), amount);
            if (assets[i].minimumReceived == 0) needed[i] = amount;
        }
        for (uint256 i = assets.length; i > 0; --i) {
            uint256 received = _balanceOf(assets[i - 1].token, address(this));
            if (received < needed[i - 1]) {
                revert IBalanceActions.ReceivedTooLittle(assets[i - 1].token, received, needed[i - 1]);
            }
        }
    }

    function _open(
        IBalanceActions.Asset[] calldata assets
    ) private view returns (uint256[] memory gainedFrom) {
        gainedFrom = new uint256[](assets.length);
        for (uint256 i; i < assets.length; ++i) {
            IBalanceActions.Asset calldata asset = assets[i];
            if (asset.recipient == address(0) || asset.recipient == address(this)) {
                revert IBalanceActions.RecipientInvalid(i);
            }
            for (uint256 j; j < i; ++j) {
                if (assets[j].token == asset.token) revert IBalanceActions.AssetDuplicated(asset.token);
            }
            uint256 received = _balanceOf(asset.token, address(this));
            if (received < asset.minimumReceived) {
                revert IBalanceActions.ReceivedTooLittle(asset.token, received, asset.minimumReceived);
            }
            gainedFrom[i] = _balanceOf(asset.token, asset.recipient);
        }
    }

    function _run(
        uint256 index,
        IBalanceActions.Step calldata step,
        IBalanceActions.Asset[] calldata assets
    ) private {
        if (step.sendNativeBalance && step.value != 0) revert IBalanceActions.StepValueAmbiguous(index);
        uint256 value = step.sendNativeBalance ? address(this).balance : step.value;
        bytes memory data = _splice(step, assets);
        IERC20 token = IERC20(step.approvedToken);
        bool isApproved = step.approvedToken != address(0);
        if (isApproved) {
            _requireNamed(step.approvedToken, assets);
            token.approve(step.target, token.balanceOf(address(this)));
        }
        (bool success, bytes memory reason) = step.target.call{value: value}(data);
        if (!success) revert IBalanceActions.StepFailed(index, step.target, reason);
        if (step.target.code.length == 0) revert IBalanceActions.TargetHasNoCode(index, step.target);
        if (isApproved) token.approve(step.target, 0);
    }

    function _splice(
        IBalanceActions.Step calldata step,
        IBalanceActions.Asset[] calldata assets
    ) private view returns (bytes memory data) {
        data = step.data;
        uint256 end;
        for (uint256 i; i < step.splices.length; ++i) {
            uint256 offset = step.splices[i].offset;
            address token = step.splices[i].token;
            if (offset < end) revert IBalanceActions.SplicesOverlap(offset, end);
            _requireNamed(token, assets);
            if (offset < 4 || data.length < 36 || offset > data.length - 32) {
                revert IBalanceActions.SpliceOutOfBounds(offset, data.length);
            }
            bytes32 found;
            for (uint256 j; j < 32; ++j) found |= bytes32(data[offset + j]) >> (8 * j);
            if (found != 0) revert IBalanceActions.SpliceWordNotZero(offset, found);
            bytes32 balance = bytes32(_balanceOf(token, address(this)));
            for (uint256 j; j < 32; ++j) data[offset + j] = balance[j];
            end = offset + 32;
        }
    }

    function _requireNamed(address token, IBalanceActions.Asset[] calldata assets) private pure {
        for (uint256 i; i < assets.length; ++i) if (assets[i].token == token) return;
        revert IBalanceActions.AssetNotNamed(token);
    }

    function _balanceOf(address token, address account) private view returns (uint256) {
        return token == address(0) ? account.balance : IERC20(token).balanceOf(account);
    }
}
