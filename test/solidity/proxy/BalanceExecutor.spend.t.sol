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

    function testFuzz_TargetSeesTheWholeBalanceAndTheRestIsSwept(
        bool viaProxy,
        uint256 amount,
        uint16 parts
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, amount);

        _spend(viaProxy, amount, _takeData(parts));

        uint256 taken = _target.kept(amount, parts);
        _assertEq(_target.sawAmount(), amount);
        _assertEq(_target.sawAllowance(), amount);
        _assertEq(_token.balanceOf(address(_target)), taken);
        _assertEq(_token.balanceOf(RECIPIENT), amount - taken);
        _assertNothingLeft();
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

    function testFuzz_TheExecutorsEarlierBalanceIsSpentAsWell(uint256 amount, uint256 before) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        before = _bound(before, 1, MAX_AMOUNT);
        _token.mint(_executor, before);
        _bring(_token, true, amount);
        _spend(true, amount, _takeData(0));
        _assertEq(_token.balanceOf(RECIPIENT), amount + before);
        _assertNothingLeft();
    }

    function testFuzz_NativeCurrencyThatTheTargetPaysReachesTheRecipient(
        bool viaProxy,
        uint256 amount,
        uint96 paid,
        uint96 before
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, amount);
        VM.deal(address(_target), paid);
        VM.deal(_executor, before);

        _spend(viaProxy, amount, abi.encodeCall(TakingTarget.cashOut, (address(_token), 0, paid)));

        _assertEq(RECIPIENT.balance, paid);
        // Earlier balances are not swept: an attacker could make that transfer fail.
        _assertEq(_executor.balance, before);
    }

    function testFuzz_RevertWhen_TheTokenArrivesBelowItsMinimum(
        bool viaProxy,
        uint256 amount,
        uint256 minimum
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        minimum = _bound(minimum, amount + 1, type(uint256).max);
        _bring(_token, viaProxy, amount);
        VM.expectRevert(_tooLittle(address(_token), amount, minimum));
        _spend(viaProxy, minimum, _takeData(0));
        _assertEq(_token.balanceOf(viaProxy ? CALLER : _executor), amount);
    }

    function testFuzz_RevertWhen_NothingArrivesEvenWithoutAMinimum(
        bool viaProxy,
        uint256 minimum,
        uint256 allowed,
        uint256 balance
    ) public {
        VM.expectRevert(_tooLittle(address(_token), 0, minimum));
        _spend(viaProxy, minimum, _takeData(0));

        // An allowance without a balance.
        VM.prank(CALLER);
        _token.approve(address(_proxy), allowed);
        VM.expectRevert(_tooLittle(address(_token), 0, 0));
        _spend(true, 0, _takeData(0));

        // A balance without an allowance.
        VM.prank(CALLER);
        _token.approve(address(_proxy), 0);
        _token.mint(CALLER, _bound(balance, 0, MAX_AMOUNT));
        VM.expectRevert(_tooLittle(address(_token), 0, 0));
        _spend(true, 0, _takeData(0));
    }

    function testFuzz_RevertWhen_RecipientIsZeroOrCannotKeepTheToken(bool viaProxy, uint256 which) public {
        address[3] memory recipients = [address(0), _executor, address(_proxy)];
        _bring(_token, viaProxy, 1);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, 0));
        // Only the proxy refuses itself.
        address recipient = recipients[which % (viaProxy ? 3 : 2)];
        _spendTo(viaProxy, 0, address(_target), AMOUNT_OFFSET, _takeData(0), recipient);
    }

    function testFuzz_RevertWhen_SpliceIsOutOfBounds(bool viaProxy, uint256 offset) public {
        bytes memory data = _takeData(0);
        VM.assume(offset < 4 || offset > data.length - 32);
        _bring(_token, viaProxy, 1);
        bytes4 selector = IBalanceActions.SpliceOutOfBounds.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, offset, data.length));
        _spendTo(viaProxy, 0, address(_target), offset, data, RECIPIENT);
    }

    function testFuzz_RevertWhen_SpliceHitsAWordThatIsNotZero(bool viaProxy, uint256 word) public {
        word = _bound(word, 1, type(uint256).max);
        bytes memory data = abi.encodeCall(TakingTarget.take, (address(_token), word, 0));
        _bring(_token, viaProxy, 1);
        bytes4 selector = IBalanceActions.SpliceWordNotZero.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, AMOUNT_OFFSET, bytes32(word)));
        _spend(viaProxy, 0, data);
    }

    function testFuzz_RevertWhen_TargetHasNoCode(bool viaProxy, bytes32 seed) public {
        address target = address(bytes20(keccak256(abi.encode(seed))));
        _bring(_token, viaProxy, 1);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.TargetHasNoCode.selector, 0, target));
        _spendTo(viaProxy, 0, target, AMOUNT_OFFSET, _takeData(0), RECIPIENT);
    }

    function testFuzz_RevertWhen_TargetReverts(bool viaProxy, uint256 amount) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, viaProxy, amount);
        // The balance is spliced into the code the target reverts with: the reason proves both.
        bytes memory inner = abi.encodeWithSelector(TakingTarget.TargetRefused.selector, amount);
        bytes4 selector = IBalanceActions.StepFailed.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, 0, address(_target), inner));
        _spendTo(viaProxy, 0, address(_target), 4, abi.encodeCall(TakingTarget.refuse, (0)), RECIPIENT);
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
