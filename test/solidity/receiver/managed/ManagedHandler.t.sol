// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedHandler
/// @notice What anybody may do to a managed receiver, in any order: pay, pay with something spoilt, replay, refund in every way,
/// attribute, withdraw, rescue and pause. It keeps its own books.
/// @dev Named as a test although it holds none: the runner calls only contracts of such files.
contract ManagedHandler is ManagedFixture {
    /// @notice How often a request was accepted.
    mapping(bytes32 requestId => uint256 times) public accepted;

    /// @notice What depositors are owed, by request and currency.
    mapping(bytes32 requestId => mapping(address currency => uint256 amount)) public owed;

    /// @notice What depositors are owed together, by currency.
    mapping(address currency => uint256 amount) public owedTotal;

    /// @notice Uncredited money that was not taken out, by currency.
    mapping(address currency => uint256 amount) public stray;

    /// @notice Whether a call succeeded that had to revert, or moved a wrong amount.
    bool public isBroken;

    /// @dev Few ids, so that they meet each other often.
    uint256 private constant IDS = 12;

    address private immutable PAYER = _account("payer");
    address private immutable RECIPIENT = _account("recipient");

    constructor() {
        _deployManaged();
    }

    /// @notice Pays as signed, which is refused only for a request that was paid.
    /// @param draw any payment
    function payAsSigned(Draw memory draw) external {
        Deposit memory deposit = _drawn(draw);
        bool isReplay = accepted[deposit.record.requestId] != 0;
        if (_accepts(deposit) == isReplay) isBroken = true;
        if (!isReplay) accepted[deposit.record.requestId] += 1;
    }

    /// @notice Pays with one thing changed, or as signed while deposits are stopped, which is refused.
    /// @param draw any payment
    /// @param what which thing
    function paySpoilt(Draw memory draw, uint256 what) external {
        Deposit memory deposit = _drawn(draw);
        what = what % 6;
        if (what == 0) deposit.amount = deposit.amount == MAXIMUM ? MINIMUM : deposit.amount + 1;
        else if (what == 1) deposit.record.originUser = _word(address(_byCaller));
        else if (what == 2) _signSolver(STRANGER_KEY, deposit);
        else if (what == 3) _coSign(STRANGER_KEY, deposit);
        else if (what == 4) _list(deposit, false);
        else _byReceiver.setPaused(true);
        if (_accepts(deposit)) isBroken = true;
        _byReceiver.setPaused(false);
    }

    /// @notice Sends native money back with an id.
    /// @param which the request
    /// @param amount how much
    function refundNative(uint256 which, uint96 amount) external {
        VM.deal(PAYER, amount);
        VM.prank(PAYER);
        (bool success, ) = address(_byReceiver).call{value: amount}(abi.encode(_id(which)));
        if (success) _owe(_id(which), address(0), amount);
    }

    /// @notice Gives tokens back by name.
    /// @param which the request
    /// @param amount how much
    function refundErc20(uint256 which, uint96 amount) external {
        _token.mint(PAYER, amount);
        VM.prank(PAYER);
        _token.approve(address(_byReceiver), amount);
        VM.prank(PAYER);
        try _byReceiver.refundErc20(_id(which), address(_token), amount) {
            _owe(_id(which), address(_token), amount);
        } catch {}
    }

    /// @notice Money comes in without a name: by force, by transfer, or as a plain payment.
    /// @param isNative whether it is native
    /// @param amount how much
    function drop(bool isNative, uint96 amount) external {
        if (isNative) VM.deal(address(_byReceiver), address(_byReceiver).balance + amount);
        else _token.mint(address(_byReceiver), amount);
        stray[isNative ? address(0) : address(_token)] += amount;
    }

    /// @notice The owner or a stranger attributes or rescues any amount.
    /// @param isNative in which currency
    /// @param which the request
    /// @param amount how much
    /// @param isRescue whether it is taken out rather than credited
    /// @param isOwner whether the owner tries
    function take(bool isNative, uint256 which, uint256 amount, bool isRescue, bool isOwner) external {
        address currency = isNative ? address(0) : address(_token);
        // Mostly about what there is, so that it also goes through.
        amount = _bound(amount, 0, 2 * _balance(currency));
        bytes memory call =
            isRescue
                ? abi.encodeCall(_byReceiver.rescue, (currency, RECIPIENT, amount))
                : abi.encodeCall(_byReceiver.creditRefund, (_id(which), currency, amount));
        VM.prank(isOwner ? address(this) : DEPOSITOR);
        (bool success, ) = address(_byReceiver).call(call);
        if (!success) return;
        if (!isOwner || amount > stray[currency]) {
            isBroken = true;
            return;
        }
        stray[currency] -= amount;
        if (!isRescue) _owe(_id(which), currency, amount);
    }

    /// @notice The depositor, or a stranger, withdraws.
    /// @param isNative in which currency
    /// @param which the request
    /// @param isStranger whether a stranger tries
    function withdraw(bool isNative, uint256 which, bool isStranger) external {
        address currency = isNative ? address(0) : address(_token);
        uint256 before = _balance(currency);
        VM.prank(isStranger ? STRANGER : DEPOSITOR);
        try _byReceiver.withdrawRefund(_id(which), currency, RECIPIENT) {
            uint256 amount = owed[_id(which)][currency];
            if (isStranger || before - _balance(currency) != amount) isBroken = true;
            owedTotal[currency] -= amount;
            delete owed[_id(which)][currency];
        } catch {
            // What is owed can be withdrawn at any time.
            if (!isStranger && owed[_id(which)][currency] != 0) isBroken = true;
        }
    }

    /// @notice Lets time pass.
    /// @param time seconds
    function wait(uint32 time) external {
        CLOCK.warp(block.timestamp + (time % 1 days));
    }

    /// @notice The receiver in question.
    /// @return receiver its address
    function managed() external view returns (ManagedReceiver receiver) {
        return _byReceiver;
    }

    /// @notice The token in question.
    /// @return token its address
    function tokenAddress() external view returns (address token) {
        return address(_token);
    }

    /// @notice One of the requests.
    /// @param which any number
    /// @return requestId its id
    function idOf(uint256 which) external pure returns (bytes32 requestId) {
        return _id(which);
    }

    function _drawn(Draw memory draw) private returns (Deposit memory) {
        draw.requestId = _id(uint256(draw.requestId));
        draw.bindsCaller = false;
        return _validDeposit(draw);
    }

    function _accepts(Deposit memory deposit) private returns (bool success) {
        (success, ) = _attempt(deposit);
    }

    function _owe(bytes32 requestId, address currency, uint256 amount) private {
        owed[requestId][currency] += amount;
        owedTotal[currency] += amount;
    }

    function _balance(address currency) private view returns (uint256) {
        return currency == address(0) ? address(_byReceiver).balance : _token.balanceOf(address(_byReceiver));
    }

    function _id(uint256 which) private pure returns (bytes32) {
        return keccak256(abi.encode("request", which % IDS));
    }
}
