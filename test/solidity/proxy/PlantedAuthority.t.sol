// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {GrantingToken} from "../../../contracts/mocks/GrantingToken.sol";
import {PayingTarget} from "../../../contracts/mocks/PayingTarget.sol";
import {ReentrantTarget} from "../../../contracts/mocks/ReentrantTarget.sol";
import {TrustingToken} from "../../../contracts/mocks/TrustingToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {NativeDrain} from "../support/NativeDrain.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";

/// @title PlantedAuthorityTest
/// @notice A stranger had the executor grant a payee its tokens, by a function that no list has. An honest target then pays
/// that payee in the middle of a step. No call has a minimum.
contract PlantedAuthorityTest is ProxyFixture {
    GrantingToken private _granting;
    PayingTarget private _paying;
    ReentrantTarget private _payee;

    function setUp() public {
        _deployProxy();
        _granting = new GrantingToken();
        _paying = new PayingTarget();
        _payee = new ReentrantTarget();
        bytes memory plant = abi.encodeCall(GrantingToken.grant, (address(_payee)));
        VM.prank(STRANGER);
        _entry(false).execute(_noAssets(), _steps(_step(address(_granting), plant)));
    }

    function testFuzz_RevertWhen_SpendLosesMoreThanTheTargetTook(
        bool viaProxy,
        uint256 amount,
        uint256 taken,
        uint256 stolen
    ) public {
        (amount, taken, stolen) = _boundTheft(amount, taken, stolen);
        _bringGranting(viaProxy, amount);
        _armPayee(stolen);
        VM.expectRevert(_outflow(0, address(_granting), amount - taken - stolen, amount - taken));
        VM.prank(CALLER);
        _entry(viaProxy).spend(address(_granting), 0, address(_paying), 4, _payData(taken), RECIPIENT);
    }

    function testFuzz_RevertWhen_AStepLosesMoreThanTheTargetTook(
        bool viaProxy,
        bool isSecond,
        uint256 amount,
        uint256 taken,
        uint256 stolen
    ) public {
        (amount, taken, stolen) = _boundTheft(amount, taken, stolen);
        _bringGranting(viaProxy, amount);
        _armPayee(stolen);
        IBalanceActions.Step memory good = _step(address(_target), abi.encodeCall(_target.note, (0, 0)));
        IBalanceActions.Step memory bad = _payStep(taken);
        VM.expectRevert(
            _outflow(isSecond ? 1 : 0, address(_granting), amount - taken - stolen, amount - taken)
        );
        VM.prank(CALLER);
        _entry(viaProxy).execute(
            _assets(_asset(address(_granting))),
            isSecond ? _steps(good, bad) : _steps(bad, good)
        );
    }

    function testFuzz_RevertWhen_AStepLosesAnAssetItDoesNotSpend(
        bool viaProxy,
        bool isSecond,
        uint256 amount,
        uint256 other,
        uint256 stolen
    ) public {
        other = _bound(other, 1, MAX_AMOUNT);
        (amount, , stolen) = _boundTheft(amount, 0, stolen);
        _bringGranting(viaProxy, amount);
        _bring(_otherToken, viaProxy, other);
        _armPayee(stolen);
        IBalanceActions.Asset memory prey = _asset(address(_granting));
        IBalanceActions.Asset memory spent = _asset(address(_otherToken));
        bytes memory data = abi.encodeCall(
            _paying.takeAndPay,
            (0, address(_otherToken), other, address(_payee))
        );
        IBalanceActions.Step memory step = _step(address(_paying), data);
        step.approvedToken = address(_otherToken);
        VM.expectRevert(_outflow(0, address(_granting), amount - stolen, amount));
        VM.prank(CALLER);
        _entry(viaProxy).execute(isSecond ? _assets(spent, prey) : _assets(prey, spent), _steps(step));
    }

    function testFuzz_RevertWhen_NativeCurrencyShrinksByMoreThanTheValueSent(
        bool viaProxy,
        uint96 value,
        uint96 sent,
        uint96 stolen
    ) public {
        value = uint96(_bound(value, 1, type(uint96).max));
        uint256 paid = _bound(sent, 0, value - 1);
        uint256 lost = _bound(stolen, 1, value - paid);
        NativeDrain drain = new NativeDrain();
        IBalanceActions.Step memory step = _step(
            address(drain),
            abi.encodeCall(drain.drain, (_executor, lost))
        );
        step.value = paid;
        VM.deal(CALLER, value);
        VM.expectRevert(_outflow(0, address(0), value - lost, value));
        VM.prank(CALLER);
        _entry(viaProxy).execute{value: value}(_assets(_asset(address(0))), _steps(step));
    }

    function testFuzz_RevertWhen_ARecipientTakesAnAssetThatIsSweptAfterItsOwn(
        bool viaProxy,
        bool hasStep,
        uint256 amount,
        uint256 stolen
    ) public {
        (amount, , stolen) = _boundTheft(amount, 0, stolen);
        _bringGranting(viaProxy, amount);
        _armPayee(stolen);
        IBalanceActions.Asset memory bait = _asset(address(0));
        bait.recipient = address(_payee);
        VM.deal(CALLER, 1);
        IBalanceActions.Step[] memory steps =
            hasStep ? _steps(_step(address(_target), abi.encodeCall(_target.note, (0, 0)))) : _noSteps();
        VM.expectRevert(_outflow(hasStep ? 1 : 0, address(_granting), amount - stolen, amount));
        VM.prank(CALLER);
        _entry(viaProxy).execute{value: 1}(_assets(bait, _asset(address(_granting))), steps);
    }

    function testFuzz_NothingIsRefusedWhenThePayeeTakesNothing(
        bool viaProxy,
        bool spends,
        uint256 amount,
        uint256 taken
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        taken = _bound(taken, 0, amount);
        _bringGranting(viaProxy, amount);
        _callPaying(viaProxy, spends, taken);
        _assertEq(_granting.balanceOf(address(_paying)), taken);
        _assertEq(_granting.balanceOf(RECIPIENT), amount - taken);
        _assertEq(_granting.allowance(_executor, address(_paying)), 0);
    }

    function testFuzz_LaterStepsAreMeasuredFromWhatEarlierOnesLeft(
        bool viaProxy,
        uint256 amount,
        uint256 first,
        uint256 second
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        first = _bound(first, 0, amount);
        second = _bound(second, 0, amount - first);
        _bringGranting(viaProxy, amount);
        VM.prank(CALLER);
        _entry(viaProxy).execute(
            _assets(_asset(address(_granting))),
            _steps(_payStep(first), _payStep(second))
        );
        _assertEq(_granting.balanceOf(address(_paying)), first + second);
        _assertEq(_granting.balanceOf(RECIPIENT), amount - first - second);
    }

    function testFuzz_AStepWhoseTargetIsTheTokenMovesItWithoutAnApproval(
        bool viaProxy,
        bool isApproved,
        uint256 amount,
        uint256 moved
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        moved = _bound(moved, 0, amount);
        _bringGranting(viaProxy, amount);
        IBalanceActions.Step memory step = _step(
            address(_granting),
            abi.encodeCall(_granting.transfer, (STRANGER, moved))
        );
        if (isApproved) step.approvedToken = address(_granting);
        VM.prank(CALLER);
        _entry(viaProxy).execute(_assets(_asset(address(_granting))), _steps(step));
        _assertEq(_granting.balanceOf(STRANGER), moved);
        _assertEq(_granting.balanceOf(RECIPIENT), amount - moved);
    }

    function testFuzz_RevertWhen_TheTokenReportsAnInfiniteAllowanceForTheTargetThatTakesSome(
        bool viaProxy,
        uint256 amount,
        uint256 taken
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        taken = _bound(taken, 1, amount);
        TrustingToken token = new TrustingToken(address(_paying));
        _bring(LocalToken(address(token)), viaProxy, amount);
        VM.expectRevert(_outflow(0, address(token), amount - taken, amount));
        VM.prank(CALLER);
        _entry(viaProxy).spend(
            address(token),
            0,
            address(_paying),
            4,
            _payData(address(token), taken),
            RECIPIENT
        );
    }

    function testFuzz_ATargetThatNeedsNoAllowanceMayTakeNothing(bool viaProxy, uint256 amount) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        TrustingToken token = new TrustingToken(address(_paying));
        _bring(LocalToken(address(token)), viaProxy, amount);
        VM.prank(CALLER);
        _entry(viaProxy).spend(
            address(token),
            0,
            address(_paying),
            4,
            _payData(address(token), 0),
            RECIPIENT
        );
        _assertEq(token.balanceOf(RECIPIENT), amount);
    }

    function _boundTheft(
        uint256 amount,
        uint256 taken,
        uint256 stolen
    ) private pure returns (uint256, uint256, uint256) {
        amount = _bound(amount, 1, MAX_AMOUNT);
        taken = _bound(taken, 0, amount - 1);
        return (amount, taken, _bound(stolen, 1, amount - taken));
    }

    function _bringGranting(bool viaProxy, uint256 amount) private {
        _bring(LocalToken(address(_granting)), viaProxy, amount);
    }

    function _armPayee(uint256 stolen) private {
        _payee.arm(address(_granting), abi.encodeCall(_granting.take, (_executor, STRANGER, stolen)));
    }

    function _payData(uint256 taken) private view returns (bytes memory) {
        return _payData(address(_granting), taken);
    }

    function _payData(address token, uint256 taken) private view returns (bytes memory) {
        return abi.encodeCall(_paying.takeAndPay, (0, token, taken, address(_payee)));
    }

    function _payStep(uint256 taken) private view returns (IBalanceActions.Step memory step) {
        step = _step(address(_paying), _payData(taken));
        step.approvedToken = address(_granting);
    }

    function _callPaying(bool viaProxy, bool spends, uint256 taken) private {
        IBalanceActions entry = _entry(viaProxy);
        if (spends) {
            VM.prank(CALLER);
            entry.spend(address(_granting), 0, address(_paying), 4, _payData(taken), RECIPIENT);
        } else {
            VM.prank(CALLER);
            entry.execute(_assets(_asset(address(_granting))), _steps(_payStep(taken)));
        }
    }

    function _outflow(
        uint256 index,
        address token,
        uint256 left,
        uint256 minimum
    ) private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(IBalanceActions.UnapprovedOutflow.selector, index, token, left, minimum);
    }
}
