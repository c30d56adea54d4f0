// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/IBalanceActions.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";

/// @title VictimAllowanceTest
/// @notice A victim has approved the proxy for everything and for ever. Whatever a stranger calls, and however it
/// ends, the victim's balance and allowance stay as they were.
contract VictimAllowanceTest is ProxyFixture {
    address private immutable VICTIM = _account("victim");
    uint256 private constant SAVINGS = 1_000_000;

    function setUp() public {
        _deployProxy();
        _token.mint(VICTIM, SAVINGS);
        VM.prank(VICTIM);
        _token.approve(address(_proxy), type(uint256).max);
    }

    function testFuzz_StepThatPullsFromTheVictimFails(bool viaProxy, uint256 amount, bytes32 toSeed) public {
        amount = _bound(amount, 1, SAVINGS);
        address to = address(bytes20(keccak256(abi.encode(toSeed))));
        bytes memory theft = abi.encodeCall(IERC20.transferFrom, (VICTIM, to, amount));
        _assertHarmless(
            address(_entry(viaProxy)),
            abi.encodeCall(IBalanceActions.execute, (_noAssets(), _steps(_step(address(_token), theft)))),
            false
        );
    }

    function testFuzz_SpendWhoseTargetIsTheTokenFails(bool viaProxy, uint256 own) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(viaProxy, own);
        // The amount of the theft is spliced in: exactly what the stranger brought.
        bytes memory theft = abi.encodeCall(IERC20.transferFrom, (VICTIM, STRANGER, 0));
        _assertHarmless(
            address(_entry(viaProxy)),
            abi.encodeCall(IBalanceActions.spend, (address(_token), 0, address(_token), 68, theft, STRANGER)),
            false
        );
    }

    function testFuzz_StepThatCallsTheProxyPullsFromTheExecutorOnly(
        bool viaProxy,
        bool spends,
        uint256 own
    ) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(viaProxy, own);
        bytes memory nested =
            spends
                ? abi.encodeCall(
                    IBalanceActions.spend,
                    (address(_token), 0, address(_token), 36, new bytes(68), STRANGER)
                )
                : abi.encodeCall(IBalanceActions.execute, (_assets(_toStranger()), _noSteps()));
        IBalanceActions.Step memory step = _step(address(_proxy), nested);
        step.approvedToken = address(_token);
        _assertHarmless(
            address(_entry(viaProxy)),
            abi.encodeCall(IBalanceActions.execute, (_assets(_toStranger()), _steps(step))),
            false
        );
    }

    function testFuzz_NamingTheVictimsTokenPullsFromTheCallerOnly(uint256 own) public {
        own = _bound(own, 1, SAVINGS);
        _bringOwn(true, own);
        _assertHarmless(
            address(_proxy),
            abi.encodeCall(IBalanceActions.execute, (_assets(_toStranger()), _noSteps())),
            true
        );
        _assertEq(_token.balanceOf(STRANGER), own);
    }

    function testFuzz_AnyCalldataToTheTokenFromTheExecutorIsHarmless(
        bool viaProxy,
        bytes4 selector,
        address one,
        address other,
        uint256 amount
    ) public {
        bytes memory data = abi.encodePacked(selector, abi.encode(one, other, amount));
        bytes memory call = abi.encodeCall(
            IBalanceActions.execute,
            (_noAssets(), _steps(_step(address(_token), data)))
        );
        _callAsStranger(address(_entry(viaProxy)), call);
        _assertVictimUntouched();
    }

    function testFuzz_AnyArgumentsOfSpendAreHarmless(
        bool viaProxy,
        bool targetsToken,
        uint256 minimum,
        uint256 offset,
        bytes memory data,
        address recipient
    ) public {
        address target = targetsToken ? address(_token) : address(_proxy);
        bytes memory call = abi.encodeCall(
            IBalanceActions.spend,
            (address(_token), minimum, target, offset, data, recipient)
        );
        _callAsStranger(address(_entry(viaProxy)), call);
        _assertVictimUntouched();
    }

    function testFuzz_AnyBytesAreHarmless(bool viaProxy, bytes memory call) public {
        _callAsStranger(address(_entry(viaProxy)), call);
        _assertVictimUntouched();
    }

    function testFuzz_RevertWhen_StrangerPlantsAnApprovalOfTheExecutor(bool viaProxy, uint256 amount) public {
        bytes memory data = abi.encodeCall(IERC20.approve, (STRANGER, amount));
        IBalanceActions entry = _entry(viaProxy);
        IBalanceActions.Step[] memory steps = _steps(_step(address(_token), data));
        VM.expectRevert(
            abi.encodeWithSelector(
                IBalanceActions.StandingApprovalRefused.selector,
                0,
                IERC20.approve.selector
            )
        );
        VM.prank(STRANGER);
        entry.execute(_noAssets(), steps);
        _assertEq(_token.allowance(_executor, STRANGER), 0);
    }

    function _toStranger() private view returns (IBalanceActions.Asset memory asset) {
        asset = _asset(address(_token));
        asset.recipient = STRANGER;
    }

    /// @dev The stranger's own money, so that no attack fails only for want of it.
    function _bringOwn(bool viaProxy, uint256 amount) private {
        _token.mint(viaProxy ? STRANGER : _executor, amount);
        VM.prank(STRANGER);
        _token.approve(address(_proxy), type(uint256).max);
    }

    function _callAsStranger(address to, bytes memory call) private returns (bool success) {
        VM.prank(STRANGER);
        (success, ) = to.call(call);
    }

    function _assertHarmless(address to, bytes memory call, bool succeeds) private {
        _assertEq(_callAsStranger(to, call), succeeds);
        _assertVictimUntouched();
    }

    function _assertVictimUntouched() private view {
        _assertEq(_token.balanceOf(VICTIM), SAVINGS);
        _assertEq(_token.allowance(VICTIM, address(_proxy)), type(uint256).max);
    }
}
