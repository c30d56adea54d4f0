// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {ProxyFixture} from "./ProxyFixture.sol";
import {TakingTarget} from "./TakingTarget.sol";

/// @title ProxyHandler
/// @notice Calls of the proxy and its executor in any order: spend, execute, deposit, and attempts to take the money of a
/// saver who approved the proxy.
abstract contract ProxyHandler is ProxyFixture {
    /// @notice Amounts of the first token, the second token, native currency and shares.
    struct Amounts {
        uint256 tokens;
        uint256 others;
        uint256 native;
        uint256 shares;
    }

    /// @notice The saver's balance, with an infinite allowance of the proxy.
    uint256 public constant SAVINGS = 1_000_000;

    /// @notice Number of calls that succeeded.
    uint256 public done;

    address private immutable SAVER = _account("saver");
    address private immutable OTHER_RECIPIENT = _account("recipient of the second token");
    address private immutable NATIVE_RECIPIENT = _account("recipient of native currency");

    Amounts private _brought;
    Amounts private _owed;
    LocalVault private immutable VAULT;

    constructor() {
        _deployProxy();
        VAULT = new LocalVault(_token, "Vault", "vONE");
        _token.mint(SAVER, SAVINGS);
        VM.prank(SAVER);
        _token.approve(address(_proxy), type(uint256).max);
    }

    /// @notice Spends one token on the target.
    function spend(bool viaProxy, uint256 amount, uint16 parts) external {
        amount = _bound(amount, 1, type(uint64).max);
        _bring(_token, viaProxy, amount);
        _brought.tokens += amount;
        bytes memory data = abi.encodeCall(TakingTarget.take, (address(_token), 0, parts));
        IBalanceActions entry = _entry(viaProxy);
        VM.prank(CALLER);
        entry.spend(address(_token), amount, address(_target), AMOUNT_OFFSET, data, RECIPIENT);
        _owed.tokens += amount - _target.kept(amount, parts);
        done += 1;
    }

    /// @notice Deposits one token into the vault.
    function deposit(uint256 amount) external {
        amount = _bound(amount, 1, type(uint64).max);
        _bring(_token, true, amount);
        _brought.tokens += amount;
        VM.prank(CALLER);
        _proxy.depositErc4626(address(VAULT), address(_token), amount, RECIPIENT);
        _owed.shares += amount;
        done += 1;
    }

    /// @notice Spends two tokens and native currency on the target.
    function execute(bool viaProxy, uint256 amount, uint256 other, uint64 value, uint16 parts) external {
        amount = _bound(amount, 1, type(uint64).max);
        other = _bound(other, 1, type(uint64).max);
        _bring(_token, viaProxy, amount);
        _bring(_otherToken, viaProxy, other);
        VM.deal(CALLER, value);
        _brought.tokens += amount;
        _brought.others += other;
        _brought.native += value;
        _executeAll(_entry(viaProxy), value, parts);
        _owed.tokens += amount - _target.kept(amount, parts);
        _owed.others += other - _target.kept(other, parts);
        _owed.native += value - _target.kept(value, parts);
        done += 1;
    }

    /// @notice Tries to take the saver's money.
    function attack(bool viaProxy, uint256 amount, bytes4 selector) external {
        if (uint32(selector) % 2 == 0) selector = IERC20.transferFrom.selector;
        bytes memory data = abi.encodeWithSelector(selector, SAVER, STRANGER, amount % SAVINGS);
        IBalanceActions entry = _entry(viaProxy);
        IBalanceActions.Step[] memory steps = _steps(_step(address(_token), data));
        VM.prank(STRANGER);
        try entry.execute(_noAssets(), steps) {} catch {}
    }

    /// @notice Tries to take the saver's money by a deposit.
    function attackByDeposit(uint256 vaultSeed, uint256 tokenSeed, uint256 minimum) external {
        address[6] memory choices = [
            address(_token),
            address(VAULT),
            address(_otherToken),
            address(_proxy),
            _executor,
            address(_target)
        ];
        VM.prank(STRANGER);
        try
            _proxy.depositErc4626(choices[vaultSeed % 6], choices[tokenSeed % 6], minimum, STRANGER)
        {} catch {}
    }

    /// @notice Sum of all balances and allowances of the proxy and the executor.
    function keptByContracts() external view returns (uint256 kept) {
        kept = address(_proxy).balance + _executor.balance;
        kept += _keptOf(_token) + _keptOf(_otherToken);
        kept += VAULT.balanceOf(address(_proxy)) + VAULT.balanceOf(_executor);
    }

    function brought() external view returns (Amounts memory) {
        return _brought;
    }

    function owed() external view returns (Amounts memory) {
        return _owed;
    }

    /// @notice Amounts that the recipients of each asset received.
    function reached() external view returns (Amounts memory) {
        return
            Amounts({
                tokens: _token.balanceOf(RECIPIENT),
                others: _otherToken.balanceOf(OTHER_RECIPIENT),
                native: NATIVE_RECIPIENT.balance,
                shares: VAULT.balanceOf(RECIPIENT)
            });
    }

    /// @notice Amounts that the target and the vault hold.
    function taken() external view returns (Amounts memory) {
        return
            Amounts({
                tokens: _token.balanceOf(address(_target)) + _token.balanceOf(address(VAULT)),
                others: _otherToken.balanceOf(address(_target)),
                native: address(_target).balance,
                shares: 0
            });
    }

    /// @notice The saver's balance, and the proxy's allowance of it.
    function saved() external view returns (uint256 balance, uint256 allowance) {
        return (_token.balanceOf(SAVER), _token.allowance(SAVER, address(_proxy)));
    }

    function _executeAll(IBalanceActions entry, uint256 value, uint16 parts) private {
        IBalanceActions.Asset[] memory assets = _threeAssets();
        (assets[1].recipient, assets[2].recipient) = (NATIVE_RECIPIENT, OTHER_RECIPIENT);
        IBalanceActions.Step[] memory steps = _steps(
            _takeStep(address(_token), parts),
            _takeStep(address(_otherToken), parts)
        );
        steps[0].sendNativeBalance = true;
        VM.prank(CALLER);
        entry.execute{value: value}(assets, steps);
    }

    function _keptOf(LocalToken token) private view returns (uint256) {
        return
            token.balanceOf(address(_proxy)) +
            token.balanceOf(_executor) +
            token.allowance(_executor, address(_target)) +
            token.allowance(address(_proxy), address(_target)) +
            token.allowance(address(_proxy), address(VAULT)) +
            token.allowance(_executor, STRANGER);
    }
}
