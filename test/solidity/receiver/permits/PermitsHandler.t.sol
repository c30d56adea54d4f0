// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalToken} from "../../../../contracts/service/currencies/LocalToken.sol";
import {PermitsFixture} from "./PermitsFixture.sol";

/// @title PermitsHandler
/// @notice What anybody may do to two receivers with every way to pay, in any order: pay as signed, pay with something
/// spoilt, pay again another way, and leave money lying at a receiver. It keeps its own books.
/// @dev Named as a test although it holds none: the runner calls only contracts of such files.
contract PermitsHandler is PermitsFixture {
    /// @notice How often a request was accepted, by receiver.
    mapping(address receiver => mapping(bytes32 requestId => uint256 times)) public accepted;

    /// @notice What was accepted, by currency.
    mapping(address currency => uint256 amount) public acceptedSum;

    /// @notice What was left lying at the receivers, by currency.
    mapping(address currency => uint256 amount) public stray;

    /// @notice How many payments were accepted.
    uint256 public acceptedCount;

    /// @notice How many payments were tried.
    uint256 public triedCount;

    /// @notice Whether anything went through that must not, or was refused that must go through.
    bool public isBroken;

    /// @dev Few ids, so that they meet each other often.
    uint256 private constant IDS = 24;

    Payment[] private _paid;

    constructor() {
        _deployPermits();
    }

    /// @notice Pays as solver and owner signed, which is refused only for a request that was paid.
    /// @param draw any payment
    /// @param way any way
    function payAsSigned(Draw memory draw, uint256 way) external {
        (Payment memory payment, Way drawn) = _drawn(draw, way);
        bool isReplay = accepted[address(payment.receiver)][payment.requestId] != 0;
        if (_accepts(payment, drawn) == isReplay) isBroken = true;
    }

    /// @notice Pays with one thing changed behind the solver's back, which is refused. The owner signs what is paid.
    /// @param draw any payment
    /// @param way any way
    /// @param what which thing
    function paySpoilt(Draw memory draw, uint256 way, uint256 what) external {
        (Payment memory payment, Way drawn) = _drawn(draw, way);
        what = what % 6;
        if (what == 0) payment.amount += 1;
        else if (what == 1) payment.amount -= 1;
        else if (what == 2) payment.destinationUser ^= bytes32(uint256(1));
        else if (what == 3) payment.destinationChainId ^= 1;
        else if (what == 4) payment.requestId = bytes32((uint256(payment.requestId) + 1) % IDS);
        else payment.signature = _sign(OWNER_KEY, _recordOf(payment));
        if (_accepts(payment, drawn)) isBroken = true;
    }

    /// @notice Makes an accepted payment again, any way its currency can be paid, which is refused.
    /// @param which which of them
    /// @param way any way
    function replay(uint256 which, uint256 way) external {
        if (_paid.length == 0) return;
        Payment memory payment = _paid[which % _paid.length];
        if (_accepts(payment, _wayFor(payment.currency, way))) isBroken = true;
    }

    /// @notice Money arrives at a receiver outside any payment.
    /// @param currency zero for native, one for the token with permits, two for the one with authorizations
    /// @param amount how much
    function drop(uint256 currency, uint64 amount) external {
        address which = [address(0), address(_token), address(_auth)][currency % 3];
        if (which == address(0)) VM.deal(address(_byReceiver), address(_byReceiver).balance + amount);
        else LocalToken(which).mint(address(_byReceiver), amount);
        stray[which] += amount;
    }

    /// @notice The currencies, the receivers and one of the ids.
    /// @param which any number
    /// @return currencies native, the token with permits, the one with authorizations
    /// @return receivers the one bound to itself, the one bound to its callers
    /// @return requestId the id
    function subjects(
        uint256 which
    ) external view returns (address[3] memory currencies, address[2] memory receivers, bytes32 requestId) {
        currencies = [address(0), address(_token), address(_auth)];
        receivers = [address(_byReceiver), address(_byCaller)];
        requestId = bytes32(which % IDS);
    }

    /// @notice What everybody has of a currency.
    /// @param currency which
    /// @return paid what the payee has
    /// @return spent what the owner has less than at first
    /// @return kept what the receivers have
    function holdings(address currency) external view returns (uint256 paid, uint256 spent, uint256 kept) {
        paid = _balanceOf(currency, currency == address(0) ? NATIVE_PAYEE : SOLVER);
        spent = FUNDS - _balanceOf(currency, OWNER);
        kept = _balanceOf(currency, address(_byReceiver)) + _balanceOf(currency, address(_byCaller));
    }

    function _drawn(Draw memory draw, uint256 way) private view returns (Payment memory payment, Way drawn) {
        address currency =
            draw.isNative
                ? address(0)
                : way % 2 == 0
                    ? address(_token)
                    : address(_auth);
        payment = Payment({
            receiver: draw.bindsCaller ? _byCaller : _byReceiver,
            caller: OWNER,
            currency: currency,
            amount: _bound(draw.amount, 2, type(uint64).max),
            requestId: bytes32(uint256(draw.requestId) % IDS),
            destinationChainId: _bound(draw.destinationChainId, 1, type(uint64).max),
            destinationUser: draw.destinationUser,
            signature: ""
        });
        payment.signature =
            draw.compact
                ? _signCompact(SOLVER_KEY, _recordOf(payment))
                : _sign(SOLVER_KEY, _recordOf(payment));
        drawn = _wayFor(currency, way);
    }

    /// @dev Only what the currency can do, so that no payment is refused for want of that.
    function _wayFor(address currency, uint256 way) private view returns (Way) {
        if (currency == address(0)) return way % 4 < 2 ? Way.Plain : Way.Batch;
        Way signed = currency == address(_token) ? Way.Permit : Way.Authorization;
        return [Way.Plain, signed, Way.Permit2, Way.Batch][(way >> 1) % 4];
    }

    function _accepts(Payment memory payment, Way way) private returns (bool success) {
        triedCount += 1;
        bytes memory data = _callOf(payment, way);
        VM.prank(OWNER);
        (success, ) = address(payment.receiver).call{
            value: payment.currency == address(0) ? payment.amount : 0
        }(data);
        if (!success) return false;
        acceptedCount += 1;
        accepted[address(payment.receiver)][payment.requestId] += 1;
        acceptedSum[payment.currency] += payment.amount;
        _paid.push(payment);
    }
}
