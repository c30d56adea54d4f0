// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {BalanceProxy} from "../../../contracts/proxy/BalanceProxy.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {TakingTarget} from "./TakingTarget.sol";
import {Test} from "./Test.sol";

/// @title ProxyFixture
/// @notice The proxy with its executor, two tokens, a target, and money brought in by either way.
abstract contract ProxyFixture is Test {
    /// @dev Where `take` and `swap` of the target have their amount: behind the selector and one address.
    uint256 internal constant AMOUNT_OFFSET = 36;

    /// @dev So that no product or sum of amounts overflows.
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

    /// @dev Gives the caller an approved balance when the proxy is called, or sends ahead when the executor is.
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

    /// @dev Neither contract has anything, and the target nothing to take.
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

    /// @dev A call that may take the whole balance of a token and finds it in its calldata.
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
