// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";
import {TakingTarget} from "../support/TakingTarget.sol";

/// @title BalanceExecuteTest
/// @notice `execute` with several currencies and steps, through the proxy and on the executor alike.
contract BalanceExecuteTest is ProxyFixture {
    address private immutable OTHER_RECIPIENT = _account("recipient of the second token");
    address private immutable NATIVE_RECIPIENT = _account("recipient of native currency");

    function setUp() public {
        _deployProxy();
    }

    function testFuzz_SumInEqualsSumOutAndEachRecipientGetsItsOwnAsset(
        bool viaProxy,
        uint256 one,
        uint256 other,
        uint96 value,
        uint16 oneParts,
        uint16 otherParts
    ) public {
        one = _bound(one, 1, MAX_AMOUNT);
        other = _bound(other, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, one);
        _bring(_otherToken, viaProxy, other);
        IBalanceActions.Step memory first = _takeStep(address(_token), oneParts);
        first.sendNativeBalance = true;

        _execute(viaProxy, value, _threeAssets(), _steps(first, _takeStep(address(_otherToken), otherParts)));

        _assertEq(_token.balanceOf(RECIPIENT), one - _target.kept(one, oneParts));
        _assertEq(NATIVE_RECIPIENT.balance, value - _target.kept(value, oneParts));
        _assertEq(_otherToken.balanceOf(OTHER_RECIPIENT), other - _target.kept(other, otherParts));
        _assertEq(_token.balanceOf(RECIPIENT) + _token.balanceOf(address(_target)), one);
        _assertEq(_otherToken.balanceOf(OTHER_RECIPIENT) + _otherToken.balanceOf(address(_target)), other);
        _assertEq(NATIVE_RECIPIENT.balance + address(_target).balance, value);
        _assertNothingLeft();
    }

    function test_WithoutStepsEachAssetGoesToItsOwnRecipient() public {
        _bring(_token, true, 3);
        _bring(_otherToken, true, 5);
        _execute(true, 7, _threeAssets(), _noSteps());
        _assertEq(_token.balanceOf(RECIPIENT), 3);
        _assertEq(NATIVE_RECIPIENT.balance, 7);
        _assertEq(_otherToken.balanceOf(OTHER_RECIPIENT), 5);
        _assertNothingLeft();
    }

    function test_RevertWhen_AMinimumOutputIsAskedOfARecipientThatGetsNothing() public {
        IBalanceActions.Asset memory asset = _asset(address(_token));
        asset.minimumOutput = 1;
        _assertRefused(
            true,
            0,
            _assets(asset),
            _noSteps(),
            abi.encodeWithSelector(IBalanceActions.OutputTooLow.selector, address(_token), 0, 1)
        );
    }

    function test_RevertWhen_AStepApprovesATokenThatNoAssetNames() public {
        _bring(_token, false, 1);
        IBalanceActions.Step memory step = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        step.approvedToken = address(_token);
        _assertRefused(
            false,
            0,
            _assets(_asset(address(0))),
            _steps(step),
            abi.encodeWithSelector(IBalanceActions.AssetNotNamed.selector, address(_token))
        );
        _assertEq(_token.allowance(_executor, address(_target)), 0);
    }

    function testFuzz_LaterStepsSeeWhatEarlierOnesLeft(bool viaProxy, uint256 amount, uint16 parts) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, amount);
        _execute(
            viaProxy,
            0,
            _assets(_asset(address(_token))),
            _steps(_takeStep(address(_token), parts), _takeStep(address(_token), 0))
        );
        _assertEq(_target.sawAmount(), amount - _target.kept(amount, parts));
        _assertNothingLeft();
    }

    function testFuzz_SplicesWriteTokenAndNativeBalances(bool viaProxy, uint256 amount, uint96 value) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, amount);
        IBalanceActions.Step memory step = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        step.splices = new IBalanceActions.Splice[](2);
        step.splices[0] = IBalanceActions.Splice({offset: 4, token: address(_token)});
        step.splices[1] = IBalanceActions.Splice({offset: 36, token: address(0)});

        _execute(viaProxy, value, _assets(_asset(address(_token)), _asset(address(0))), _steps(step));

        _assertEq(_target.sawAmount(), amount);
        _assertEq(_target.sawAllowance(), value);
        _assertEq(_target.sawValue(), 0);
        _assertEq(RECIPIENT.balance, value);
    }

    function testFuzz_FixedValueIsSentAndTheRestSwept(bool viaProxy, uint96 value, uint96 sent) public {
        uint256 fixedValue = _bound(sent, 0, value);
        IBalanceActions.Step memory step = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        step.value = fixedValue;
        _execute(viaProxy, value, _assets(_asset(address(0))), _steps(step));
        _assertEq(address(_target).balance, fixedValue);
        _assertEq(RECIPIENT.balance, value - fixedValue);
        _assertNothingLeft();
    }

    function testFuzz_ReachedMinimumsPass(bool viaProxy, uint256 amount, uint256 out) public {
        (amount, out) = (_bound(amount, 1, MAX_AMOUNT), _bound(out, 1, MAX_AMOUNT));
        _executeSwap(viaProxy, amount, amount, out, out);
        _assertEq(_otherToken.balanceOf(RECIPIENT), out);
        _assertNothingLeft();
    }

    function testFuzz_RevertWhen_LessArrivedThanAnAssetsMinimum(
        bool viaProxy,
        uint256 amount,
        uint256 minimum
    ) public {
        amount = _bound(amount, 0, MAX_AMOUNT);
        minimum = _bound(minimum, amount + 1, type(uint256).max);
        VM.expectRevert(
            abi.encodeWithSelector(
                IBalanceActions.ReceivedTooLittle.selector,
                address(_token),
                amount,
                minimum
            )
        );
        this.executeSwapOutside(viaProxy, amount, minimum, 1, 0);
    }

    function testFuzz_RevertWhen_RecipientGainsLessThanTheMinimumOutput(
        bool viaProxy,
        uint256 out,
        uint256 minimum,
        uint256 before
    ) public {
        out = _bound(out, 0, MAX_AMOUNT);
        minimum = _bound(minimum, out + 1, type(uint256).max);
        // What the recipient had before must not count.
        _otherToken.mint(RECIPIENT, _bound(before, 0, MAX_AMOUNT));
        VM.expectRevert(
            abi.encodeWithSelector(IBalanceActions.OutputTooLow.selector, address(_otherToken), out, minimum)
        );
        this.executeSwapOutside(viaProxy, 1, 1, out, minimum);
    }

    function testFuzz_RevertWhen_LessNativeCameThanTheMinimum(
        bool viaProxy,
        uint96 value,
        uint256 minimum
    ) public {
        minimum = _bound(minimum, uint256(value) + 1, type(uint256).max);
        IBalanceActions.Asset memory asset = _asset(address(0));
        asset.minimumReceived = minimum;
        _assertRefused(
            viaProxy,
            value,
            _assets(asset),
            _noSteps(),
            abi.encodeWithSelector(IBalanceActions.ReceivedTooLittle.selector, address(0), value, minimum)
        );
    }

    function testFuzz_RevertWhen_NativeCurrencyWouldStayBehind(
        bool viaProxy,
        uint96 value,
        uint96 before
    ) public {
        VM.assume(value != 0);
        VM.deal(_executor, before);
        _assertRefused(
            viaProxy,
            value,
            _noAssets(),
            _noSteps(),
            abi.encodeWithSelector(IBalanceActions.NativeLeftBehind.selector, value)
        );
    }

    function testFuzz_NativeCurrencyThatLayThereDoesNotCountAsLeftBehind(
        bool viaProxy,
        uint96 before
    ) public {
        VM.deal(_executor, before);
        _execute(viaProxy, 0, _noAssets(), _noSteps());
        _assertEq(_executor.balance, before);
    }

    function testFuzz_RevertWhen_ACurrencyIsNamedTwice(bool viaProxy, bool isNative) public {
        address token = isNative ? address(0) : address(_token);
        _assertRefused(
            viaProxy,
            0,
            _assets(_asset(token), _asset(token)),
            _noSteps(),
            abi.encodeWithSelector(IBalanceActions.AssetDuplicated.selector, token)
        );
    }

    function testFuzz_RevertWhen_AStepMayTakeATokenNoAssetNames(bool viaProxy, bool isSecond) public {
        IBalanceActions.Step memory good = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        IBalanceActions.Step memory bad = _step(address(_target), good.data);
        bad.approvedToken = address(_token);
        _assertRefused(
            viaProxy,
            0,
            _assets(_asset(address(_otherToken)), _asset(address(0))),
            isSecond ? _steps(good, bad) : _steps(bad, good),
            abi.encodeWithSelector(IBalanceActions.AssetNotNamed.selector, address(_token))
        );
    }

    function testFuzz_RevertWhen_ASpliceReadsACurrencyNoAssetNames(bool viaProxy, bool isNative) public {
        address unnamed = isNative ? address(0) : address(_token);
        IBalanceActions.Step memory step = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        step.splices = new IBalanceActions.Splice[](2);
        step.splices[0] = IBalanceActions.Splice({offset: 4, token: address(_otherToken)});
        step.splices[1] = IBalanceActions.Splice({offset: 36, token: unnamed});
        _assertRefused(
            viaProxy,
            0,
            _assets(_asset(address(_otherToken)), _asset(isNative ? address(_token) : address(0))),
            _steps(step),
            abi.encodeWithSelector(IBalanceActions.AssetNotNamed.selector, unnamed)
        );
    }

    function testFuzz_RevertWhen_AnAssetHasNobodyToBeSweptTo(
        bool viaProxy,
        bool isSecond,
        bool isZero
    ) public {
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(_token)), _asset(address(0)));
        uint256 index = isSecond ? 1 : 0;
        assets[index].recipient = isZero ? address(0) : _executor;
        _assertRefused(
            viaProxy,
            0,
            assets,
            _noSteps(),
            abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, index)
        );
    }

    function testFuzz_RevertWhen_AStepNamesTwoValues(bool viaProxy, uint256 value) public {
        IBalanceActions.Step memory step = _step(address(_target), "");
        step.value = _bound(value, 1, type(uint256).max);
        step.sendNativeBalance = true;
        _assertRefused(
            viaProxy,
            0,
            _noAssets(),
            _steps(_step(address(_target), ""), step),
            abi.encodeWithSelector(IBalanceActions.StepValueAmbiguous.selector, 1)
        );
    }

    function testFuzz_RevertWhen_AnyStepFailsAndItsIndexIsNamed(
        bool viaProxy,
        bool isSecond,
        uint256 code
    ) public {
        IBalanceActions.Step memory good = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        IBalanceActions.Step memory bad = _step(
            address(_target),
            abi.encodeCall(TakingTarget.refuse, (code))
        );
        bytes memory inner = abi.encodeWithSelector(TakingTarget.TargetRefused.selector, code);
        _assertRefused(
            viaProxy,
            0,
            _noAssets(),
            isSecond ? _steps(good, bad) : _steps(bad, good),
            abi.encodeWithSelector(
                IBalanceActions.StepFailed.selector,
                isSecond ? 1 : 0,
                address(_target),
                inner
            )
        );
    }

    function testFuzz_RevertWhen_AStepSendsMoreThanThereIs(bool viaProxy, uint96 value, uint256 more) public {
        IBalanceActions.Step memory step = _step(address(_target), "");
        step.value = _bound(more, uint256(value) + 1, type(uint256).max);
        _assertRefused(
            viaProxy,
            value,
            _assets(_asset(address(0))),
            _steps(step),
            abi.encodeWithSelector(IBalanceActions.StepFailed.selector, 0, address(_target), "")
        );
    }

    /// @notice An outside of `_executeSwap`, so that minting and the call are one thing to expect a revert of.
    function executeSwapOutside(
        bool viaProxy,
        uint256 amount,
        uint256 minimumIn,
        uint256 out,
        uint256 minimumOut
    ) external {
        _executeSwap(viaProxy, amount, minimumIn, out, minimumOut);
    }

    function _executeSwap(
        bool viaProxy,
        uint256 amount,
        uint256 minimumIn,
        uint256 out,
        uint256 minimumOut
    ) private {
        _bring(_token, viaProxy, amount);
        _otherToken.mint(address(_target), out);
        IBalanceActions.Asset memory incoming = _asset(address(_token));
        incoming.minimumReceived = minimumIn;
        IBalanceActions.Asset memory outgoing = _asset(address(_otherToken));
        outgoing.minimumOutput = minimumOut;
        bytes memory data = abi.encodeCall(
            TakingTarget.swap,
            (address(_token), 0, address(_otherToken), out)
        );
        IBalanceActions.Step memory step = _spendingStep(address(_target), address(_token), data);
        _execute(viaProxy, 0, _assets(incoming, outgoing), _steps(step));
    }

    /// @dev Three assets, each with a recipient of its own.
    function _threeAssets() private view returns (IBalanceActions.Asset[] memory assets) {
        assets = new IBalanceActions.Asset[](3);
        assets[0] = _asset(address(_token));
        assets[1] = _asset(address(0));
        assets[1].recipient = NATIVE_RECIPIENT;
        assets[2] = _asset(address(_otherToken));
        assets[2].recipient = OTHER_RECIPIENT;
    }

    function _takeStep(address token, uint16 parts) private view returns (IBalanceActions.Step memory) {
        bytes memory data = abi.encodeCall(TakingTarget.take, (token, 0, parts));
        return _spendingStep(address(_target), token, data);
    }

    function _assertRefused(
        bool viaProxy,
        uint256 value,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps,
        bytes memory reason
    ) private {
        VM.deal(CALLER, value);
        IBalanceActions entry = _entry(viaProxy);
        VM.expectRevert(reason);
        VM.prank(CALLER);
        entry.execute{value: value}(assets, steps);
        _assertEq(CALLER.balance, value);
    }

    function _execute(
        bool viaProxy,
        uint256 value,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps
    ) private {
        VM.deal(CALLER, value);
        IBalanceActions entry = _entry(viaProxy);
        VM.prank(CALLER);
        entry.execute{value: value}(assets, steps);
    }
}
