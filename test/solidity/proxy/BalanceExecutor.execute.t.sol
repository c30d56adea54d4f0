// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceExecutor} from "../../../contracts/interfaces/proxy/IBalanceExecutor.sol";
import {MintableNft} from "../../../contracts/mocks/MintableNft.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ProxyFixture} from "./ProxyFixture.sol";
import {TakingTarget} from "./TakingTarget.sol";

/// @title BalanceExecutorExecuteTest
/// @notice `execute` with several currencies and steps, through the proxy and on the executor alike.
contract BalanceExecutorExecuteTest is ProxyFixture {
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
        uint16[2] memory parts,
        bool hasSteps
    ) public {
        one = _bound(one, 1, MAX_AMOUNT);
        other = _bound(other, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, one);
        _bring(_otherToken, viaProxy, other);
        IBalanceActions.Asset[] memory assets = _threeAssets();
        (assets[1].recipient, assets[2].recipient) = (NATIVE_RECIPIENT, OTHER_RECIPIENT);
        IBalanceActions.Step memory first = _takeStep(address(_token), parts[0]);
        first.sendNativeBalance = true;
        if (!hasSteps) delete parts;

        _execute(
            viaProxy,
            value,
            assets,
            hasSteps ? _steps(first, _takeStep(address(_otherToken), parts[1])) : _noSteps()
        );

        _assertShared(address(_token), RECIPIENT, one, parts[0]);
        _assertShared(address(0), NATIVE_RECIPIENT, value, parts[0]);
        _assertShared(address(_otherToken), OTHER_RECIPIENT, other, parts[1]);
        _assertNothingLeft();
    }

    function testFuzz_SeveralAssetsReachTheRecipientOfACallThatNamesAnNftRecipient(
        bool viaProxy,
        uint256 amount,
        uint256 otherAmount,
        uint96 value,
        bool hasAssets
    ) public {
        (amount, otherAmount) = (_bound(amount, 1, MAX_AMOUNT), _bound(otherAmount, 1, MAX_AMOUNT));
        if (!hasAssets) (amount, otherAmount, value) = (0, 0, 0);
        if (hasAssets) _bring(_token, viaProxy, amount);
        if (hasAssets) _bring(_otherToken, viaProxy, otherAmount);
        VM.deal(CALLER, value);
        MintableNft nft = new MintableNft();

        VM.prank(CALLER);
        _entry(viaProxy).executeWithNftRecipient{value: value}(
            IBalanceActions.NftExecution({
                assets: hasAssets ? _threeAssets() : _noAssets(),
                steps: _steps(_step(address(nft), abi.encodeCall(MintableNft.mint, (_executor, 1)))),
                nftRecipient: RECIPIENT
            })
        );
        _assertEq(_token.balanceOf(RECIPIENT), amount);
        _assertEq(_otherToken.balanceOf(RECIPIENT), otherAmount);
        _assertEq(RECIPIENT.balance, value);
        _assertEq(nft.ownerOf(1), RECIPIENT);
        _assertNothingLeft();
    }

    function testFuzz_LaterStepsSeeTheRestOfEarlierSteps(bool viaProxy, uint256 amount, uint16 parts) public {
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
        IBalanceActions.Step memory step = _splicedStep(_noteStep(), 4, address(_token), 36, address(0));

        _execute(viaProxy, value, _assets(_asset(address(_token)), _asset(address(0))), _steps(step));

        _assertEq(_target.sawAmount(), amount);
        _assertEq(_target.sawAllowance(), value);
        _assertEq(_target.sawValue(), 0);
        _assertEq(RECIPIENT.balance, value);
    }

    function testFuzz_FixedValueIsSentAndTheRestSwept(bool viaProxy, uint96 value, uint96 sent) public {
        IBalanceActions.Step memory step = _noteStep();
        step.value = _bound(sent, 0, value);
        _execute(viaProxy, value, _assets(_asset(address(0))), _steps(step));
        _assertEq(address(_target).balance, step.value);
        _assertEq(RECIPIENT.balance, value - step.value);
        _assertNothingLeft();
    }

    function testFuzz_ReachedMinimumsPass(bool viaProxy, uint256 amount, uint256 out) public {
        (amount, out) = (_bound(amount, 1, MAX_AMOUNT), _bound(out, 1, MAX_AMOUNT));
        (IBalanceActions.Asset[] memory assets, IBalanceActions.Step[] memory steps) = _swap(
            viaProxy,
            amount,
            out
        );
        (assets[0].minimumReceived, assets[1].minimumOutput) = (amount, out);
        _execute(viaProxy, 0, assets, steps);
        _assertEq(_otherToken.balanceOf(RECIPIENT), out);
        _assertNothingLeft();
    }

    function testFuzz_RevertWhen_AnAssetArrivesBelowItsMinimum(
        bool viaProxy,
        bool isNative,
        uint96 amount,
        uint256 minimum
    ) public {
        address currency = isNative ? address(0) : address(_token);
        if (!isNative) _bring(_token, viaProxy, amount);
        IBalanceActions.Asset memory asset = _asset(currency);
        asset.minimumReceived = _bound(minimum, uint256(amount) + 1, type(uint256).max);
        _assertRefused(
            viaProxy,
            isNative ? amount : 0,
            _assets(asset),
            _noSteps(),
            _tooLittle(currency, amount, asset.minimumReceived)
        );
    }

    function testFuzz_RevertWhen_TheRecipientGainsLessThanTheMinimumOutput(
        bool viaProxy,
        uint256 out,
        uint256 minimum,
        uint256 before
    ) public {
        out = _bound(out, 0, MAX_AMOUNT);
        // The recipient's earlier balance must not count.
        _otherToken.mint(RECIPIENT, _bound(before, 0, MAX_AMOUNT));
        (IBalanceActions.Asset[] memory assets, IBalanceActions.Step[] memory steps) = _swap(
            viaProxy,
            1,
            out
        );
        assets[1].minimumOutput = _bound(minimum, out + 1, type(uint256).max);
        bytes memory reason = _outputTooLow(_otherToken, out, assets[1].minimumOutput);
        _assertRefused(viaProxy, 0, assets, steps, reason);
    }

    function testFuzz_RevertWhen_TheRecipientGainsNothingOrLoses(
        bool viaProxy,
        uint256 before,
        uint256 lost,
        uint256 minimum
    ) public {
        before = _bound(before, 0, MAX_AMOUNT);
        lost = _bound(lost, 0, before);
        IBalanceActions.Asset memory asset = _asset(address(_token));
        asset.minimumOutput = _bound(minimum, 1, type(uint256).max);
        _token.mint(RECIPIENT, before);
        // A careless approval, so that any caller's step can take the money.
        VM.prank(RECIPIENT);
        _token.approve(_executor, lost);
        bytes memory data = abi.encodeCall(_token.transferFrom, (RECIPIENT, STRANGER, lost));
        _assertRefused(
            viaProxy,
            0,
            _assets(asset),
            _steps(_step(address(_token), data)),
            _outputTooLow(_token, 0, asset.minimumOutput)
        );
        _assertEq(_token.balanceOf(RECIPIENT), before);
    }

    function testFuzz_RevertWhen_NativeCurrencyWouldStayBehind(
        bool viaProxy,
        uint96 value,
        uint96 before
    ) public {
        VM.assume(value != 0);
        VM.deal(_executor, before);
        bytes memory reason = abi.encodeWithSelector(IBalanceActions.NativeLeftBehind.selector, value);
        _assertRefused(viaProxy, value, _noAssets(), _noSteps(), reason);

        // Earlier native currency does not count.
        _execute(viaProxy, 0, _noAssets(), _noSteps());
        _assertEq(_executor.balance, before);
    }

    function testFuzz_RevertWhen_NativeCurrencyReturnsAfterItsSweep(uint96 value, uint96 returned) public {
        VM.assume(returned != 0);
        ReentrantToken token = new ReentrantToken();
        token.mint(_executor, 1);
        token.arm(address(VM), abi.encodeCall(VM.deal, (_executor, returned)));
        bytes memory reason = abi.encodeWithSelector(IBalanceActions.NativeLeftBehind.selector, returned);
        _assertRefused(false, value, _assets(_asset(address(0)), _asset(address(token))), _noSteps(), reason);
    }

    function testFuzz_RevertWhen_ACurrencyIsNamedTwice(bool viaProxy, bool isNative) public {
        address token = isNative ? address(0) : address(_token);
        bytes memory reason = abi.encodeWithSelector(IBalanceActions.AssetDuplicated.selector, token);
        _assertRefused(viaProxy, 0, _assets(_asset(token), _asset(token)), _noSteps(), reason);
    }

    function testFuzz_RevertWhen_AStepMayTakeATokenNoAssetNames(
        bool viaProxy,
        bool isSecond,
        uint256 list
    ) public {
        _token.mint(_executor, 1);
        IBalanceActions.Step memory bad = _noteStep();
        bad.approvedToken = address(_token);
        IBalanceActions.Asset memory other = _asset(address(_otherToken));
        IBalanceActions.Asset memory native = _asset(address(0));
        _assertRefused(
            viaProxy,
            0,
            [_noAssets(), _assets(other), _assets(native), _assets(other, native)][list % 4],
            isSecond ? _steps(_noteStep(), bad) : _steps(bad, _noteStep()),
            _notNamed(address(_token))
        );
        _assertEq(_token.allowance(_executor, address(_target)), 0);
        _assertEq(_token.balanceOf(_executor), 1);
    }

    function testFuzz_RevertWhen_ASpliceReadsACurrencyNoAssetNames(bool viaProxy, bool isNative) public {
        address unnamed = isNative ? address(0) : address(_token);
        address named = address(_otherToken);
        _assertRefused(
            viaProxy,
            0,
            _assets(_asset(named), _asset(isNative ? address(_token) : address(0))),
            _steps(_splicedStep(_noteStep(), 4, named, 36, unnamed)),
            _notNamed(unnamed)
        );
    }

    function testFuzz_RevertWhen_TwoSplicesShareBytesOrDescend(uint256 first, uint256 second) public {
        bytes memory data = new bytes(4 + 128);
        uint256 last = data.length - 32;
        first = _bound(first, 4, last);
        second = _bound(second, 4, first + 31 < last ? first + 31 : last);
        _bring(_token, true, 1);
        address token = address(_token);
        bytes4 selector = IBalanceActions.SplicesOverlap.selector;
        _assertRefused(
            true,
            0,
            _assets(_asset(token)),
            _steps(_splicedStep(_step(address(_target), data), first, token, second, token)),
            abi.encodeWithSelector(selector, second, first + 32)
        );
    }

    function testFuzz_RevertWhen_AnAssetsRecipientIsZeroOrTheExecutor(
        bool viaProxy,
        bool isSecond,
        bool isZero
    ) public {
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(_token)), _asset(address(0)));
        uint256 index = isSecond ? 1 : 0;
        assets[index].recipient = isZero ? address(0) : _executor;
        bytes memory reason = abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, index);
        _assertRefused(viaProxy, 0, assets, _noSteps(), reason);
    }

    function testFuzz_RevertWhen_AStepNamesTwoValues(bool viaProxy, uint256 value) public {
        IBalanceActions.Step memory step = _step(address(_target), "");
        step.value = _bound(value, 1, type(uint256).max);
        step.sendNativeBalance = true;
        bytes memory reason = abi.encodeWithSelector(IBalanceActions.StepValueAmbiguous.selector, 1);
        _assertRefused(viaProxy, 0, _noAssets(), _steps(_step(address(_target), ""), step), reason);
    }

    function testFuzz_RevertWhen_AStepFailsAndItsIndexIsNamed(
        bool viaProxy,
        bool isSecond,
        uint256 code
    ) public {
        bytes memory refusal = abi.encodeCall(TakingTarget.refuse, (code));
        IBalanceActions.Step memory bad = _step(address(_target), refusal);
        bytes memory inner = abi.encodeWithSelector(TakingTarget.TargetRefused.selector, code);
        bytes4 selector = IBalanceActions.StepFailed.selector;
        _assertRefused(
            viaProxy,
            0,
            _noAssets(),
            isSecond ? _steps(_noteStep(), bad) : _steps(bad, _noteStep()),
            abi.encodeWithSelector(selector, isSecond ? 1 : 0, address(_target), inner)
        );
    }

    function testFuzz_RevertWhen_AStepSendsMoreThanThereIs(bool viaProxy, uint96 value, uint256 more) public {
        IBalanceActions.Step memory step = _step(address(_target), "");
        step.value = _bound(more, uint256(value) + 1, type(uint256).max);
        bytes4 selector = IBalanceActions.StepFailed.selector;
        bytes memory reason = abi.encodeWithSelector(selector, 0, address(_target), "");
        _assertRefused(viaProxy, value, _assets(_asset(address(0))), _steps(step), reason);
    }

    function testFuzz_RevertWhen_AnotherCallerThanTheProxyLocksTheExecutor(address caller) public {
        VM.assume(caller != address(_proxy));
        bytes4 selector = IBalanceExecutor.CallerIsNotProxy.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, caller, address(_proxy)));
        VM.prank(caller);
        IBalanceExecutor(_executor).lock();
    }

    function testFuzz_AHostileTokenTakesNothingWhileTheProxyPullsIt(uint256 amount) public {
        amount = _bound(amount, 1, type(uint128).max);
        ReentrantToken hostile = new ReentrantToken();
        _bring(_token, true, amount);
        _bring(LocalToken(address(hostile)), true, amount);
        IBalanceActions.Asset memory loot = _asset(address(_token));
        loot.recipient = STRANGER;
        hostile.arm(_executor, abi.encodeCall(IBalanceActions.execute, (_assets(loot), _noSteps())));

        _execute(true, 0, _assets(_asset(address(_token)), _asset(address(hostile))), _noSteps());
        _assertEq(_token.balanceOf(STRANGER), 0);
        _assertEq(_token.balanceOf(_executor), 0);
    }

    /// @dev Expects that the target kept its parts of an amount, and that the recipient received the rest.
    function _assertShared(address currency, address recipient, uint256 amount, uint16 parts) private view {
        _assertEq(_balanceOf(currency, address(_target)), _target.kept(amount, parts));
        _assertEq(_balanceOf(currency, recipient), amount - _target.kept(amount, parts));
    }

    /// @dev Swaps the whole input of the first token for `out` of the second.
    function _swap(
        bool viaProxy,
        uint256 amount,
        uint256 out
    ) private returns (IBalanceActions.Asset[] memory, IBalanceActions.Step[] memory) {
        _bring(_token, viaProxy, amount);
        _otherToken.mint(address(_target), out);
        bytes memory data = abi.encodeCall(
            TakingTarget.swap,
            (address(_token), 0, address(_otherToken), out)
        );
        return (
            _assets(_asset(address(_token)), _asset(address(_otherToken))),
            _steps(_spendingStep(address(_target), address(_token), data))
        );
    }

    function _splicedStep(
        IBalanceActions.Step memory step,
        uint256 first,
        address firstToken,
        uint256 second,
        address secondToken
    ) private pure returns (IBalanceActions.Step memory) {
        step.splices = new IBalanceActions.Splice[](2);
        step.splices[0] = IBalanceActions.Splice({offset: first, token: firstToken});
        step.splices[1] = IBalanceActions.Splice({offset: second, token: secondToken});
        return step;
    }

    function _outputTooLow(
        LocalToken token,
        uint256 gained,
        uint256 minimum
    ) private pure returns (bytes memory) {
        bytes4 selector = IBalanceActions.OutputTooLow.selector;
        return abi.encodeWithSelector(selector, address(token), gained, minimum);
    }

    function _notNamed(address token) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IBalanceActions.AssetNotNamed.selector, token);
    }
}
