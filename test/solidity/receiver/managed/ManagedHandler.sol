// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedBook} from "./ManagedBook.sol";

/// @title ManagedHandler
/// @notice Payments, alterations and replays at a managed receiver in any order, with refunds, attributions, withdrawals,
/// rescues and pauses.
abstract contract ManagedHandler is ManagedBook {
    /// @notice Amount owed to the depositor, by request and currency.
    mapping(bytes32 requestId => mapping(address currency => uint256 amount)) public owed;

    /// @notice Amount owed to all depositors, by currency.
    mapping(address currency => uint256 amount) public owedTotal;

    address private immutable PAYER = _account("payer");
    address private immutable RECIPIENT = _account("recipient");

    /// @notice Pays as signed; refused only if the request was paid.
    function payAsSigned(Draw memory draw) external {
        Deposit memory deposit = _drawn(draw);
        bool isReplay = _accepted[deposit.record.requestId] != 0;
        _require(_accepts(deposit) != isReplay);
    }

    /// @notice Pays with one term altered or while deposits are paused; refused.
    function payAltered(Draw memory draw, uint256 term) external {
        Deposit memory deposit = _drawn(draw);
        term = term % 6;
        if (term == 0) deposit.amount = deposit.amount == MAXIMUM ? MINIMUM : deposit.amount + 1;
        else if (term == 1) _signForAnotherUser(deposit);
        else if (term == 2) _signSolver(STRANGER_KEY, deposit);
        else if (term == 3) _coSign(STRANGER_KEY, deposit);
        else if (term == 4) _list(deposit, false);
        else _byReceiver.setPaused(true);
        _require(!_accepts(deposit));
        _byReceiver.setPaused(false);
    }

    /// @notice Refunds native money with an id; accepted only if the request was paid.
    function refundNative(uint256 which, uint96 amount) external {
        VM.deal(PAYER, amount);
        VM.prank(PAYER);
        (bool success, ) = address(_byReceiver).call{value: amount}(abi.encode(idOf(which)));
        if (success) _owe(idOf(which), address(0), amount);
    }

    /// @notice Refunds tokens with an id; accepted only if the request was paid.
    function refundErc20(uint256 which, uint96 amount) external {
        _token.mint(PAYER, amount);
        VM.prank(PAYER);
        _token.approve(address(_byReceiver), amount);
        VM.prank(PAYER);
        try _byReceiver.refundErc20(idOf(which), address(_token), amount) {
            _owe(idOf(which), address(_token), amount);
        } catch {}
    }

    /// @notice Sends money to the receiver outside any payment.
    function drop(bool isNative, uint96 amount) external {
        if (isNative) VM.deal(address(_byReceiver), address(_byReceiver).balance + amount);
        else _token.mint(address(_byReceiver), amount);
        stray[isNative ? address(0) : address(_token)] += amount;
    }

    /// @notice The owner or an attacker credits or rescues an amount; accepted only from the owner, up to the stray
    /// money.
    function take(bool isNative, uint256 which, uint256 amount, bool isRescue, bool isOwner) external {
        address currency = isNative ? address(0) : address(_token);
        // Near the balance, so that some calls succeed.
        amount = _bound(amount, 0, 2 * _balanceOf(currency, address(_byReceiver)));
        bytes memory call =
            isRescue
                ? abi.encodeCall(_byReceiver.rescue, (currency, RECIPIENT, amount))
                : abi.encodeCall(_byReceiver.creditRefund, (idOf(which), currency, amount));
        VM.prank(isOwner ? address(this) : DEPOSITOR);
        (bool success, ) = address(_byReceiver).call(call);
        if (!success) return;
        _require(isOwner && amount <= stray[currency]);
        if (isBroken) return;
        stray[currency] -= amount;
        if (!isRescue) _owe(idOf(which), currency, amount);
    }

    /// @notice The depositor or an attacker withdraws; accepted from the depositor whenever money is owed.
    function withdraw(bool isNative, uint256 which, bool isStranger) external {
        bytes32 id = idOf(which);
        address currency = isNative ? address(0) : address(_token);
        uint256 amount = owed[id][currency];
        uint256 before = _balanceOf(currency, address(_byReceiver));
        VM.prank(isStranger ? STRANGER : DEPOSITOR);
        try _byReceiver.withdrawRefund(id, currency, RECIPIENT, amount) {
            _require(!isStranger && before - _balanceOf(currency, address(_byReceiver)) == amount);
            owedTotal[currency] -= amount;
            delete owed[id][currency];
        } catch {
            _require(isStranger || amount == 0);
        }
    }

    function tokenAddress() external view returns (address token) {
        return address(_token);
    }

    function _signForAnotherUser(Deposit memory deposit) private view {
        deposit.record.originUser = _word(address(_byCaller));
        _signSolver(SOLVER_KEY, deposit);
    }

    function _drawn(Draw memory draw) private returns (Deposit memory) {
        draw.requestId = idOf(uint256(draw.requestId));
        draw.bindsCaller = false;
        return _validDeposit(draw);
    }

    function _accepts(Deposit memory deposit) private returns (bool success) {
        (success, ) = _attempt(deposit);
        if (success) acceptedCount += 1;
        if (success) _accepted[deposit.record.requestId] += 1;
    }

    function _owe(bytes32 requestId, address currency, uint256 amount) private {
        owed[requestId][currency] += amount;
        owedTotal[currency] += amount;
    }
}
