// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {TakingTarget} from "../support/TakingTarget.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";

/// @title BalanceAssetListsTest
/// @notice Lists of assets with nothing in them, with one and with several, and recipients that gain nothing.
contract BalanceAssetListsTest is ProxyFixture {
    function setUp() public {
        _deployProxy();
    }

    function testFuzz_RevertWhen_AStepSpendsAndNoAssetIsNamedAtAll(bool viaProxy) public {
        _assertNotNamed(viaProxy, _noAssets());
    }

    function testFuzz_RevertWhen_AStepSpendsAndTheOnlyAssetIsAnother(bool viaProxy) public {
        _assertNotNamed(viaProxy, _assets(_asset(address(_otherToken))));
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
        // Carelessly, and so a step of anybody's can take it.
        VM.prank(RECIPIENT);
        _token.approve(_executor, lost);
        bytes memory data = abi.encodeCall(_token.transferFrom, (RECIPIENT, STRANGER, lost));

        bytes memory reason = abi.encodeWithSelector(
            IBalanceActions.OutputTooLow.selector,
            address(_token),
            0,
            asset.minimumOutput
        );
        VM.expectRevert(reason);
        VM.prank(CALLER);
        _entry(viaProxy).execute(_assets(asset), _steps(_step(address(_token), data)));
        _assertEq(_token.balanceOf(RECIPIENT), before);
    }

    function testFuzz_SeveralAssetsNativeAmongThemGoOnWithAnNftRecipient(
        bool viaProxy,
        uint256 amount,
        uint256 otherAmount,
        uint96 value
    ) public {
        (amount, otherAmount) = (_bound(amount, 1, MAX_AMOUNT), _bound(otherAmount, 1, MAX_AMOUNT));
        _bring(_token, viaProxy, amount);
        _bring(_otherToken, viaProxy, otherAmount);
        VM.deal(CALLER, value);
        IBalanceActions.Asset[] memory assets = new IBalanceActions.Asset[](3);
        (assets[0], assets[1]) = (_asset(address(_token)), _asset(address(0)));
        assets[2] = _asset(address(_otherToken));

        VM.prank(CALLER);
        _entry(viaProxy).executeWithNftRecipient{value: value}(
            IBalanceActions.NftExecution({assets: assets, steps: _noSteps(), nftRecipient: RECIPIENT})
        );
        _assertEq(_token.balanceOf(RECIPIENT), amount);
        _assertEq(_otherToken.balanceOf(RECIPIENT), otherAmount);
        _assertEq(RECIPIENT.balance, value);
        _assertNothingLeft();
    }

    function testFuzz_AnNftRecipientAloneIsEnough(bool viaProxy) public {
        VM.prank(CALLER);
        _entry(viaProxy).executeWithNftRecipient(
            IBalanceActions.NftExecution({assets: _noAssets(), steps: _noSteps(), nftRecipient: RECIPIENT})
        );
        _assertNothingLeft();
    }

    function _assertNotNamed(bool viaProxy, IBalanceActions.Asset[] memory assets) private {
        LocalToken token = _token;
        token.mint(_executor, 1);
        IBalanceActions.Step memory step = _step(address(_target), abi.encodeCall(TakingTarget.note, (0, 0)));
        step.approvedToken = address(token);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.AssetNotNamed.selector, address(token)));
        VM.prank(CALLER);
        _entry(viaProxy).execute(assets, _steps(step));
        _assertEq(token.balanceOf(_executor), 1);
    }
}
