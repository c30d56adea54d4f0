// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {BalanceProxy} from "../../../contracts/proxy/BalanceProxy.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {TakingTarget} from "./TakingTarget.sol";
import {Test} from "../support/Test.sol";

/// @title ProxyFixture
/// @notice The proxy with its executor, two tokens and a target; a call goes through the proxy or to the executor.
abstract contract ProxyFixture is Test {
    /// @dev The place of the amount in `take` and `swap` of the target: after the selector and one address.
    uint256 internal constant AMOUNT_OFFSET = 36;

    /// @dev Limit of amounts, so that no product or sum overflows.
    uint256 internal constant MAX_AMOUNT = type(uint128).max;

    address internal immutable CALLER = _account("caller");
    address internal immutable RECIPIENT = _account("recipient");
    address internal immutable STRANGER = _account("stranger");

    BalanceProxy internal _proxy;
    address internal _executor;
    LocalToken internal _token;
    LocalToken internal _otherToken;
    TakingTarget internal _target;

    function _deployProxy() internal {
        _proxy = new BalanceProxy();
        _executor = _proxy.executor();
        _token = new LocalToken("Token", "ONE", 6, address(this));
        _otherToken = new LocalToken("Other", "TWO", 18, address(this));
        _target = new TakingTarget();
    }

    /// @dev Funds the caller and approves the proxy, or sends the money ahead to the executor.
    function _bring(LocalToken token, bool viaProxy, uint256 amount) internal {
        if (viaProxy) {
            token.mint(CALLER, amount);
            VM.prank(CALLER);
            token.approve(address(_proxy), amount);
        } else {
            token.mint(_executor, amount);
        }
    }

    function _entry(bool viaProxy) internal view returns (IBalanceActions) {
        return IBalanceActions(viaProxy ? address(_proxy) : _executor);
    }

    function _execute(
        bool viaProxy,
        uint256 value,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps
    ) internal {
        VM.deal(CALLER, value);
        VM.prank(CALLER);
        _entry(viaProxy).execute{value: value}(assets, steps);
    }

    function _assertRefused(
        bool viaProxy,
        uint256 value,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps,
        bytes memory reason
    ) internal {
        VM.deal(CALLER, value);
        VM.expectRevert(reason);
        VM.prank(CALLER);
        _entry(viaProxy).execute{value: value}(assets, steps);
        _assertEq(CALLER.balance, value);
    }

    function _tooLittle(
        address token,
        uint256 received,
        uint256 minimum
    ) internal pure returns (bytes memory) {
        bytes4 selector = IBalanceActions.ReceivedTooLittle.selector;
        return abi.encodeWithSelector(selector, token, received, minimum);
    }

    /// @dev Neither contract holds anything, and the target may take nothing.
    function _assertNothingLeft() internal view {
        address[2] memory holders = [address(_proxy), _executor];
        for (uint256 i; i < holders.length; ++i) {
            _assertEq(_token.balanceOf(holders[i]), 0);
            _assertEq(_otherToken.balanceOf(holders[i]), 0);
            _assertEq(holders[i].balance, 0);
            _assertEq(_token.allowance(holders[i], address(_target)), 0);
            _assertEq(_otherToken.allowance(holders[i], address(_target)), 0);
        }
    }

    function _noAssets() internal pure returns (IBalanceActions.Asset[] memory) {
        return new IBalanceActions.Asset[](0);
    }

    function _noSteps() internal pure returns (IBalanceActions.Step[] memory) {
        return new IBalanceActions.Step[](0);
    }

    /// @dev An asset without minimums, swept to the recipient.
    function _asset(address token) internal view returns (IBalanceActions.Asset memory) {
        return
            IBalanceActions.Asset({token: token, minimumReceived: 0, recipient: RECIPIENT, minimumOutput: 0});
    }

    function _assets(
        IBalanceActions.Asset memory asset
    ) internal pure returns (IBalanceActions.Asset[] memory assets) {
        assets = new IBalanceActions.Asset[](1);
        assets[0] = asset;
    }

    function _assets(
        IBalanceActions.Asset memory one,
        IBalanceActions.Asset memory other
    ) internal pure returns (IBalanceActions.Asset[] memory assets) {
        assets = new IBalanceActions.Asset[](2);
        (assets[0], assets[1]) = (one, other);
    }

    function _threeAssets() internal view returns (IBalanceActions.Asset[] memory assets) {
        assets = new IBalanceActions.Asset[](3);
        assets[0] = _asset(address(_token));
        assets[1] = _asset(address(0));
        assets[2] = _asset(address(_otherToken));
    }

    /// @dev A plain call: no approval, no value, no splices.
    function _step(address target, bytes memory data) internal pure returns (IBalanceActions.Step memory) {
        return
            IBalanceActions.Step({
                target: target,
                approvedToken: address(0),
                value: 0,
                sendNativeBalance: false,
                data: data,
                splices: new IBalanceActions.Splice[](0)
            });
    }

    /// @dev A call that the target accepts and that moves nothing.
    function _noteStep() internal view returns (IBalanceActions.Step memory) {
        return _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
    }

    function _takeStep(address token, uint16 parts) internal view returns (IBalanceActions.Step memory) {
        bytes memory data = abi.encodeCall(TakingTarget.take, (token, 0, parts));
        return _spendingStep(address(_target), token, data);
    }

    /// @dev A call that may take the whole balance of a token, with the balance spliced into its calldata.
    function _spendingStep(
        address target,
        address token,
        bytes memory data
    ) internal pure returns (IBalanceActions.Step memory step) {
        step = _step(target, data);
        step.approvedToken = token;
        step.splices = new IBalanceActions.Splice[](1);
        step.splices[0] = IBalanceActions.Splice({offset: AMOUNT_OFFSET, token: token});
    }

    function _steps(
        IBalanceActions.Step memory step
    ) internal pure returns (IBalanceActions.Step[] memory steps) {
        steps = new IBalanceActions.Step[](1);
        steps[0] = step;
    }

    function _steps(
        IBalanceActions.Step memory one,
        IBalanceActions.Step memory other
    ) internal pure returns (IBalanceActions.Step[] memory steps) {
        steps = new IBalanceActions.Step[](2);
        (steps[0], steps[1]) = (one, other);
    }
}
