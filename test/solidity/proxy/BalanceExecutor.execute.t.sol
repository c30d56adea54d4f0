// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceExecutor} from "../../../contracts/interfaces/proxy/IBalanceExecutor.sol";
import {MintableNft} from "../../../contracts/mocks/MintableNft.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title BalanceExecutorExecuteTest
/// @notice `execute` with several currencies and steps, through the proxy and on the executor alike.
contract BalanceExecutorExecuteTest is ProxyFixture {
    function setUp() public {
        _deployProxy();
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
            abi.encodeWithSelector(
                IBalanceActions.OutputTooLow.selector,
                address(_token),
                0,
                asset.minimumOutput
            )
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
}
