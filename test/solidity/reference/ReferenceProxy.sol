// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";

/// @title ReferenceProxy
/// @notice `execute` and `spend` of proxy and executor written for clarity: one contract, which pulls if it stands for the proxy, splices byte
/// by byte and sweeps with plain token calls. It knows neither reentrancy nor awkward tokens.
contract ReferenceProxy {
    error NotSent(address token, uint256 amount);

    bool private immutable PULLS;

    constructor(bool pulls) {
        PULLS = pulls;
    }

    receive() external payable {}

    function spend(
        address token,
        uint256 minimumReceived,
        address target,
        uint256 offset,
        bytes memory data,
        address recipient
    ) external {
        if (PULLS) {
            uint256 pulled = _pull(token);
            uint256 arrived = _balanceOf(token, address(this));
            if (minimumReceived == 0 && arrived < pulled) {
                revert IBalanceActions.ReceivedTooLittle(token, arrived, pulled);
            }
        }
        if (recipient == address(0) || recipient == address(this)) revert IBalanceActions.RecipientInvalid(0);
        uint256 nativeBefore = address(this).balance;
        uint256 received = _balanceOf(token, address(this));
        if (received == 0 || received < minimumReceived) {
            revert IBalanceActions.ReceivedTooLittle(token, received, minimumReceived);
        }
        _write(data, offset, received);
        _call(0, target, token, 0, data);
        _send(token, recipient, _balanceOf(token, address(this)));
        uint256 native = address(this).balance;
        if (native > nativeBefore) _send(address(0), recipient, native - nativeBefore);
    }

    function execute(
        IBalanceActions.Asset[] calldata assets,
        IBalanceActions.Step[] calldata steps
    ) external payable {
        if (PULLS) _pullAll(assets);
        uint256 nativeBefore = address(this).balance - msg.value;
        uint256[] memory gainedFrom = _open(assets);
        for (uint256 i; i < steps.length; ++i) _run(i, steps[i], assets);
        for (uint256 i; i < assets.length; ++i) {
            _send(assets[i].token, assets[i].recipient, _balanceOf(assets[i].token, address(this)));
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

    /// @dev The lesser of balance and allowance.
    function _pull(address token) private returns (uint256 amount) {
        amount = IERC20(token).balanceOf(msg.sender);
        uint256 allowed = IERC20(token).allowance(msg.sender, address(this));
        if (allowed < amount) amount = allowed;
        IERC20(token).transferFrom(msg.sender, address(this), amount);
    }

    /// @dev What is pulled must arrive whole, unless the asset has a minimum.
    function _pullAll(IBalanceActions.Asset[] calldata assets) private {
        uint256[] memory needed = new uint256[](assets.length);
        for (uint256 i; i < assets.length; ++i) {
            if (assets[i].token == address(0)) continue;
            uint256 amount = _pull(assets[i].token);
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
        if (step.approvedToken != address(0)) _requireNamed(step.approvedToken, assets);
        _call(index, step.target, step.approvedToken, value, data);
    }

    function _call(uint256 index, address target, address token, uint256 value, bytes memory data) private {
        if (token != address(0)) IERC20(token).approve(target, _balanceOf(token, address(this)));
        (bool success, bytes memory reason) = target.call{value: value}(data);
        if (!success) revert IBalanceActions.StepFailed(index, target, reason);
        if (target.code.length == 0) revert IBalanceActions.TargetHasNoCode(index, target);
        if (token != address(0)) IERC20(token).approve(target, 0);
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
            _write(data, offset, _balanceOf(token, address(this)));
            end = offset + 32;
        }
    }

    function _write(bytes memory data, uint256 offset, uint256 balance) private pure {
        if (offset < 4 || data.length < 36 || offset > data.length - 32) {
            revert IBalanceActions.SpliceOutOfBounds(offset, data.length);
        }
        bytes32 found;
        for (uint256 i; i < 32; ++i) found |= bytes32(data[offset + i]) >> (8 * i);
        if (found != 0) revert IBalanceActions.SpliceWordNotZero(offset, found);
        for (uint256 i; i < 32; ++i) data[offset + i] = bytes32(balance)[i];
    }

    function _send(address token, address recipient, uint256 amount) private {
        bool success;
        if (token != address(0)) success = IERC20(token).transfer(recipient, amount);
        else (success, ) = recipient.call{value: amount}("");
        if (!success) revert NotSent(token, amount);
    }

    function _requireNamed(address token, IBalanceActions.Asset[] calldata assets) private pure {
        for (uint256 i; i < assets.length; ++i) if (assets[i].token == token) return;
        revert IBalanceActions.AssetNotNamed(token);
    }

    function _balanceOf(address token, address account) private view returns (uint256) {
        return token == address(0) ? account.balance : IERC20(token).balanceOf(account);
    }
}
