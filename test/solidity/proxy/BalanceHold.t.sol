// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceExecutor} from "../../../contracts/interfaces/proxy/IBalanceExecutor.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";
import {TakingTarget} from "../support/TakingTarget.sol";

/// @title BalanceHoldTest
/// @notice No call acts on what has arrived while the proxy still pulls, and nothing is swept to where it would be stuck.
contract BalanceHoldTest is ProxyFixture {
    function setUp() public {
        _deployProxy();
    }

    function testFuzz_RevertWhen_AnybodyButTheProxyHoldsTheExecutor(address caller) public {
        VM.assume(caller != address(_proxy));
        VM.expectRevert(
            abi.encodeWithSelector(IBalanceExecutor.CallerIsNotProxy.selector, caller, address(_proxy))
        );
        VM.prank(caller);
        IBalanceExecutor(_executor).hold();
    }

    function testFuzz_AHostileTokenBehindAnotherTakesNothingWhileItIsPulled(uint256 amount) public {
        amount = _bound(amount, 1, type(uint128).max);
        ReentrantToken hostile = new ReentrantToken();
        _bring(_token, true, amount);
        hostile.mint(CALLER, amount);
        VM.prank(CALLER);
        hostile.approve(address(_proxy), amount);
        IBalanceActions.Asset memory loot = _asset(address(_token));
        loot.recipient = STRANGER;
        hostile.arm(_executor, abi.encodeCall(IBalanceActions.execute, (_assets(loot), _noSteps())));

        VM.prank(CALLER);
        _proxy.execute(_assets(_asset(address(_token)), _asset(address(hostile))), _noSteps());
        _assertEq(_token.balanceOf(STRANGER), 0);
        _assertEq(_token.balanceOf(_executor), 0);
    }

    function test_RevertWhen_AnAssetGoesToTheProxy() public {
        _bring(_token, true, 1000);
        bytes memory data = abi.encodeCall(TakingTarget.take, (address(_token), 0, 0));
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, 0));
        VM.prank(CALLER);
        _proxy.spend(address(_token), 0, address(_target), AMOUNT_OFFSET, data, address(_proxy));
    }

    function testFuzz_RevertWhen_TwoSplicesShareBytesOrDescend(uint256 first, uint256 second) public {
        bytes memory data = new bytes(4 + 128);
        first = _bound(first, 4, data.length - 32);
        second = _bound(second, 4, first + 31 < data.length - 32 ? first + 31 : data.length - 32);
        _bring(_token, true, 1);
        IBalanceActions.Step memory step = _step(address(_target), data);
        step.splices = new IBalanceActions.Splice[](2);
        step.splices[0] = IBalanceActions.Splice({offset: first, token: address(_token)});
        step.splices[1] = IBalanceActions.Splice({offset: second, token: address(_token)});

        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.SplicesOverlap.selector, second, first + 32));
        VM.prank(CALLER);
        _proxy.execute(_assets(_asset(address(_token))), _steps(step));
    }
}
