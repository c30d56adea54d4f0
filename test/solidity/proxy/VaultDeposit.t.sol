// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IBalanceProxy} from "../../../contracts/interfaces/proxy/IBalanceProxy.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {OddVault} from "../../../contracts/mocks/OddVault.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";

/// @title VaultDepositTest
/// @notice `depositErc4626`: what is pulled is deposited for the receiver or swept to it, or nothing happens at all.
contract VaultDepositTest is ProxyFixture {
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

    function testFuzz_TokensThatLayOnTheProxyAreDepositedAlong(uint256 amount, uint256 before) public {
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

    function testFuzz_RevertWhen_LessArrivedThanTheMinimumToDeposit(uint256 amount, uint256 minimum) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        minimum = _bound(minimum, amount + 1, type(uint256).max);
        _bring(_token, true, amount);
        VM.expectRevert(_tooLittle(amount, minimum));
        _deposit(address(_vault), minimum);
        _assertEq(_token.balanceOf(CALLER), amount);
    }

    function test_RevertWhen_ThereIsNothingToDeposit() public {
        VM.expectRevert(_tooLittle(0, 0));
        _deposit(address(_vault), 0);
    }

    function testFuzz_RevertWhen_ThereIsABalanceToDepositButNoAllowance(uint256 balance) public {
        _token.mint(CALLER, _bound(balance, 1, MAX_AMOUNT));
        VM.expectRevert(_tooLittle(0, 0));
        _deposit(address(_vault), 0);
    }

    function testFuzz_RevertWhen_TheReceiverCouldNotKeepTheShares(uint256 which) public {
        address[3] memory receivers = [address(0), address(_proxy), _executor];
        _bring(_token, true, 1);
        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.RecipientInvalid.selector, 0));
        VM.prank(CALLER);
        _proxy.depositErc4626(address(_vault), address(_token), 0, receivers[which % 3]);
    }

    function testFuzz_RevertWhen_TheVaultReportsNoShares(uint256 amount, uint256 percent) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _odd.set(_bound(percent, 0, 100), 0, 32);
        _assertSharesMissing(amount);
    }

    function testFuzz_RevertWhen_TheVaultAnswersLessThanAWord(
        uint256 amount,
        uint256 shares,
        uint8 size
    ) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _odd.set(100, shares, size % 32);
        _assertSharesMissing(amount);
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

    function testFuzz_RevertWhen_TheVaultHasNoDeposit(uint256 which, uint256 amount) public {
        address[5] memory vaults = [
            address(_proxy),
            _executor,
            address(_token),
            address(_otherToken),
            address(_target)
        ];
        address vault = vaults[which % 5];
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_token, true, amount);
        VM.prank(CALLER);
        (bool success, bytes memory reason) = address(_proxy).call(
            abi.encodeCall(IBalanceProxy.depositErc4626, (vault, address(_token), 0, RECIPIENT))
        );
        _assertEq(success, false);
        _assertEq(bytes32(bytes4(reason)), bytes32(IBalanceActions.StepFailed.selector));
        _assertEq(_token.balanceOf(CALLER), amount);
    }

    function testFuzz_RevertWhen_TheVaultsAssetIsAnotherToken(uint256 amount) public {
        amount = _bound(amount, 1, MAX_AMOUNT);
        _bring(_otherToken, true, amount);
        // Neither the caller's money nor the caller's allowance of the vault's own asset is touched.
        _bring(_token, true, amount);
        VM.prank(CALLER);
        (bool success, ) = address(_proxy).call(
            abi.encodeCall(
                IBalanceProxy.depositErc4626,
                (address(_vault), address(_otherToken), 0, RECIPIENT)
            )
        );
        _assertEq(success, false);
        _assertEq(_token.balanceOf(CALLER), amount);
        _assertEq(_otherToken.balanceOf(CALLER), amount);
    }

    function _assertSharesMissing(uint256 amount) private {
        _bring(_token, true, amount);
        VM.expectRevert(abi.encodeWithSelector(IBalanceProxy.SharesMissing.selector, address(_odd), amount));
        _deposit(address(_odd), 0);
        _assertEq(_token.balanceOf(CALLER), amount);
    }

    function _assertNothingAtTheVaults() private view {
        _assertNothingLeft();
        _assertEq(_token.allowance(address(_proxy), address(_vault)), 0);
        _assertEq(_token.allowance(address(_proxy), address(_odd)), 0);
        _assertEq(_vault.balanceOf(address(_proxy)), 0);
    }

    function _tooLittle(uint256 received, uint256 minimum) private view returns (bytes memory) {
        return
            abi.encodeWithSelector(
                IBalanceActions.ReceivedTooLittle.selector,
                address(_token),
                received,
                minimum
            );
    }

    function _deposit(address vault, uint256 minimum) private {
        VM.prank(CALLER);
        _proxy.depositErc4626(vault, address(_token), minimum, RECIPIENT);
    }
}
