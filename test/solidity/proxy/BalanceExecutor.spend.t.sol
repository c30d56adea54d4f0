// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {SelfDestructingTarget} from "../../../contracts/mocks/SelfDestructingTarget.sol";
import {BalanceProxy} from "../../../contracts/proxy/BalanceProxy.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ProxyFixture} from "./ProxyFixture.sol";
import {TakingTarget} from "./TakingTarget.sol";

/// @title BalanceExecutorSpendTest
/// @notice `spend`, through the proxy and on the executor alike: sum in equals sum out.
contract BalanceExecutorSpendTest is ProxyFixture {
    function setUp() public {
        _deployProxy();
    }

    function testFuzz_ProxyPullsTheLesserOfBalanceAndAllowance(
        uint256 balance,
        uint256 allowed,
        uint16 parts
    ) public {
        balance = _bound(balance, 1, MAX_AMOUNT);
        allowed = _bound(allowed, 1, type(uint256).max);
        _token.mint(CALLER, balance);
        VM.prank(CALLER);
        _token.approve(address(_proxy), allowed);
        uint256 pulled = allowed < balance ? allowed : balance;

        _spend(true, 0, _takeData(parts));

        _assertEq(_target.sawAmount(), pulled);
        _assertEq(_token.balanceOf(CALLER), balance - pulled);
        uint256 allowedAfterwards = allowed == type(uint256).max ? allowed : allowed - pulled;
        _assertEq(_token.allowance(CALLER, address(_proxy)), allowedAfterwards);
        _assertNothingLeft();
    }

    function testFuzz_RevertWhen_RecipientIsZeroOrCannotKeepTheToken(bool viaProxy, uint256 which) public {
        address[3] memory recipients = [address(0), _executor, address(_proxy)];
        _bring(_token, viaProxy, 1);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, 0));
        // Only the proxy refuses itself.
        address recipient = recipients[which % (viaProxy ? 3 : 2)];
        _spendTo(viaProxy, 0, address(_target), AMOUNT_OFFSET, _takeData(0), recipient);
    }

    function testFuzz_RevertWhen_StepWouldGiveAStandingApproval(
        bool viaProxy,
        uint256 which,
        bytes32 rest
    ) public {
        bytes4[2] memory approving = [
            bytes4(keccak256("approve(address,uint256)")),
            bytes4(keccak256("setApprovalForAll(address,bool)"))
        ];
        bytes4 selector = approving[which % approving.length];
        _bring(_token, viaProxy, 1);
        bytes4 refused = IBalanceActions.StandingApprovalRefused.selector;
        VM.expectRevert(abi.encodeWithSelector(refused, 0, selector));
        bytes memory data = abi.encodePacked(selector, rest, bytes32(0));
        _spendTo(viaProxy, 0, address(_token), AMOUNT_OFFSET, data, RECIPIENT);
    }

    function testFuzz_RevertWhen_TheTargetIsTheRegistryOfHooks(bool viaProxy, bytes4 selector) public {
        address registry = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;
        VM.etch(registry, address(_target).code);
        _bring(_token, viaProxy, 1);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.RegistryRefused.selector, 0, registry));
        bytes memory data = abi.encodePacked(selector, new bytes(64));
        _spendTo(viaProxy, 0, registry, AMOUNT_OFFSET, data, RECIPIENT);
    }

    function testFuzz_SelectorsThatOnlyBeginLikeAnApprovalAreCalled(bool viaProxy, uint24 rest) public {
        bytes4 selector = bytes4((uint32(0x09) << 24) | rest);
        VM.assume(selector != 0x095ea7b3);
        _bring(_token, viaProxy, 1);
        bytes memory data = abi.encodePacked(selector, new bytes(64));
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.StepFailed.selector, 0, address(_token), ""));
        _spendTo(viaProxy, 0, address(_token), AMOUNT_OFFSET, data, RECIPIENT);
    }

    function test_RevertGiven_ATokenBlockedTheExecutorUntilItIsUnblockedOrAnotherProxyIsUsed() public {
        BlocklistToken token = new BlocklistToken();
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(token)));
        for (uint256 i; i < 2; ++i) {
            _bring(LocalToken(address(token)), i == 0, 10);
            token.setBlocked(_executor, true);
            string memory refusal = i == 0 ? "TransferFromFailed()" : "TransferFailed()";
            _assertRefused(i == 0, 0, assets, _noSteps(), abi.encodeWithSignature(refusal));
            token.setBlocked(_executor, false);
            _execute(i == 0, 0, assets, _noSteps());
            _assertEq(token.balanceOf(RECIPIENT), 10 * (i + 1));
        }
        // Audit A5.
        token.setBlocked(_executor, true);
        _proxy = new BalanceProxy();
        _bring(LocalToken(address(token)), true, 10);
        _execute(true, 0, assets, _noSteps());
        _assertEq(token.balanceOf(RECIPIENT), 30);
    }

    function test_RevertWhen_ATargetForcesNativeMoneyThatNoAssetNamesOrIsTheExecutor() public {
        for (uint256 i; i < 2; ++i) {
            SelfDestructingTarget target = new SelfDestructingTarget{value: 7}();
            IBalanceActions.Step[] memory steps = _steps(_step(address(target), hex"deadbeef"));
            bytes4 selector = IBalanceActions.NativeLeftBehind.selector;
            _assertRefused(i == 0, 0, _noAssets(), steps, abi.encodeWithSelector(selector, 7));
            CHEATS.expectEmit(_executor);
            emit IBalanceActions.NativeSwept(RECIPIENT, 7);
            _execute(i == 0, 0, _assets(_asset(address(0))), steps);
            _assertEq(RECIPIENT.balance, 7 * (i + 1));

            bytes memory nested = abi.encodeCall(IBalanceActions.execute, (_noAssets(), _noSteps()));
            bytes memory inner = abi.encodePacked(IBalanceActions.Reentrancy.selector);
            selector = IBalanceActions.StepFailed.selector;
            bytes memory reason = abi.encodeWithSelector(selector, 0, _executor, inner);
            _assertRefused(i == 0, 0, _noAssets(), _steps(_step(_executor, nested)), reason);
        }
    }

    function test_AFractionOfAUnitThatARebaseLeavesReachesTheNextCallerOnceItIsAUnit() public {
        RebasingToken token = new RebasingToken();
        token.mint(_executor, 11);
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(token)));
        token.rebase(1, 2);
        _execute(false, 0, assets, _noSteps());
        _assertEq(token.balanceOf(RECIPIENT), 5);
        token.rebase(2, 1);
        assets[0].recipient = STRANGER;
        _execute(false, 0, assets, _noSteps());
        _assertEq(token.balanceOf(STRANGER), 1);
    }

    function _takeData(uint16 parts) private view returns (bytes memory) {
        return abi.encodeCall(TakingTarget.take, (address(_token), 0, parts));
    }

    function _spend(bool viaProxy, uint256 minimum, bytes memory data) private {
        _spendTo(viaProxy, minimum, address(_target), AMOUNT_OFFSET, data, RECIPIENT);
    }

    function _spendTo(
        bool viaProxy,
        uint256 minimum,
        address target,
        uint256 offset,
        bytes memory data,
        address recipient
    ) private {
        VM.prank(CALLER);
        _entry(viaProxy).spend(address(_token), minimum, target, offset, data, recipient);
    }
}
