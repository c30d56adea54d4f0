// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {ProxyFixture} from "../support/ProxyFixture.sol";
import {TakingTarget} from "../support/TakingTarget.sol";

/// @title ProxyHandler
/// @notice What anybody may do to the proxy and its executor, in any order: spend, execute, deposit, and try to take what
/// a saver has approved the proxy for.
/// @dev The test makes a contract of it in its own file: the runner finds only contracts of the files it is named.
abstract contract ProxyHandler is ProxyFixture {
    /// @notice What was brought in of the first token.
    uint256 public brought;

    /// @notice What was brought in of the second token.
    uint256 public broughtOther;

    /// @notice What was brought in of native currency.
    uint256 public broughtNative;

    /// @notice What must have reached `OTHER_RECIPIENT` of the second token.
    uint256 public owedOther;

    /// @notice What must have reached `NATIVE_RECIPIENT` of native currency.
    uint256 public owedNative;

    /// @notice What must have reached `RECIPIENT` of the first token.
    uint256 public owed;

    /// @notice What must have reached `RECIPIENT` of the vault's shares.
    uint256 public owedShares;

    /// @notice How many calls went through.
    uint256 public done;

    /// @notice What the saver has and has approved for ever.
    uint256 public constant SAVINGS = 1_000_000;

    /// @notice Who saves.
    address public immutable SAVER = _account("saver");

    /// @notice Who gets what is left of the second token.
    address public immutable OTHER_RECIPIENT = _account("recipient of the second token");

    /// @notice Who gets what is left of native currency.
    address public immutable NATIVE_RECIPIENT = _account("recipient of native currency");

    LocalVault private immutable VAULT;

    constructor() {
        _deployProxy();
        VAULT = new LocalVault(_token, "Vault", "vONE");
        _token.mint(SAVER, SAVINGS);
        VM.prank(SAVER);
        _token.approve(address(_proxy), type(uint256).max);
    }

    /// @notice Spends one token on the target.
    /// @param viaProxy whether the proxy pulls it
    /// @param amount how much there is
    /// @param parts how much of it the target takes
    function spend(bool viaProxy, uint256 amount, uint16 parts) external {
        amount = _bound(amount, 1, type(uint64).max);
        _bring(_token, viaProxy, amount);
        brought += amount;
        bytes memory data = abi.encodeCall(TakingTarget.take, (address(_token), 0, parts));
        IBalanceActions entry = _entry(viaProxy);
        VM.prank(CALLER);
        entry.spend(address(_token), amount, address(_target), AMOUNT_OFFSET, data, RECIPIENT);
        owed += amount - _target.kept(amount, parts);
        done += 1;
    }

    /// @notice Deposits one token into the vault.
    /// @param amount how much there is
    function deposit(uint256 amount) external {
        amount = _bound(amount, 1, type(uint64).max);
        _bring(_token, true, amount);
        brought += amount;
        VM.prank(CALLER);
        _proxy.depositErc4626(address(VAULT), address(_token), amount, RECIPIENT);
        owedShares += amount;
        done += 1;
    }

    /// @notice Spends two tokens and native currency on the target.
    /// @param viaProxy whether the proxy pulls them
    /// @param amount how much there is of the first
    /// @param other how much there is of the second
    /// @param value how much native currency comes along
    /// @param parts how much of each the target takes
    function execute(bool viaProxy, uint256 amount, uint256 other, uint64 value, uint16 parts) external {
        amount = _bound(amount, 1, type(uint64).max);
        other = _bound(other, 1, type(uint64).max);
        _bring(_token, viaProxy, amount);
        _bring(_otherToken, viaProxy, other);
        VM.deal(CALLER, value);
        brought += amount;
        broughtOther += other;
        broughtNative += value;
        _executeAll(_entry(viaProxy), value, parts);
        owed += amount - _target.kept(amount, parts);
        owedOther += other - _target.kept(other, parts);
        owedNative += value - _target.kept(value, parts);
        done += 1;
    }

    /// @notice Tries to take the saver's money.
    /// @param viaProxy whether the proxy is called
    /// @param amount how much to take
    /// @param selector what to call the token with, unless it is even
    function attack(bool viaProxy, uint256 amount, bytes4 selector) external {
        if (uint32(selector) % 2 == 0) selector = IERC20.transferFrom.selector;
        bytes memory data = abi.encodeWithSelector(selector, SAVER, STRANGER, amount % SAVINGS);
        IBalanceActions entry = _entry(viaProxy);
        IBalanceActions.Step[] memory steps = _steps(_step(address(_token), data));
        VM.prank(STRANGER);
        try entry.execute(_noAssets(), steps) {} catch {}
    }

    /// @notice Tries to take the saver's money by a deposit.
    /// @param vaultSeed which of the contracts is called a vault
    /// @param tokenSeed which of them is called a token
    /// @param minimum how much must have arrived
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

    /// @notice What the proxy and the executor have, allowances to the target included; must be nothing.
    /// @return kept the sum of everything
    function keptByContracts() external view returns (uint256 kept) {
        kept = address(_proxy).balance + _executor.balance;
        kept += _keptOf(_token) + _keptOf(_otherToken);
        kept += VAULT.balanceOf(address(_proxy)) + VAULT.balanceOf(_executor);
    }

    /// @notice What went out, to the recipient and the target.
    /// @return tokens of the first token
    /// @return others of the second token
    /// @return native of native currency
    function wentOut() external view returns (uint256 tokens, uint256 others, uint256 native) {
        tokens = _token.balanceOf(RECIPIENT) + _token.balanceOf(address(_target));
        tokens += _token.balanceOf(address(VAULT));
        others = _otherToken.balanceOf(OTHER_RECIPIENT) + _otherToken.balanceOf(address(_target));
        native = NATIVE_RECIPIENT.balance + address(_target).balance;
    }

    /// @notice What reached each recipient of what it is to get.
    /// @return tokens of the first token
    /// @return shares of the vault's shares
    /// @return others of the second token
    /// @return native of native currency
    function reached()
        external
        view
        returns (uint256 tokens, uint256 shares, uint256 others, uint256 native)
    {
        tokens = _token.balanceOf(RECIPIENT);
        shares = VAULT.balanceOf(RECIPIENT);
        others = _otherToken.balanceOf(OTHER_RECIPIENT);
        native = NATIVE_RECIPIENT.balance;
    }

    /// @notice What the saver has left.
    /// @return balance its tokens
    /// @return allowance what the proxy may still take
    function saved() external view returns (uint256 balance, uint256 allowance) {
        return (_token.balanceOf(SAVER), _token.allowance(SAVER, address(_proxy)));
    }

    function _executeAll(IBalanceActions entry, uint256 value, uint16 parts) private {
        IBalanceActions.Asset[] memory assets = new IBalanceActions.Asset[](3);
        assets[0] = _asset(address(_token));
        assets[1] = _asset(address(_otherToken));
        assets[1].recipient = OTHER_RECIPIENT;
        assets[2] = _asset(address(0));
        assets[2].recipient = NATIVE_RECIPIENT;
        IBalanceActions.Step[] memory steps = _steps(
            _spendingStep(
                address(_target),
                address(_token),
                abi.encodeCall(TakingTarget.take, (address(_token), 0, parts))
            ),
            _spendingStep(
                address(_target),
                address(_otherToken),
                abi.encodeCall(TakingTarget.take, (address(_otherToken), 0, parts))
            )
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
