// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICheats} from "../../../contracts/testing/ICheats.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {GrantingToken} from "../../../contracts/mocks/GrantingToken.sol";
import {PayingTarget} from "../../../contracts/mocks/PayingTarget.sol";
import {ReentrantTarget} from "../../../contracts/mocks/ReentrantTarget.sol";
import {TrustingToken} from "../../../contracts/mocks/TrustingToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {Multicall3} from "../../../contracts/service/Multicall3.sol";
import {IMulticall3} from "../../../contracts/service/interfaces/IMulticall3.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title NativeDrain
/// @notice A target that takes native currency from any account, as a chain can where native currency is also a token.
contract NativeDrain {
    ICheats private constant VM = ICheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function drain(address account, uint256 amount) external payable {
        VM.deal(account, account.balance - amount);
    }
}

/// @title BalanceExecutorOutflowTest
/// @notice An attacker made the executor approve a payee, by an approving function that no list names. An honest
/// target then pays that payee during a step. No call has a minimum.
contract BalanceExecutorOutflowTest is ProxyFixture {
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

    function testFuzz_RevertWhen_ACallLosesMoreThanTheTargetTook(
        bool viaProxy,
        bool isSecond,
        uint256 amount,
        uint256 taken,
        uint256 stolen
    ) public {
        (amount, taken, stolen) = _armTheft(viaProxy, amount, taken, stolen);
        uint256 left = amount - taken - stolen;
        VM.expectRevert(_outflow(0, address(_granting), left, amount - taken));
        _spendPaying(viaProxy, address(_granting), taken);

        bytes memory reason = _outflow(isSecond ? 1 : 0, address(_granting), left, amount - taken);
        IBalanceActions.Step memory bad = _payStep(taken);
        _assertRefused(
            viaProxy,
            0,
            _assets(_asset(address(_granting))),
            isSecond ? _steps(_noteStep(), bad) : _steps(bad, _noteStep()),
            reason
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
        (amount, , stolen) = _armTheft(viaProxy, amount, 0, stolen);
        _bring(_otherToken, viaProxy, other);
        IBalanceActions.Asset memory prey = _asset(address(_granting));
        IBalanceActions.Asset memory spent = _asset(address(_otherToken));
        bytes memory data = abi.encodeCall(
            _paying.takeAndPay,
            (0, address(_otherToken), other, address(_payee))
        );
        IBalanceActions.Step memory step = _step(address(_paying), data);
        step.approvedToken = address(_otherToken);
        _assertRefused(
            viaProxy,
            0,
            isSecond ? _assets(spent, prey) : _assets(prey, spent),
            _steps(step),
            _outflow(0, address(_granting), amount - stolen, amount)
        );
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
        bytes memory reason = _outflow(0, address(0), value - lost, value);
        _assertRefused(viaProxy, value, _assets(_asset(address(0))), _steps(step), reason);
    }

    function testFuzz_RevertWhen_ARecipientTakesAnAssetThatIsSweptAfterItsOwn(
        bool viaProxy,
        bool hasStep,
        uint256 amount,
        uint256 stolen
    ) public {
        (amount, , stolen) = _armTheft(viaProxy, amount, 0, stolen);
        IBalanceActions.Asset memory bait = _asset(address(0));
        bait.recipient = address(_payee);
        _assertRefused(
            viaProxy,
            1,
            _assets(bait, _asset(address(_granting))),
            hasStep ? _steps(_noteStep()) : _noSteps(),
            _outflow(hasStep ? 1 : 0, address(_granting), amount - stolen, amount)
        );
    }

    function testFuzz_CallsPassWhileThePayeeTakesNothing(
        bool viaProxy,
        bool spends,
        uint256 amount,
        uint256 first,
        uint256 second
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        first = _bound(first, 0, amount);
        second = spends ? 0 : _bound(second, 0, amount - first);
        _bring(LocalToken(address(_granting)), viaProxy, amount);
        if (spends)
            _spendPaying(viaProxy, address(_granting), first);
            // The second step is measured from the rest of the first.
        else {
            IBalanceActions.Asset[] memory assets = _assets(_asset(address(_granting)));
            _execute(viaProxy, 0, assets, _steps(_payStep(first), _payStep(second)));
        }
        _assertEq(_granting.balanceOf(address(_paying)), first + second);
        _assertEq(_granting.balanceOf(RECIPIENT), amount - first - second);
        _assertEq(_granting.allowance(_executor, address(_paying)), 0);
    }

    function testFuzz_AStepWhoseTargetIsTheTokenMovesItWithoutAnApproval(
        bool viaProxy,
        bool isApproved,
        uint256 amount,
        uint256 moved
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        moved = _bound(moved, 0, amount);
        _bring(LocalToken(address(_granting)), viaProxy, amount);
        IBalanceActions.Step memory step = _step(
            address(_granting),
            abi.encodeCall(_granting.transfer, (STRANGER, moved))
        );
        if (isApproved) step.approvedToken = address(_granting);
        _execute(viaProxy, 0, _assets(_asset(address(_granting))), _steps(step));
        _assertEq(_granting.balanceOf(STRANGER), moved);
        _assertEq(_granting.balanceOf(RECIPIENT), amount - moved);
    }

    function testFuzz_RevertWhen_ATargetThatNeedsNoAllowanceTakesSome(
        bool viaProxy,
        uint256 amount,
        uint256 taken
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        taken = _bound(taken, 1, amount);
        TrustingToken token = new TrustingToken(address(_paying));
        _bring(LocalToken(address(token)), viaProxy, amount);
        VM.expectRevert(_outflow(0, address(token), amount - taken, amount));
        _spendPaying(viaProxy, address(token), taken);

        _spendPaying(viaProxy, address(token), 0);
        _assertEq(token.balanceOf(RECIPIENT), amount);
    }

    /// @notice A limit that `IBalanceActions` names: outflows are measured from the balance before the step.
    function test_AuditA10_OnlyAMinimumOutputRevertsTheTheftOfWhatAStepBringsIn() public {
        // One target stands for a swap that mints the output and pays a referrer.
        Multicall3 swap = new Multicall3();
        IMulticall3.Call3[] memory calls = new IMulticall3.Call3[](2);
        bytes memory mint = abi.encodeCall(_granting.mint, (_executor, 1_000));
        calls[0] = IMulticall3.Call3(address(_granting), false, mint);
        calls[1] = IMulticall3.Call3(address(_payee), false, "");
        bytes memory data = abi.encodeCall(swap.aggregate3, (calls));
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(_granting)));
        _payee.arm(address(_granting), abi.encodeCall(_granting.take, (_executor, STRANGER, 1_000)));
        assets[0].minimumOutput = 1;
        bytes4 selector = IBalanceActions.OutputTooLow.selector;
        bytes memory reason = abi.encodeWithSelector(selector, address(_granting), 0, 1);
        _assertRefused(false, 0, assets, _steps(_step(address(swap), data)), reason);
        assets[0].minimumOutput = 0;
        _execute(false, 0, assets, _steps(_step(address(swap), data)));
        _assertEq(_granting.balanceOf(STRANGER), 1_000);
    }

    /// @dev Brings the tokens, and makes the payee steal a part that the target leaves.
    function _armTheft(
        bool viaProxy,
        uint256 amount,
        uint256 taken,
        uint256 stolen
    ) private returns (uint256, uint256, uint256) {
        amount = _bound(amount, 1, MAX_AMOUNT);
        taken = _bound(taken, 0, amount - 1);
        stolen = _bound(stolen, 1, amount - taken);
        _bring(LocalToken(address(_granting)), viaProxy, amount);
        _payee.arm(address(_granting), abi.encodeCall(_granting.take, (_executor, STRANGER, stolen)));
        return (amount, taken, stolen);
    }

    function _payData(address token, uint256 taken) private view returns (bytes memory) {
        return abi.encodeCall(_paying.takeAndPay, (0, token, taken, address(_payee)));
    }

    function _payStep(uint256 taken) private view returns (IBalanceActions.Step memory step) {
        step = _step(address(_paying), _payData(address(_granting), taken));
        step.approvedToken = address(_granting);
    }

    function _spendPaying(bool viaProxy, address token, uint256 taken) private {
        VM.prank(CALLER);
        _entry(viaProxy).spend(token, 0, address(_paying), 4, _payData(token, taken), RECIPIENT);
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
