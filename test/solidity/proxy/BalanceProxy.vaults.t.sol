// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceProxy} from "../../../contracts/interfaces/proxy/IBalanceProxy.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {NoReturnToken} from "../../../contracts/mocks/NoReturnToken.sol";
import {OddVault} from "../../../contracts/mocks/OddVault.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {ReturndataBomb} from "../../../contracts/mocks/ReturndataBomb.sol";
import {ReturnsFalseToken} from "../../../contracts/mocks/ReturnsFalseToken.sol";
import {RevertsOnZeroToken} from "../../../contracts/mocks/RevertsOnZeroToken.sol";
import {LocalTether} from "../../../contracts/service/currencies/LocalTether.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title BalanceProxyVaultsTest
/// @notice `depositErc4626` deposits the pulled tokens for the receiver and sweeps the rest to it, or reverts.
contract BalanceProxyVaultsTest is ProxyFixture {
    uint256 private constant AMOUNT = 1_000_000;

    LocalVault private _vault;
    OddVault private _odd;

    function setUp() public {
        _deployProxy();
        _vault = new LocalVault(_token, "Vault", "vONE");
        _odd = new OddVault(IERC20(address(_token)));
    }

    function testFuzz_TheLesserOfBalanceAndAllowanceIsDeposited(uint256 balance, uint256 allowed) public {
        balance = _bound(balance, 1, MAX_AMOUNT);
        allowed = _bound(allowed, 1, type(uint256).max);
        _token.mint(CALLER, balance);
        VM.prank(CALLER);
        _token.approve(address(_proxy), allowed);
        uint256 pulled = allowed < balance ? allowed : balance;

        _deposit(address(_vault), pulled);

        _assertEq(_vault.balanceOf(RECIPIENT), pulled);
        _assertEq(_token.balanceOf(address(_vault)), pulled);
        _assertEq(_token.balanceOf(CALLER), balance - pulled);
        uint256 allowedAfterwards = allowed == type(uint256).max ? allowed : allowed - pulled;
        _assertEq(_token.allowance(CALLER, address(_proxy)), allowedAfterwards);
        _assertNothingAtTheVaults();
    }

    function testFuzz_TheVaultIsApprovedExactlyAndTheReceiverGetsTheRest(
        uint256 amount,
        uint256 percent
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        percent = _bound(percent, 0, 100);
        _odd.set(percent, 1, 32);
        _bring(_token, true, amount);
        _deposit(address(_odd), amount);
        uint256 taken = (amount * percent) / 100;
        _assertEq(_odd.lastCaller(), address(_proxy));
        _assertEq(_odd.lastAllowance(), amount);
        _assertEq(_token.balanceOf(address(_odd)), taken);
        _assertEq(_token.balanceOf(RECIPIENT), amount - taken);
        _assertNothingAtTheVaults();
    }

    function testFuzz_TheProxysEarlierBalanceIsDepositedAsWell(uint256 amount, uint256 before) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        before = _bound(before, 1, MAX_AMOUNT);
        _token.mint(address(_proxy), before);
        _bring(_token, true, amount);
        _deposit(address(_vault), amount + before);
        _assertEq(_vault.balanceOf(RECIPIENT), amount + before);
        _assertNothingAtTheVaults();
    }

    function testFuzz_SeveralDepositsFitOneTransaction(uint256 one, uint256 other) public {
        (one, other) = (_bound(one, 1, MAX_AMOUNT), _bound(other, 1, MAX_AMOUNT));
        _bring(_token, true, one);
        _deposit(address(_vault), 0);
        _bring(_token, true, other);
        _deposit(address(_vault), 0);
        _assertEq(_vault.balanceOf(RECIPIENT), one + other);
    }

    function testFuzz_RevertWhen_LessArrivesThanTheMinimumToDeposit(uint256 amount, uint256 minimum) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        minimum = _bound(minimum, amount + 1, type(uint256).max);
        _bring(_token, true, amount);
        VM.expectRevert(_tooLittle(address(_token), amount, minimum));
        _deposit(address(_vault), minimum);
        _assertEq(_token.balanceOf(CALLER), amount);
    }

    function testFuzz_RevertWhen_ThereIsNeitherBalanceNorAllowanceToDeposit(uint256 balance) public {
        VM.expectRevert(_tooLittle(address(_token), 0, 0));
        _deposit(address(_vault), 0);
        _token.mint(CALLER, _bound(balance, 1, MAX_AMOUNT));
        VM.expectRevert(_tooLittle(address(_token), 0, 0));
        _deposit(address(_vault), 0);
    }

    function testFuzz_RevertWhen_TheReceiverIsZeroTheProxyOrTheExecutor(uint256 which) public {
        address[3] memory receivers = [address(0), address(_proxy), _executor];
        _bring(_token, true, 1);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, 0));
        VM.prank(CALLER);
        _proxy.depositErc4626(address(_vault), address(_token), 0, receivers[which % 3]);
    }

    function testFuzz_RevertWhen_TheVaultReportsNoSharesOrLessThanAWord(
        uint256 amount,
        uint256 percent,
        uint256 shares,
        uint8 size
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, true, amount);
        bytes memory reason = abi.encodeWithSelector(
            IBalanceProxy.SharesMissing.selector,
            address(_odd),
            amount
        );
        _odd.set(_bound(percent, 0, 100), 0, 32);
        VM.expectRevert(reason);
        _deposit(address(_odd), 0);
        _odd.set(100, shares, size % 32);
        VM.expectRevert(reason);
        _deposit(address(_odd), 0);
        _assertEq(_token.balanceOf(CALLER), amount);
    }

    function testFuzz_RevertWhen_TheVaultHasNoCode(uint256 amount, bytes32 seed) public {
        address vault = address(bytes20(keccak256(abi.encode(seed))));
        _bring(_token, true, _bound(amount, 1, MAX_AMOUNT));
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.TargetHasNoCode.selector, 0, vault));
        _deposit(vault, 0);
    }

    function testFuzz_RevertWhen_TheTokenToDepositHasNoCode(bytes32 seed) public {
        address token = address(bytes20(keccak256(abi.encode(seed))));
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, token));
        VM.prank(CALLER);
        _proxy.depositErc4626(address(_vault), token, 0, RECIPIENT);
    }

    function testFuzz_RevertWhen_TheVaultHasNoDepositOrAnotherAsset(uint256 which, uint256 amount) public {
        address[6] memory vaults = [
            address(_proxy),
            _executor,
            address(_token),
            address(_otherToken),
            address(_target),
            address(_vault)
        ];
        which = which % 6;
        amount = _bound(amount, 1, MAX_AMOUNT);
        // Approves both tokens, so that a wrong asset could also be pulled.
        _bring(_token, true, amount);
        _bring(_otherToken, true, amount);
        address token = which == 5 ? address(_otherToken) : address(_token);
        VM.prank(CALLER);
        (bool success, bytes memory reason) = address(_proxy).call(
            abi.encodeCall(IBalanceProxy.depositErc4626, (vaults[which], token, 0, RECIPIENT))
        );
        _assertEq(success, false);
        _assertSelector(reason, IBalanceActions.StepFailed.selector);
        _assertEq(_token.balanceOf(CALLER), amount);
        _assertEq(_otherToken.balanceOf(CALLER), amount);
    }

    function test_AwkwardTokensAreDepositedWholeOrInPartAndTheRestIsSwept() public {
        address[4] memory tokens = [
            address(new NoReturnToken()),
            address(new LocalTether(address(this))),
            address(new ReentrantToken()),
            address(new RevertsOnZeroToken())
        ];
        for (uint256 i; i < tokens.length; ++i) {
            _odd = new OddVault(IERC20(tokens[i]));
            // An approval that reverts on zero cannot be revoked.
            if (i == 3) _assertFails(tokens[i], abi.encodeWithSignature("ApproveFailed()"));
            uint256 percent = i == 3 ? 100 : 25;
            _odd.set(percent, 1, 32);
            for (uint256 round = 1; round < 3; ++round) {
                _bringAny(tokens[i]);
                _depositAny(tokens[i]);
                _assertEq(_balanceOf(tokens[i], address(_odd)), (round * AMOUNT * percent) / 100);
                _assertEq(_balanceOf(tokens[i], RECIPIENT), (round * AMOUNT * (100 - percent)) / 100);
                _assertEq(_balanceOf(tokens[i], address(_proxy)), 0);
                _assertEq(IERC20(tokens[i]).allowance(address(_proxy), address(_odd)), 0);
            }
        }
    }

    function test_RevertWhen_ATokenReturnsFalseBlocksTheReceiverOrShrinks() public {
        ReturnsFalseToken token = new ReturnsFalseToken();
        _odd = new OddVault(IERC20(address(token)));
        bytes[3] memory reasons = [
            abi.encodeWithSignature("TransferFailed()"),
            abi.encodeWithSignature("TransferFromFailed()"),
            abi.encodeWithSignature("ApproveFailed()")
        ];
        for (uint256 i; i < 3; ++i) {
            token.setRefusals(false, false, false);
            if (i == 0) _bringAny(address(token));
            token.setRefusals(i == 0, i == 1, i == 2);
            _assertFails(address(token), reasons[i]);
        }
        BlocklistToken blocking = new BlocklistToken();
        _odd = new OddVault(IERC20(address(blocking)));
        blocking.setBlocked(RECIPIENT, true);
        _assertFails(address(blocking), reasons[0]);
        RebasingToken rebasing = new RebasingToken();
        _odd = new OddVault(IERC20(address(rebasing)));
        _odd.arm(address(rebasing), abi.encodeCall(rebasing.rebase, (1, 2)));
        _odd.set(0, 1, 32);
        bytes4 selector = IBalanceActions.UnapprovedOutflow.selector;
        _assertFails(
            address(rebasing),
            abi.encodeWithSelector(selector, 0, address(rebasing), AMOUNT / 2, AMOUNT)
        );
    }

    function test_AVaultOrATokenThatCallsBackTakesNothingOfTheDeposit() public {
        OddVault inner = new OddVault(IERC20(address(_token)));
        IBalanceActions.Asset memory loot = _asset(address(_token));
        loot.recipient = STRANGER;
        bytes memory again = abi.encodeCall(
            IBalanceProxy.depositErc4626,
            (address(inner), address(_token), 0, STRANGER)
        );
        bytes memory execute = abi.encodeCall(IBalanceActions.execute, (_assets(loot), _noSteps()));
        _odd.set(0, 1, 32);
        for (uint256 i; i < 3; ++i) {
            _odd.arm(i == 2 ? _executor : address(_proxy), i == 0 ? again : execute);
            _bring(_token, true, AMOUNT);
            _deposit(address(_odd), 0);
            _assertEq(_token.balanceOf(RECIPIENT), (i + 1) * AMOUNT);
            _assertEq(_token.balanceOf(STRANGER), 0);
            bytes memory reason = abi.encodePacked(IBalanceActions.Reentrancy.selector);
            if (i == 0) _assertEq(_odd.lastReturnData(), reason);
        }
        ReentrantToken hostile = new ReentrantToken();
        _odd = new OddVault(IERC20(address(hostile)));
        _bringAny(address(hostile));
        hostile.arm(address(_proxy), again);
        _depositAny(address(hostile));
        _assertEq(hostile.lastReturnData(), abi.encodePacked(IBalanceActions.Reentrancy.selector));
    }

    function test_AStepThatDepositsPullsFromTheExecutorAlone() public {
        _bring(_token, false, AMOUNT);
        IBalanceActions.Step memory step = _step(
            address(_proxy),
            abi.encodeCall(IBalanceProxy.depositErc4626, (address(_vault), address(_token), 0, RECIPIENT))
        );
        step.approvedToken = address(_token);
        _execute(false, 0, _assets(_asset(address(_token))), _steps(step));
        _assertEq(_vault.balanceOf(RECIPIENT), AMOUNT);
    }

    /// @dev The buffer costs the vault more than two million gas, and would cost a caller that copies it as much again.
    function test_AHugeAnswerOfAVaultIsNotCopied() public {
        ReturndataBomb bomb = new ReturndataBomb(1_000_000, true);
        for (uint256 i; i < 2; ++i) {
            _bring(_token, true, AMOUNT);
            VM.prank(CALLER);
            (bool success, bytes memory reason) = address(_proxy).call{gas: 3_000_000}(
                abi.encodeCall(IBalanceProxy.depositErc4626, (address(bomb), address(_token), 0, RECIPIENT))
            );
            _assertEq(success, false);
            bytes4 selector = IBalanceActions.StepFailed.selector;
            if (i == 0) {
                _assertEq(reason, abi.encodeWithSelector(selector, 0, address(bomb), new bytes(1024)));
            } else _assertSelector(reason, IBalanceProxy.SharesMissing.selector);
            bomb.configure(1_000_000, false);
        }
    }

    function _bringAny(address token) private {
        LocalToken(token).mint(CALLER, AMOUNT);
        VM.prank(CALLER);
        (bool success, ) = token.call(abi.encodeCall(IERC20.approve, (address(_proxy), AMOUNT)));
        _assertEq(success, true);
    }

    function _depositAny(address token) private {
        VM.prank(CALLER);
        _proxy.depositErc4626(address(_odd), token, 0, RECIPIENT);
    }

    /// @dev A deposit of a quarter fails and moves nothing.
    function _assertFails(address token, bytes memory reason) private {
        if (_balanceOf(token, CALLER) == 0) _bringAny(token);
        if (_odd.percentTaken() == 100) _odd.set(25, 1, 32);
        VM.expectRevert(reason);
        _depositAny(token);
        _assertEq(_balanceOf(token, CALLER), AMOUNT);
    }

    function _assertNothingAtTheVaults() private view {
        _assertNothingLeft();
        _assertEq(_token.allowance(address(_proxy), address(_vault)), 0);
        _assertEq(_token.allowance(address(_proxy), address(_odd)), 0);
        _assertEq(_vault.balanceOf(address(_proxy)), 0);
    }

    function _deposit(address vault, uint256 minimum) private {
        VM.prank(CALLER);
        _proxy.depositErc4626(vault, address(_token), minimum, RECIPIENT);
    }
}
