// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceProxy} from "../../../contracts/interfaces/proxy/IBalanceProxy.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {OddVault} from "../../../contracts/mocks/OddVault.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title BalanceProxyVaultsTest
/// @notice `depositErc4626` deposits the pulled tokens for the receiver and sweeps the rest to it, or reverts.
contract BalanceProxyVaultsTest is ProxyFixture {
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
